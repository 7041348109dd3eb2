import type { Config } from "@pulumi/pulumi/dynamic";
import { Api } from "../client/api";
import { ConfigurationError, ExpectedError, errorText } from "../client/errors";
import { Answers, impatiently } from "../client/patience";
import { confirmDataLoss, type Lookup, settings, unknownKeys } from "../config";
import { log } from "../engine/log";
import { type Pulumi, pulumi, type State, states } from "../engine/stacks";
import type { Failure } from "./check";
import type { Kind, ServiceObject } from "./definition";
import type { Owner } from "./mark";
import { type Naming, namingFor } from "./naming";
import type { OpenCreate } from "./twins";
import { isUnknown, type Properties } from "./value";

/** What the engine said of a resource in this run. */
export interface Notes {
  /** A check was told what the program says of it. */
  checked?: true;
  /** The inputs that its state has, as that check was told them. */
  inputs?: Properties;
  /** The name of its object. */
  name?: unknown;
  /** The program gives its name. */
  nameGiven?: boolean;
  /** The id of what the user was told that it takes over. */
  announced?: string;
  /** The object that it has, and what differs, where that costs no other one. */
  compared?: { readonly id: string; readonly olds: Properties; readonly changed: readonly string[] };
  /** It has an object, or had one when this run began. */
  existed?: true;
}

/** A creation with requests of which nobody knows whether they made something. */
export interface UnfinishedCreate {
  readonly kind: Kind;
  readonly urn: unknown;
  readonly made: ServiceObject;
  readonly unanswered: OpenCreate;
}

/** Pulumi does not tell what the state has. */
export class StateUnknownError extends ExpectedError {
  constructor(message: string) {
    super(message, "PODLUMI-STATE-UNKNOWN");
  }
}

/**
 * What the calls of one provider process share. The engine starts a process for each provider of a program and for each
 * command, and configures every kind in it alike: so they share one client, and what they learn of objects.
 */
export class Run {
  /** Every kind that this process serves. */
  readonly kinds: Kind[] = [];
  /** Resources by their URN. */
  private readonly resources = new Map<unknown, Notes>();
  /** Whose an object is: what a state holds, and what this run made. */
  private readonly owners = new Map<string, string>();
  /** Who asked for a name that must be unique. */
  private readonly names = new Map<string, string>();
  /** What was taken over or adopted in this run. */
  readonly takenOver = new Set<string>();
  /** Creations of this run that may have made more than one object. */
  readonly unfinished: UnfinishedCreate[] = [];
  /** Whether the engine had this run look at the whole state, or delete from it. */
  readonly did = { refresh: false, delete: false, declare: false };
  /** Any resource of the stack, for what is the same for all. */
  anyInputs: Properties | undefined;

  private lookup: Lookup = () => undefined;
  private misspelt: string[] = [];
  private client: Api | undefined;
  private readonly lists = new Answers();
  private state: Promise<State> | undefined;
  private others: Promise<State[]> | undefined;
  private readonly unanswerable = new Set<Kind>();

  constructor(
    private readonly environment: NodeJS.ProcessEnv = process.env,
    private readonly asked: Pulumi = pulumi,
    client?: Api,
  ) {
    this.client = client;
  }

  /** Must not throw: the host would keep the unconfigured object for the rest of the run. */
  configure(config: Config): void {
    this.lookup = (key) => config.get(key);
    this.misspelt = unknownKeys(Object.keys((config as { rawConfig?: object }).rawConfig ?? {}));
  }

  /** Faults of the configuration that are certain; a missing key is none, since a preview does without. */
  faults(): Failure[] {
    const keyless = { ...this.environment, RUNPOD_API_KEY: this.environment.RUNPOD_API_KEY || "unset" };
    try {
      settings(this.lookup, keyless);
      return this.misspelt.map((reason) => ({ property: "", reason, code: "PODLUMI-CONFIGURATION" }));
    } catch (error) {
      if (error instanceof ConfigurationError)
        return [{ property: "", reason: error.message, code: error.code }];
      throw error;
    }
  }

  /** The service. Throws a ConfigurationError when the configuration does not allow it. */
  api(): Api {
    this.client ??= new Api(settings(this.lookup, this.environment));
    return this.client;
  }

  /** How names are made up. */
  naming({ kind }: Owner): Naming {
    return namingFor(kind, this.lookup("pulumi:autonaming"));
  }

  /** What the user said that replacements may lose: the ids of objects, or `all`. */
  confirmed(id: string): boolean {
    return (this.lookup(confirmDataLoss) ?? "").split(/[\s,]+/).includes(id);
  }

  /** What the engine said of a resource. */
  notes(urn: unknown): Notes {
    const told = this.resources.get(urn) ?? {};
    this.resources.set(urn, told);
    return told;
  }

  /** Why a resource of this program cannot have a name that must be unique: another one has asked for it. */
  claimName(kind: Kind, { name, __urn }: Properties): Failure | undefined {
    if (!kind.uniqueName || typeof name !== "string" || isUnknown(name)) return undefined;
    const key = `${kind.noun} ${name}`;
    const other = this.names.get(key) ?? String(__urn);
    this.names.set(key, other);
    if (other === String(__urn)) return undefined;
    const reason = `is also the name of ${other}: names of this kind are unique in the account`;
    return { property: "name", reason, code: "PODLUMI-NAME-TWICE" };
  }

  /** A state holds this object, or this run made it. */
  noteOwner(id: string, properties: Properties): void {
    this.owners.set(id, String(properties.__urn));
    if (properties.__stack !== undefined) this.anyInputs = properties;
  }

  /** The URN of whose it is; undefined for what neither a state nor this run has shown. */
  knownOwner(id: string): string | undefined {
    return this.owners.get(id);
  }

  /** All objects of a kind, as they were when this run first asked: what it made itself is not among them. */
  snapshot(kind: Kind): Promise<ServiceObject[] | undefined> {
    return this.lists.once(kind.noun, () => kind.list(this.api()));
  }

  /** Objects that neither a call of this run has shown nor the state has: the engine does not know of them. */
  async strangers(objects: readonly ServiceObject[], inputs: Properties): Promise<ServiceObject[]> {
    const unseen = objects.filter(({ id }) => !this.owners.has(id));
    if (unseen.length === 0) return [];
    const { ids } = await this.ownState(inputs);
    return unseen.filter(({ id }) => !ids.has(id));
  }

  /** Those that no other stack's state has either: `pulumi state move` takes an object to another one, mark and all. */
  async orphansAmong(objects: readonly ServiceObject[], inputs: Properties): Promise<ServiceObject[]> {
    const notInState = await this.strangers(objects, inputs);
    if (notInState.length === 0) return [];
    const all = await this.allStates();
    return notInState.filter(({ id }) => !all.some(({ ids }) => ids.has(id)));
  }

  /** When an interrupted run was making this resource, in milliseconds since the epoch; undefined when none was. */
  async interruptedAt(inputs: Properties): Promise<number | undefined> {
    const state = await this.ownState(inputs).catch(() => undefined);
    const times = state?.pending.filter((urn) => urn === inputs.__urn).length ?? 0;
    // One of them is this run.
    return times > 1 ? state?.at : undefined;
  }

  /** The URN of the resource of this stack that has an object; undefined when none is known to have it. */
  async findOwner(id: string, inputs: Properties): Promise<string | undefined> {
    const known = this.owners.get(id);
    if (known !== undefined) return known;
    const state = await this.ownState(inputs).catch(() => undefined);
    return state?.holders.get(id);
  }

  /** The state of the stack that runs. Nothing is done on a guess: it is an error when Pulumi cannot be asked. */
  private ownState({ __urn, __stack }: Properties): Promise<State> {
    const [prefix = "", project = ""] = String(__urn).split("::");
    const organization = this.lookup("pulumi:organization") ?? "organization";
    const name = `${organization}/${project}/${prefix.slice("urn:pulumi:".length)}`;
    this.state ??= this.stateOf(name, String(__stack));
    return this.state;
  }

  /** By its name, which can be an old one or that of another stack, and by the id of its provider, which tells. */
  private async stateOf(name: string, stackId: string): Promise<State> {
    const named = await this.asked.state(name);
    if (named?.providers.size === 0 || named?.providers.has(stackId)) return named;
    const found = (await this.allStates()).find(({ providers }) => providers.has(stackId));
    if (found !== undefined) return found;
    throw new StateUnknownError(
      `\`pulumi stack export --stack ${name}\` does not tell what is in the state of this stack, so that nobody knows whose ` +
        "an object with its mark is. Put `pulumi` on the PATH, logged in as for this run",
    );
  }

  /** Every state that Pulumi shows. */
  private allStates(): Promise<State[]> {
    this.others ??= this.asked.stacks().then((names) => states(this.asked, names ?? []));
    return this.others;
  }

  /**
   * A look of a check. Where the service cannot be asked, a preview goes without: it says so once, and does not wait for
   * that kind a second time.
   */
  async lookOr<T>(kind: Kind, look: () => Promise<T>, otherwise: T): Promise<T> {
    if (this.unanswerable.has(kind)) return otherwise;
    try {
      return await impatiently(look);
    } catch (error) {
      if (!(error instanceof ExpectedError)) throw error;
      if (this.unanswerable.size === 0)
        log(undefined, `podlumi could not check what the account has: ${errorText(error)}`);
      this.unanswerable.add(kind);
      return otherwise;
    }
  }
}
