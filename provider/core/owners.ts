import { ExpectedError } from "../client/errors";
import { type Pulumi, type State, states } from "../engine/stacks";
import { partsOfUrn } from "../identity";
import type { ServiceObject } from "./definition";
import type { Mark } from "./mark";
import { at } from "./path";
import { isUnknown, type Properties } from "./value";
import { type Held, readersOf, stackOfMark } from "./whose";

/** The states of a backend. */
interface States {
  readonly found: readonly State[];
  /** Stacks whose states cannot be read. */
  readonly unread: readonly string[];
}

/** Pulumi does not say what is in the state. */
export class StateUnknownError extends ExpectedError {
  constructor(message: string) {
    super(message, "PODLUMI-STATE-UNKNOWN");
  }
}

/** Which resource has which object: by what the calls of this run have shown, and by the states that Pulumi shows. */
export class Owners {
  /** The ids of the providers under which the resources that this run has seen were marked. */
  readonly seenMarkers = new Set<string>();
  /** The engine tells the URN of a resource with each call, so that it is never one from before a rename of the stack. */
  urnsAreCurrent = false;

  /** The properties of any one resource of the stack. */
  private any: Properties | undefined;
  /** URNs by the id of the object. From states, and from what this run makes or takes over. */
  private readonly urns = new Map<string, string>();
  private state: Promise<State> | undefined;
  /** URNs of the resources that this run has begun to create, and of those that it had begun before it asked for the state. */
  private readonly begun = new Set<string>();
  private begunBefore: ReadonlySet<string> = new Set();
  private earlyState: Promise<State> | undefined;
  private others: Promise<States> | undefined;
  /** Every state, as it is when this is called or later. */
  private readonly statesNow = latest(() => {
    this.others = this.askForStates();
    return this.others;
  });
  private readonly latestState = latest((inputs: Properties) => this.stateFrom(inputs));

  /** `lead` tells by how many milliseconds the service's clock is ahead of this machine's. */
  constructor(
    private readonly backend: Pulumi,
    private readonly organization: () => string,
    private readonly lead: () => number,
  ) {}

  /** Notes who owns an object. */
  note(id: string, properties: Properties): void {
    this.urns.set(id, String(properties.__urn));
    if (properties.__stack === undefined) return;
    this.any = properties;
    this.seenMarkers.add(String(properties.__stack));
  }

  /** The URN of the owner of an object; undefined when no call of this run has shown one. */
  known(id: string): string | undefined {
    return this.urns.get(id);
  }

  /**
   * The properties of any one resource of the stack, for what all of them have in common. A state keeps the URN from before a rename of
   * the stack, or `pulumi state move`: without a program, only the command tells the stack.
   */
  async anyOfThisStack(isDeclared: boolean): Promise<Properties | undefined> {
    const { any } = this;
    if (any === undefined || this.urnsAreCurrent || isDeclared) return any;
    const [stack, project] = (await this.backend.current())?.split("/").reverse() ?? [];
    if (stack === undefined || project === undefined) return any;
    const urn = String(any.__urn).replace(/^urn:pulumi:.*?::.*?(?=::)/, `urn:pulumi:${stack}::${project}`);
    return { ...any, __urn: urn };
  }

  /** Objects that no resource of this stack has: no call of this run has shown one, nor does the state. Reading (`get`) is not having. */
  async notHeldHere(objects: readonly ServiceObject[], inputs: Properties): Promise<ServiceObject[]> {
    const unseen = objects.filter(({ id }) => !this.urns.has(id));
    if (unseen.length === 0) return [];
    const { holders } = await this.ownState(inputs);
    return unseen.filter(({ id }) => !holders.has(id));
  }

  /**
   * Objects that no resource of any stack has: as the states were when this run first asked, or as they are `now`. `pulumi state
   * move` puts an object, with its mark, into another state.
   */
  async orphansAmong(
    objects: readonly ServiceObject[],
    inputs: Properties,
    when?: "now",
  ): Promise<ServiceObject[]> {
    const notHeldHere = await this.notHeldHere(objects, inputs);
    if (notHeldHere.length === 0) return [];
    const { found, unread } = await this.allStates(when);
    const orphans = notHeldHere.filter(({ id }) => !found.some(({ holders }) => holders.has(id)));
    if (orphans.length > 0) failIfUnread(unread, orphans, ". Where none has it, write adopt with its id");
    return orphans;
  }

  /** Those of them that no program reads (`get`) either: only they may be deleted. */
  async unusedAmong(objects: readonly ServiceObject[], inputs: Properties): Promise<ServiceObject[]> {
    const orphans = await this.orphansAmong(objects, inputs);
    const readers = orphans.length > 0 ? await this.readers(inputs) : () => [];
    return orphans.filter(({ id }) => readers(id).length === 0);
  }

  /** Returns a function that tells the stacks that read an object. */
  async readers(inputs: Properties): Promise<(id: string) => string[]> {
    const own = await this.ownState(inputs);
    const all = [own, ...(await this.statesBeside(own))];
    return (id) => readersOf(all, id);
  }

  /** Whose a mark with digits of this stack is. `marked` tells which objects are known to carry marks. */
  async whose(
    inputs: Properties,
    marked: readonly Held[],
  ): Promise<(mark: Mark) => "own" | "other" | "open"> {
    const own = await this.ownState(inputs);
    const others = await this.statesBeside(own);
    // Before its first `up` ends, the state may lack the provider.
    const markers = new Set([...own.markers, ...this.seenMarkers, String(inputs.__stack)]);
    const all = [{ ...own, markers }, ...others];
    const names = all.map(({ name }) => name);
    const stackOf = stackOfMark(all, names, marked);
    return (mark) => {
      const whose = stackOf(mark);
      if (typeof whose === "string") return "open";
      return whose.of.name === own.name ? "own" : "other";
    };
  }

  /** Notes that this run begins to create a resource. The engine has written that into the state by then. */
  begins({ __urn }: Properties): void {
    this.begun.add(String(__urn));
  }

  /** The time of an interrupted create of this resource by the service's clock, at the latest; undefined without one. */
  async interruptedAt(inputs: Properties): Promise<number | undefined> {
    const urn = String(inputs.__urn);
    const creates = (state: State | undefined) => state?.pending.filter((one) => one === urn).length ?? 0;
    const state = await this.toldState(inputs);
    let shown = creates(state);
    // One of them is this run's own, once it has begun. The state may be from before that.
    const isBegun = this.begun.has(urn);
    if (shown > 0 && isBegun && !this.begunBefore.has(urn)) shown = creates(await this.stateNow(inputs));
    if (state === undefined || shown <= (isBegun ? 1 : 0)) return undefined;
    // The state goes by the clock of the machine that wrote it: most often by this one's, which may differ from the service's.
    return state.at + Math.max(0, this.lead());
  }

  /** The URN of the owner of an object, from this run or from the state; undefined when neither knows one. */
  async find(id: string, inputs: Properties): Promise<string | undefined> {
    const known = this.urns.get(id);
    if (known !== undefined) return known;
    const state = await this.toldState(inputs);
    return state?.holders.get(id);
  }

  /**
   * The state that the stack had before this run; undefined when Pulumi does not tell. It is asked for apart from the one that shows
   * pending creates, which has to be one from after the engine began them.
   */
  stateBefore(inputs: Properties): Promise<State | undefined> {
    this.earlyState ??= this.state ?? this.stateFrom(inputs);
    return this.earlyState.catch(() => undefined);
  }

  /** The state that the stack has by now: the engine writes it after each step. Undefined when Pulumi does not tell. */
  stateNow(inputs: Properties): Promise<State | undefined> {
    return this.latestState(inputs).catch(() => undefined);
  }

  /**
   * The names of the other stacks whose states have an object, or show that a run is adopting it. What is about to be done asks
   * `now`: a run can last long, and another one may adopt meanwhile. The engine writes what it is making into the state before it
   * asks podlumi to make it. So of two runs that adopt one object at the same moment, one at least sees the other.
   */
  async otherHolders({ id, name }: ServiceObject, inputs: Properties, when?: "now"): Promise<string[]> {
    const own = await this.toldState(inputs);
    const { found, unread } = await this.allStates(when);
    const isOther = ({ urn }: { readonly urn: string }) => own !== undefined || urn !== inputs.__urn;
    const isThis = (adopt: unknown) =>
      adopt === id || (name !== undefined && at({ adopt }, "adopt", "name") === name);
    const others = found.filter(
      (state) =>
        state.name !== own?.name &&
        (state.holders.has(id) || state.adopting.some((one) => isOther(one) && isThis(one.adopt))),
    );
    if (others.length === 0) failIfUnread(unread, [{ id }]);
    return others.map(({ name }) => name);
  }

  /** The ids of the providers under which this stack has marked its objects, by its state. The other face had a provider of its own. */
  async markers(inputs: Properties): Promise<string[]> {
    const state = await this.toldState(inputs);
    return [...(state?.markers ?? [])];
  }

  /** The state of this stack. Throws when Pulumi does not tell it, since podlumi never guesses. */
  private ownState(inputs: Properties): Promise<State> {
    if (this.state === undefined) {
      this.begunBefore = new Set(this.begun);
      this.state = this.stateFrom(inputs);
    }
    return this.state;
  }

  /** The same; undefined when Pulumi does not tell it. */
  private toldState(inputs: Properties): Promise<State | undefined> {
    return this.ownState(inputs).catch(() => undefined);
  }

  private stateFrom(inputs: Properties): Promise<State> {
    const { stack, project } = partsOfUrn(String(inputs.__urn));
    return this.findState(`${this.organization()}/${project}/${stack}`, inputs.__stack);
  }

  /**
   * Finds a state by the name of its stack. A name can be outdated or belong to another stack, so the id of the
   * provider decides. A preview does not know the id of a new provider, and its URNs are never outdated.
   */
  private async findState(name: string, provider: unknown): Promise<State> {
    const named = await this.backend.state(name);
    const stackId = String(provider);
    const isNew = provider === undefined || isUnknown(provider);
    const isRight =
      this.urnsAreCurrent || isNew || named?.providers.size === 0 || named?.providers.has(stackId);
    if (named !== undefined && isRight) return named;
    const { found: all } = await this.allStates();
    const found = all.find(({ providers }) => providers.has(stackId));
    if (found !== undefined) return found;
    throw new StateUnknownError(
      `\`pulumi stack export --stack ${name}\` does not tell what is in the state of this stack, so that nobody knows whose ` +
        "an object with its mark is. Put `pulumi` on the PATH, logged in as for this run",
    );
  }

  /** The states of the other stacks that Pulumi shows. */
  private async statesBeside(own: State): Promise<State[]> {
    const { found } = await this.allStates();
    return found.filter(({ name }) => name !== own.name);
  }

  /**
   * Every state that Pulumi shows, and the stacks whose states it does not show: as they were when this run first asked, or as they are
   * `now`.
   */
  private allStates(when?: "now"): Promise<States> {
    if (when === "now") return this.statesNow();
    this.others ??= this.askForStates();
    return this.others;
  }

  private async askForStates(): Promise<States> {
    const names = await this.backend.stacks();
    const unread = names === undefined ? ["any other stack"] : [];
    return { found: await states(this.backend, names ?? [], (stack) => unread.push(stack)), unread };
  }
}

/** Asks again at each call. Calls that come while one asks share the next one. */
function latest<A extends unknown[], T>(ask: (...args: A) => Promise<T>): (...args: A) => Promise<T> {
  let asking: Promise<T> | undefined;
  let next: Promise<T> | undefined;
  return function later(...args: A): Promise<T> {
    if (asking === undefined) {
      asking = ask(...args).finally(() => {
        asking = undefined;
      });
      return asking;
    }
    next ??= asking
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return later(...args);
      });
    return next;
  };
}

/** Throws when a stack whose state cannot be read may have one of these objects, since podlumi never guesses. */
function failIfUnread(
  unread: readonly string[],
  objects: readonly { readonly id: string }[],
  next = "",
): void {
  if (unread.length === 0) return;
  throw new StateUnknownError(
    `Pulumi does not tell what is in the state of ${unread.join(", ")}, so that nobody knows whether that stack has ` +
      `${objects.map(({ id }) => id).join(", ")}: \`pulumi stack ls --all\` and \`pulumi stack export\` have to succeed${next}`,
  );
}
