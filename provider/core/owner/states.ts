import { Patience } from "../../client/clock";
import { ExpectedError, undefinedIfExpected } from "../../client/errors";
import type { Pending, State, Stated } from "../../engine/export";
import { type Pulumi, states } from "../../engine/stacks";
import { kindOfType, partsOfUrn } from "../../identity";
import type { Kind } from "../kind/definition";
import { isSameResource, type Owner, ownerOf } from "../kind/mark";
import { isUnknown, type Properties } from "../value";

/** Pulumi does not say what is in the state. */
export class StateUnknownError extends ExpectedError {
  constructor(
    message: string,
    /** The stacks whose states cannot be read. */
    readonly unread: readonly string[] = [],
  ) {
    super(message, "PODLUMI-STATE-UNKNOWN");
  }
}

/** In place of their names, where Pulumi does not tell which stacks there are. */
const anyOther = "any other stack";

/** The commands that tell why states cannot be read. */
export function whyUnread(unread: readonly string[]): string {
  const commands = unread.map((stack) =>
    stack === anyOther ? "`pulumi stack ls --all`" : `\`pulumi stack export --stack ${stack}\``,
  );
  return `${commands.join(" and ")} ${commands.length === 1 ? "tells" : "tell"} why`;
}

/** Creates that an earlier run left pending. */
export interface Interrupted {
  readonly creates: readonly Pending[];
  /**
   * When this run first saw them, by the service's clock. The state does not tell when that run sent its requests: it may have waited
   * for room before.
   */
  readonly since: number;
}

/** The states that Pulumi shows. */
interface AllStates {
  readonly found: readonly State[];
  /** Stacks whose states cannot be read. */
  readonly unread: readonly string[];
}

/** A stack, and what Pulumi shows as its state. */
interface Asked {
  readonly name: string;
  readonly state: Promise<State | undefined>;
}

/** What Pulumi tells of the state of this stack, and of those of the other stacks in its backend. */
export class States {
  /** For a look at all states that only spares an error. In a folder of states, 40 can be read meanwhile. */
  private readonly patienceForAll = new Patience(3_000);

  /** A resource of this stack that this run has met, by its inputs or outputs. Any of them tells the stack, and under which provider it is. */
  private any: Properties = {};
  /** The stack of this run, with its project, by what the program declares, and by the engine's command. */
  private declared: string | undefined;
  private running: Promise<string | undefined> | undefined;
  private state: Promise<State> | undefined;
  private asked: Promise<Asked> | undefined;
  /** When this run first had it, by this machine's clock. */
  private seenAt = 0;
  /** URNs of the resources that this run has begun to create, and of those that it had begun before it asked for the state. */
  private readonly begun = new Set<string>();
  private begunBefore: ReadonlySet<string> = new Set();
  /** Whether an earlier run had begun a create of theirs, too. */
  private readonly earlier = new Map<string, Promise<boolean>>();
  private shown: Promise<AllStates> | undefined;
  /** Every state, as it is when this is called or later. */
  private readonly statesNow = latest(() => {
    this.shown = this.askForStates();
    return this.shown;
  });
  private readonly latestState = latest(() => this.findState(this.ask()));

  /**
   * `lead` tells by how many milliseconds the service's clock is ahead of this machine's, which `clock` tells; `formerUrn` the URN of a resource
   * by its inputs in the state, an older one after a rename.
   */
  constructor(
    private readonly backend: Pulumi,
    private readonly organization: () => string,
    private readonly clock: () => number,
    private readonly lead: () => number,
    private readonly formerUrn: (urn: unknown) => unknown,
  ) {}

  /** Notes a resource of this stack, before anything is asked of its state. What the program declares tells most of the stack. */
  meets(properties: Properties): void {
    const tells = properties.__stack !== undefined || this.any.__stack === undefined;
    if (this.declared === undefined && tells) this.any = properties;
  }

  /** The id of the provider of this run, as far as what it has met tells. */
  get provider(): unknown {
    return this.any.__stack;
  }

  /** Any owner of this stack, for what all of them have in common; undefined where nothing tells one. */
  async anyOwner(): Promise<Owner | undefined> {
    return ownerOf({ ...this.any, __urn: await this.presentUrn(this.any.__urn) });
  }

  /**
   * The state of this stack. Throws when Pulumi does not tell it, since podlumi never guesses. It is asked for once, also where that fails:
   * hundreds of resources would each wait for another export.
   */
  own(): Promise<State> {
    if (this.state === undefined) {
      this.begunBefore = new Set(this.begun);
      this.asked = this.ask();
      this.state = this.findState(this.asked).then((state) => {
        this.seenAt = this.clock();
        return state;
      });
    }
    return this.state;
  }

  /** The same; undefined when Pulumi does not tell it. */
  ownIfTold(): Promise<State | undefined> {
    return this.own().catch(undefinedIfExpected);
  }

  /** The object that a resource has in it, perhaps under its URN from before a rename; undefined where it has none, or Pulumi does not tell. */
  async objectOf({ __urn }: Properties): Promise<Stated | undefined> {
    const { objects = [] } = (await this.ownIfTold()) ?? {};
    const former = this.formerUrn(__urn);
    return objects.find(({ urn }) => urn === __urn) ?? objects.find(({ urn }) => isSameResource(urn, former));
  }

  /** The object with an id in it, or in the state that the stack has by `now`. */
  async objectWith(id: string, when?: "now"): Promise<Stated | undefined> {
    const state = await (when === "now" ? this.now() : this.ownIfTold());
    return state?.objects.find((one) => one.id === id);
  }

  /**
   * Whether the engine keeps an object that it takes out of the state, since that has `retainOnDelete` for it: what the program says now does
   * not count. Undefined where Pulumi does not tell.
   */
  async isRetained(id: string): Promise<boolean | undefined> {
    const held = (await this.ownIfTold())?.objects.filter((one) => one.id === id);
    return held && held.length > 0 && held.every(({ isRetained }) => isRetained);
  }

  /** The state that the stack has by now: the engine writes it after each step. Undefined when Pulumi does not tell. */
  now(): Promise<State | undefined> {
    return this.latestState().catch(undefinedIfExpected);
  }

  /** The object with an id that the state of any stack has by now; undefined where none has it, or Pulumi does not tell soon. */
  async anywhere(id: string): Promise<Stated | undefined> {
    const all = await this.patienceForAll.inTime(this.all("now").catch(undefinedIfExpected));
    return all?.found.flatMap(({ objects }) => objects).find((one) => one.id === id);
  }

  /** The states of the other stacks that Pulumi shows. */
  async beside(own: State): Promise<State[]> {
    const { found } = await this.all();
    return found.filter(({ name }) => name !== own.name);
  }

  /**
   * Every state that Pulumi shows, and the stacks whose states it does not show: as they were when this run first asked, or as they are
   * `now`. The former have the state of this stack as {@link own} has asked for it: another export would take as long again.
   */
  all(when?: "now"): Promise<AllStates> {
    if (when === "now") return this.statesNow();
    this.shown ??= this.askForStates(this.asked);
    return this.shown;
  }

  /** Notes that this run begins to create a resource. The engine has written that into the state by then. */
  begins(inputs: Properties): void {
    this.meets(inputs);
    this.begun.add(String(inputs.__urn));
  }

  /** Whether this run has begun to create a resource. */
  hasBegun(urn: unknown): boolean {
    return this.begun.has(String(urn));
  }

  /** Whether this run has begun a create: then it is no preview. */
  get creates(): boolean {
    return this.begun.size > 0;
  }

  /**
   * The creates that an earlier run left pending, and of which a resource may be what they created: its own, that of its other face, and
   * those of its kind under its provider, since a rename may have given it another URN. What another provider of this face creates, its
   * own process may be creating in this very run.
   */
  async interrupted({ type }: Pick<Kind, "type">, inputs: Properties): Promise<Interrupted> {
    const { __urn, __stack } = inputs;
    const state = await this.ownIfTold();
    const own = partsOfUrn(__urn);
    const present = new Set(state?.holders.values());
    const concerns = ({ urn, marker }: Pending) => {
      const parts = partsOfUrn(urn);
      if (urn === __urn) return true;
      const isNear = parts.type !== own.type || marker === __stack;
      return kindOfType(parts.type) === type && isNear && !present.has(urn);
    };
    const found = (state?.pending ?? []).filter(concerns);
    const isEarlier = await Promise.all(found.map(({ urn }) => this.isEarlier(urn, found)));
    const creates = found.filter(({ adopts }, index) => isEarlier[index] && !adopts);
    return { creates, since: this.seenAt + this.lead() };
  }

  /** Whether one of the creates of this URN was an earlier run's: one is this run's own, once it has begun. */
  private isEarlier(urn: string, found: readonly Pending[]): boolean | Promise<boolean> {
    if (!this.begun.has(urn)) return true;
    const isMore = (all: readonly Pending[] = []) => all.filter((one) => one.urn === urn).length > 1;
    if (this.begunBefore.has(urn)) return isMore(found);
    // The state may be from before that.
    const known = this.earlier.get(urn) ?? this.now().then((state) => isMore(state?.pending));
    this.earlier.set(urn, known);
    return known;
  }

  /**
   * A URN of this stack as it is by now. A state keeps the one from before a rename of the stack, `pulumi state move`, or an import of
   * another stack's state. What the engine checks has the present one; without that, only the command tells the stack.
   */
  async presentUrn(urn: unknown): Promise<unknown> {
    const told = this.declared ?? (await this.ofCommand());
    const [stack, project = partsOfUrn(urn).project] = told?.split("/").reverse() ?? [];
    if (stack === undefined) return urn;
    return String(urn).replace(/^urn:pulumi:.*?::.*?(?=::)/, `urn:pulumi:${stack}::${project}`);
  }

  /** Notes a resource that the program declares: its URN has the stack of this run. */
  declares(inputs: Properties): void {
    this.any = inputs;
    const { project, stack } = partsOfUrn(inputs.__urn);
    this.declared ??= `${project}/${stack}`;
  }

  private ofCommand(): Promise<string | undefined> {
    this.running ??= this.backend.current();
    return this.running;
  }

  /** Asks for a state by the name of its stack. */
  private async ask(): Promise<Asked> {
    const { stack, project } = partsOfUrn(await this.presentUrn(this.any.__urn));
    const name = `${this.organization()}/${project}/${stack}`;
    return { name, state: this.backend.state(name) };
  }

  /**
   * The state of this stack: the one that was asked for by its name, where that is sure. What the engine checks tells the name. Otherwise it
   * can be outdated or that of another stack, also where the command does not name its stack, and somebody has selected another one since, or
   * made one. So the state has to have the provider, too. At the end of a destroy, none has it.
   */
  private async findState(asked: Promise<Asked>): Promise<State> {
    const { provider } = this;
    const { name, state } = await asked;
    const named = await state;
    const stackId = String(provider);
    const isSure = this.declared !== undefined || provider === undefined || isUnknown(provider);
    if (named !== undefined && (isSure || named.markers.has(stackId))) return named;
    const { found: all } = await this.all();
    const isTold = isSure || named?.providers.size === 0 || (await this.ofCommand()) !== undefined;
    const found = all.find(({ providers }) => providers.has(stackId)) ?? (isTold ? named : undefined);
    if (found !== undefined) return found;
    throw new StateUnknownError(
      `\`pulumi stack export --stack ${name}\` does not return the state of this stack, so podlumi does not know whose ` +
        "an object with its mark is. Put `pulumi` on the PATH, logged in as for this run",
    );
  }

  private async askForStates(asked?: Promise<Asked>): Promise<AllStates> {
    const [names, own] = await Promise.all([this.backend.stacks(), asked]);
    const unread = names === undefined ? [anyOther] : [];
    const state = (stack: string) => (stack === own?.name ? own.state : this.backend.state(stack));
    return { found: await states({ state }, names ?? [], (stack) => unread.push(stack)), unread };
  }
}

/** Asks again at each call. Calls at once share what they ask for; calls that come while one asks share the next one. */
function latest<T>(ask: () => Promise<T>): () => Promise<T> {
  let asking: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  return () => {
    next ??= asking
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        const asked = ask();
        asking = asked;
        return asked;
      });
    return next;
  };
}
