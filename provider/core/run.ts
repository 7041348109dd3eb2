import { isWrongKey } from "../client/allowance";
import { Api } from "../client/api";
import { cancellable, ending } from "../client/cancel";
import { type Clock, systemClock } from "../client/clock";
import { ExpectedError, errorText, type ServiceError } from "../client/errors";
import { Answers, impatiently } from "../client/patience";
import { type Send, transport } from "../client/transport";
import { confirmDataLoss, faultsOf, type Lookup, settings } from "../config";
import { log } from "../engine/log";
import { type Pulumi, pulumi, type State, type Stated, states } from "../engine/stacks";
import { partsOfUrn } from "../identity";
import type { Failure } from "./check";
import type { Kind, ServiceObject } from "./definition";
import type { Mark, Owner } from "./mark";
import { type Naming, namingFor } from "./naming";
import { at } from "./path";
import { asUnique } from "./taken-names";
import type { OpenCreate } from "./twins";
import { isUnknown, type Properties } from "./value";
import { stackOfMark } from "./whose";

/** What this run has learned about a resource. */
export interface Notes {
  /** The URN that its state has: an older one after a rename. */
  formerUrn?: unknown;
  /** How the engine wants its name made up, where it says so with the check. */
  naming?: Naming;
  /** Its inputs were checked in this run. */
  checked?: true;
  /** The inputs in its state, as check got them. */
  inputs?: Properties;
  /** What the program declares of it, as check left it. */
  declared?: Properties;
  /** The name of its object. */
  name?: unknown;
  /** The program gives its name. */
  nameGiven?: boolean;
  /** The id of the object whose take-over was logged. */
  announced?: string;
  /** The id and state of its object, and what differs, when no difference needs a replacement. */
  compared?: Compared;
  /** podlumi itself asks for the replacement of its object, and has looked at the data that it holds. */
  replaced?: true;
  /** The engine has checked it without old inputs: it is new, or replaced. */
  anew?: true;
  /** The engine has deleted its object, whose loss the user had confirmed. It is still to be checked. */
  guarded?: true;
  /** It has an object, or had one when this run began. */
  existed?: true;
}

/** What a comparison has found that needs no replacement. */
interface Compared {
  readonly id: string;
  readonly state: Properties;
  readonly changed: readonly string[];
  /**
   * Compared without a check, and with unknown values: the engine is about to delete something first, and asks what of it has to be
   * replaced as well. That it deletes at once.
   */
  readonly early: boolean;
}

/** What a resource takes of what the account allows. */
export interface Taken {
  /** Workers that an endpoint may have. */
  readonly workers?: number;
  /** Workers that it may have more than before. */
  readonly moreWorkers?: number;
  /** USD an hour that it costs at least, more than before. */
  readonly usd?: number;
}

/** The states of a backend. */
interface States {
  readonly found: readonly State[];
  /** Stacks whose states cannot be read. */
  readonly unread: readonly string[];
}

/** A create call whose unanswered requests may have made twins of `object`. */
export interface UnfinishedCreate {
  readonly kind: Kind;
  readonly urn: unknown;
  readonly object: ServiceObject;
  readonly unanswered: OpenCreate;
}

/** Milliseconds for which a list tells whose an object is. Deletions share it, since each list counts against the rate limit. */
const recent = 5_000;

/** Pulumi does not say what is in the state. */
export class StateUnknownError extends ExpectedError {
  constructor(message: string) {
    super(message, "PODLUMI-STATE-UNKNOWN");
  }
}

/**
 * What all calls in one provider process share. The engine starts a process for each provider of a program and for each
 * command. It configures every kind in a process alike, so all kinds share one client and what they learn about
 * objects.
 */
export class Run {
  /** Every kind that this process serves. */
  readonly kinds: Kind[] = [];
  /** Notes by the URN of the resource. */
  private readonly resources = new Map<unknown, Notes>();
  /** URNs of owners by the id of the object. From states, and from what this run makes or takes over. */
  private readonly owners = new Map<string, string>();
  /** URNs of the resources that asked for a unique name, by kind and name. */
  private readonly names = new Map<string, string>();
  /** Ids of the objects that this run took over or adopted. */
  readonly takenOver = new Set<string>();
  /** Create calls of this run that may have made twins. */
  readonly unfinished: UnfinishedCreate[] = [];
  /** What the engine had this run do: refresh objects of the state, delete objects, check what a program declares. */
  readonly did = { refresh: false, delete: false, declare: false };
  /** The kinds of the objects of the state that this run has read or deleted. */
  readonly kindsInState = new Set<Kind>();
  /** The kinds of the objects that this run was to delete, and that the service did not show, by their ids. */
  readonly absent = new Map<string, Kind>();
  /** The number of objects of the state that this run has begun to read. */
  reads = 0;
  /** The ids of the providers under which the resources that this run has seen were marked. */
  readonly seenMarkers = new Set<string>();
  /** The properties of any one resource of the stack, for what all of them have in common. */
  anyInputs: Properties | undefined;

  /** The answer by which the service refused the key. */
  wrongKey: ServiceError | undefined;
  /** What the resources that this run has checked take of the account, by their URN. */
  readonly taken = new Map<unknown, Taken>();

  /** The engine tells the URN of a resource with each call, so that it is never one from before a rename of the stack. */
  urnsAreCurrent = false;

  private lookup: Lookup = () => undefined;
  private keys: readonly string[] = [];
  /** Faults of the configuration, looked for once. */
  private configured: Failure[] | undefined;
  private client: Api | undefined;
  private learning: Promise<string | undefined> | undefined;
  private confirmedLater = "";
  private readonly lists = new Answers();
  /** The latest list of each kind, and when it was asked for. */
  private readonly latest = new Map<
    Kind,
    { readonly at: number; readonly objects: Promise<ServiceObject[] | undefined> }
  >();
  private readonly cancelled = new AbortController();
  private state: Promise<State> | undefined;
  private earlyState: Promise<State> | undefined;
  private others: Promise<States> | undefined;
  private asking: Promise<States> | undefined;
  private nextAsking: Promise<States> | undefined;
  private readonly unanswerable = new Set<Kind>();

  constructor(
    private readonly environment: NodeJS.ProcessEnv = process.env,
    private readonly backend: Pulumi = pulumi,
    private readonly clock: Clock = systemClock,
    private readonly send: Send = transport(),
  ) {}

  /** Must not throw: the host would keep the unconfigured object for the rest of the run. */
  configure(lookup: Lookup, keys: readonly string[] = []): void {
    this.lookup = lookup;
    this.keys = keys;
    this.configured = undefined;
  }

  /** Faults of the configuration. A missing API key is not a fault, since a preview works without one. */
  faults(): Failure[] {
    this.configured ??= faultsOf(this.lookup, this.keys, this.environment).map((reason) => ({
      property: "",
      reason,
      code: "PODLUMI-CONFIGURATION",
    }));
    return this.configured;
  }

  /** The service. Throws a ConfigurationError when the configuration does not allow it. */
  api(): Api {
    const { signal } = this.cancelled;
    this.client ??= new Api(
      settings(this.lookup, this.environment),
      cancellable(this.clock, signal),
      ending(this.send, this.clock, signal),
    );
    return this.client;
  }

  /** The service's time, or this machine's before it has told it. Milliseconds since the epoch. */
  now(): number {
    return this.client?.now() ?? this.clock.now();
  }

  /** Ends all waits at once, and requests without an answer soon. Objects that exist stay in the state with their id. */
  cancel(): void {
    this.cancelled.abort(
      new ExpectedError("it was cancelled. Run the command again to go on", "PODLUMI-CANCELLED"),
    );
  }

  /** How names are made up. */
  naming({ kind }: Owner, urn: unknown): Naming {
    return this.notes(urn).naming ?? namingFor(kind, this.lookup("pulumi:autonaming"));
  }

  /** Whether the user confirmed that a replacement may lose the data of this object; `id` may be `all`. */
  confirmed(id: string): boolean {
    return `${this.lookup(confirmDataLoss) ?? ""} ${this.confirmedLater}`.split(/[\s,]+/).includes(id);
  }

  /**
   * Learns what the user has confirmed since the provider got its configuration: one that is not registered yet, or is about to go,
   * has that of an earlier run.
   */
  async learnConfirmations(inputs: Properties): Promise<void> {
    const { backend } = this;
    this.learning ??= backend.setting(this.stackOf(inputs), confirmDataLoss);
    this.confirmedLater = (await this.learning) ?? "";
  }

  /** Whether the command of this run deletes only what the user asks it to delete; undefined where nothing shows the command. */
  asksForDeletions(): boolean | undefined {
    return this.backend.asksForDeletions();
  }

  /** The notes about a resource. Callers change them. */
  notes(urn: unknown): Notes {
    const notes = this.resources.get(urn) ?? {};
    this.resources.set(urn, notes);
    return notes;
  }

  /** Claims a unique name for a resource. Returns a failure when another resource of the program has claimed it. */
  claimName(kind: Kind, { name, __urn }: Properties): Failure | undefined {
    if (!kind.uniqueName || typeof name !== "string" || isUnknown(name)) return undefined;
    const key = `${kind.noun} ${String(asUnique(kind, name))}`;
    const other = this.names.get(key) ?? String(__urn);
    this.names.set(key, other);
    if (other === String(__urn)) return undefined;
    const reason = `is also the name of ${other}: names of this kind are unique in the account`;
    return { property: "name", reason, code: "PODLUMI-NAME-TWICE" };
  }

  /** Notes who owns an object. */
  noteOwner(id: string, properties: Properties): void {
    this.owners.set(id, String(properties.__urn));
    if (properties.__stack === undefined) return;
    this.anyInputs = properties;
    this.seenMarkers.add(String(properties.__stack));
  }

  /** The URN of the owner of an object; undefined when no call of this run has shown one. */
  knownOwner(id: string): string | undefined {
    return this.owners.get(id);
  }

  /** All objects of a kind when this run first asked. What the run made later is not among them. */
  snapshot(kind: Kind): Promise<ServiceObject[] | undefined> {
    return this.lists.once(kind.noun, () => this.listed(kind));
  }

  /** All objects of a kind as they were `age` milliseconds ago or later: others change them while a run waits. */
  async lately(kind: Kind, age = recent): Promise<ServiceObject[] | undefined> {
    const { at, objects } = this.latest.get(kind) ?? {};
    return at !== undefined && this.clock.now() - at < age ? objects : this.listed(kind);
  }

  private listed(kind: Kind): Promise<ServiceObject[] | undefined> {
    const list = { at: this.clock.now(), objects: Promise.resolve(kind.list(this.api())) };
    this.latest.set(kind, list);
    list.objects.catch(() => {
      if (this.latest.get(kind) === list) this.latest.delete(kind);
    });
    return list.objects;
  }

  /** Objects that the engine does not know: no call of this run has shown them, and they are not in the state. */
  async notInState(objects: readonly ServiceObject[], inputs: Properties): Promise<ServiceObject[]> {
    const unseen = objects.filter(({ id }) => !this.owners.has(id));
    if (unseen.length === 0) return [];
    const { ids } = await this.ownState(inputs);
    return unseen.filter(({ id }) => !ids.has(id));
  }

  /**
   * Objects that are in no stack's state: as the states were when this run first asked, or as they are `now`. `pulumi state move`
   * puts an object, with its mark, into another state.
   */
  async orphansAmong(
    objects: readonly ServiceObject[],
    inputs: Properties,
    when?: "now",
  ): Promise<ServiceObject[]> {
    const notInState = await this.notInState(objects, inputs);
    if (notInState.length === 0) return [];
    const { found, unread } = await (when === "now" ? this.statesNow() : this.allStates());
    const orphans = notInState.filter(({ id }) => !found.some(({ ids }) => ids.has(id)));
    if (orphans.length > 0) failIfUnread(unread, orphans, ". Where none has it, write adopt with its id");
    return orphans;
  }

  /** Whether a mark with digits of this stack may be another stack's. */
  async mayBeOthers(inputs: Properties): Promise<(mark: Mark) => boolean> {
    const own = await this.ownState(inputs);
    const { found } = await this.allStates();
    const others = found.filter(({ name }) => name !== own.name);
    // Before its first `up` ends, the state may lack the provider.
    const marked = {
      ...own,
      markers: new Set([...own.markers, ...this.seenMarkers, String(inputs.__stack)]),
    };
    const stackOf = stackOfMark(
      [marked, ...others],
      [own, ...others].map(({ name }) => name),
    );
    return (mark) => stackOf(mark) !== marked;
  }

  /** The time of an interrupted create of this resource by the service's clock, at the latest; undefined without one. */
  async interruptedAt(inputs: Properties): Promise<number | undefined> {
    const state = await this.ownState(inputs).catch(() => undefined);
    const times = state?.pending.filter((urn) => urn === inputs.__urn).length ?? 0;
    // One of the pending creates is this run's own.
    if (state === undefined || times < 2) return undefined;
    // The state goes by the clock of the machine that wrote it: most often by this one's, which may differ from the service's.
    return state.at + Math.max(0, this.now() - this.clock.now());
  }

  /** The URN of the owner of an object, from this run or from the state; undefined when neither knows one. */
  async findOwner(id: string, inputs: Properties): Promise<string | undefined> {
    const known = this.owners.get(id);
    if (known !== undefined) return known;
    const state = await this.ownState(inputs).catch(() => undefined);
    return state?.holders.get(id);
  }

  /**
   * The objects that the stack had before this run; undefined when Pulumi does not tell. They are asked for apart from the state that
   * shows pending creates, which has to be one from after the engine began them.
   */
  async objectsBefore(inputs: Properties): Promise<readonly Stated[] | undefined> {
    this.earlyState ??= this.state ?? this.stateFrom(inputs);
    return (await this.earlyState.catch(() => undefined))?.objects;
  }

  /**
   * The names of the other stacks whose states have an object, or show that a run is adopting it. What is about to be done asks
   * `now`: a run can last long, and another one may adopt meanwhile. The engine writes what it is making into the state before it
   * asks podlumi to make it. So of two runs that adopt one object at the same moment, one at least sees the other.
   */
  async otherHolders({ id, name }: ServiceObject, inputs: Properties, when?: "now"): Promise<string[]> {
    const own = await this.ownState(inputs).catch(() => undefined);
    const { found, unread } = await (when === "now" ? this.statesNow() : this.allStates());
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

  /** The ids of the providers under which this stack has marked its objects. The other face had a provider of its own. */
  async markers(inputs: Properties): Promise<string[]> {
    const state = await this.ownState(inputs).catch(() => undefined);
    return [...(state?.markers ?? [])];
  }

  /** The state of this stack. Throws when Pulumi does not tell it, since podlumi never guesses. */
  private ownState(inputs: Properties): Promise<State> {
    this.state ??= this.stateFrom(inputs);
    return this.state;
  }

  private stateFrom(inputs: Properties): Promise<State> {
    return this.findState(this.stackOf(inputs), inputs.__stack);
  }

  /** The name of the stack, by a URN that may be outdated. */
  private stackOf({ __urn }: Properties): string {
    const { stack, project } = partsOfUrn(String(__urn));
    return `${this.lookup("pulumi:organization") ?? "organization"}/${project}/${stack}`;
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

  /** Every state that Pulumi shows, and the stacks whose states it does not show. */
  private allStates(): Promise<States> {
    this.others ??= this.askForStates();
    return this.others;
  }

  /** The same, as it is when this is called or later. Calls that come while one asks share the next one. */
  private statesNow(): Promise<States> {
    const { asking } = this;
    if (asking === undefined) {
      this.asking = this.askForStates().finally(() => {
        this.asking = undefined;
      });
      this.others = this.asking;
      return this.asking;
    }
    this.nextAsking ??= asking.then(() => {
      this.nextAsking = undefined;
      return this.statesNow();
    });
    return this.nextAsking;
  }

  private async askForStates(): Promise<States> {
    const names = await this.backend.stacks();
    const unread = names === undefined ? ["any other stack"] : [];
    return { found: await states(this.backend, names ?? [], (stack) => unread.push(stack)), unread };
  }

  /**
   * A short look at the service for a check or a diff. When the service cannot be asked, the result is `otherwise`. The
   * run logs that once, and does not ask for that kind again.
   */
  async lookOr<T>(kind: Kind, look: () => Promise<T>, otherwise: T): Promise<T> {
    if (this.unanswerable.has(kind)) return otherwise;
    try {
      return await impatiently(look);
    } catch (error) {
      if (!(error instanceof ExpectedError)) throw error;
      if (isWrongKey(error)) this.wrongKey = error;
      else if (this.unanswerable.size === 0)
        log(undefined, `podlumi could not check what the account has: ${errorText(error)}`);
      this.unanswerable.add(kind);
      return otherwise;
    }
  }
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
