import { accountOf, isWrongKey } from "../client/allowance";
import { Api } from "../client/api";
import { cancellable, ending } from "../client/cancel";
import { type Clock, Patience, systemClock } from "../client/clock";
import { ConfigurationError, ExpectedError, errorText, type ServiceError } from "../client/errors";
import { impatiently } from "../client/patience";
import { keyOfLastUp } from "../client/remedies";
import { type Send, transport } from "../client/transport";
import { confirmDataLoss, faultsOf, howToSetKey, isEmulated, type Lookup, settings } from "../config";
import type { Command } from "../engine/command";
import { detailWhere, logOnce, nameResourcesWhere } from "../engine/log";
import { type Pulumi, pulumi } from "../engine/stacks";
import { KnownSecrets } from "../known-secrets";
import { AtEnd } from "./at-end";
import type { Kind, Taken } from "./kind/definition";
import type { Failure } from "./kind/failure";
import { Lists } from "./lists";
import { type Naming, namingFor } from "./names/autonaming";
import { Claims } from "./names/claims";
import type { Notes } from "./owner/notes";
import { Owners } from "./owner/owners";
import { States, StateUnknownError } from "./owner/states";
import type { Properties } from "./value";

/** What is no id, though somebody may take `confirmDataLoss` to be a switch. */
const noId = /^(?:true|false|yes|no)$/i;

/**
 * What all calls in one provider process share. The engine starts a process for each provider of a program and for each
 * command. It configures every kind in a process alike, so all kinds share one client and what they learn about
 * objects.
 */
export class Run {
  /** Every kind that this process serves. */
  readonly kinds: Kind[] = [];
  /** What Pulumi tells of states. */
  readonly states: States;
  /** What messages must not quote of a container. */
  readonly secrets = new KnownSecrets();
  /** What the service has. */
  readonly lists: Lists;
  /** Whose the objects are. */
  readonly owners: Owners;
  /** Which of its resources is to have what the account has once. */
  readonly claims = new Claims((urn) => this.notes(urn).had?.inputs?.name);
  /** Notes by the URN of the resource. */
  private readonly resources = new Map<unknown, Notes>();
  /** What the engine had this run do: refresh objects of the state, delete objects, check what a program declares; whether any of it failed. */
  readonly did = { refresh: false, delete: false, declare: false, fail: false };
  /** The URNs under which the program only reads objects (`get`), by their ids. */
  readonly readers = new Map<string, unknown>();
  /** The URNs of the resources to which the program gives an object that exists (`adopt`, `import`), by its id. */
  readonly given = new Map<string, unknown>();
  /** What the end of this run is to look at. */
  readonly atEnd = new AtEnd();
  /** The response by which the service refused the key. */
  wrongKey: ServiceError | undefined;
  /** An error has told what to do where the emulator has not what the state has: the others of the run name their objects alone. */
  toldOfEmulation = false;
  /** For the account of the key, and whether it is that of the stack. Only after that, the state has the id of what was created. */
  readonly patienceForAccount = new Patience(3_000);
  /** For what the account allows. */
  readonly patienceForAllowance = new Patience(1_500);
  /** What the resources that this run has checked take of the account, by their URN. */
  readonly taken = new Map<unknown, Taken>();

  private lookup: Lookup = () => undefined;
  private keys: readonly string[] = [];
  /** Faults of the configuration, looked for once. */
  private configured: Failure[] | undefined;
  private client: Api | undefined;
  private learning: Promise<string | undefined> | undefined;
  private confirmedLater = "";
  private asked: Promise<string | undefined> | undefined;
  private readonly cancelled = new AbortController();
  /** A message of this run has said how to set the key: the errors of its resources do not repeat it. */
  private isKeyTold = false;
  private readonly unanswerable = new Set<string>();

  constructor(
    private readonly environment: NodeJS.ProcessEnv = process.env,
    private readonly backend: Pulumi = pulumi,
    private readonly clock: Clock = systemClock,
    private readonly send: Send = transport(),
  ) {
    const organization = () => this.lookup("pulumi:organization") ?? "organization";
    this.states = new States(
      backend,
      organization,
      () => clock.now(),
      () => this.now() - clock.now(),
      (urn) => this.notes(urn).had?.inputs?.__urn,
    );
    this.owners = new Owners(this.states);
    this.lists = new Lists(() => this.api(), clock);
    nameResourcesWhere(() => this.command.showsDiff === true);
    detailWhere(() => this.command.showsDetails !== false);
  }

  /** Whether the emulator runs the command of this run, or its settings are those that it printed. */
  get isEmulated(): boolean {
    return isEmulated(this.environment);
  }

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
    this.client ??= new Api(
      settings(this.lookup, this.environment, this.howToSetKey()),
      this.pauses,
      ending(this.send, this.cancelled.signal),
      this.secrets,
    );
    return this.client;
  }

  private howToSetKey(): string {
    if (this.isKeyTold) return "the first message of this run says how to set it";
    const hasOwnConfiguration = this.did.declare || this.command.runsProgram === true;
    return hasOwnConfiguration ? howToSetKey : `${howToSetKey}. ${keyOfLastUp}`;
  }

  /** The clock whose pauses end when the run is cancelled. */
  get pauses(): Clock {
    return cancellable(this.clock, this.cancelled.signal);
  }

  /** The service's time, or this machine's before it has told it. Milliseconds since the epoch. */
  now(): number {
    return this.client?.now() ?? this.clock.now();
  }

  /** That time as a state keeps it (RFC 3339). */
  timestamp(): string {
    return new Date(this.now()).toISOString();
  }

  /** Ends all waits at once, and requests without an answer soon. Objects that exist stay in the state with their id. */
  cancel(): void {
    this.cancelled.abort(
      new ExpectedError("it was cancelled. Run the command again to continue", "PODLUMI-CANCELLED"),
    );
  }

  /** How names are made up. */
  naming({ type }: Kind, urn: unknown): Naming {
    return this.notes(urn).naming ?? namingFor(type, this.lookup("pulumi:autonaming"));
  }

  /** Whether the user confirmed that a replacement may lose the data of this object; `id` may be `all`. */
  confirmed(id: string): boolean {
    return this.confirmations().has(id);
  }

  /** What the user does to confirm an object beside those that are confirmed already. */
  confirming(id: string): string {
    const kept = [...this.confirmations()].filter((word) => !noId.test(word));
    const set = `run \`pulumi config set ${confirmDataLoss} ${[...kept, id].join(",")}\``;
    // An argument of the Provider counts before the configuration.
    return this.lookup(confirmDataLoss) === undefined
      ? set
      : `${set}, or write this value where the program gives its Provider a confirmDataLoss`;
  }

  private confirmations(): ReadonlySet<string> {
    const ids = `${this.lookup(confirmDataLoss) ?? ""} ${this.confirmedLater}`.split(/[\s,]+/);
    return new Set(ids.filter((id) => id !== ""));
  }

  /**
   * Learns what the user has confirmed since the provider got its configuration: one that is not registered yet, or is about to go,
   * has that of an earlier run.
   */
  async learnConfirmations(): Promise<void> {
    const state = await this.states.ownIfTold();
    if (state === undefined) return;
    this.learning ??= this.backend.setting(state.name, confirmDataLoss);
    this.confirmedLater = (await this.learning) ?? "";
  }

  /** The engine's command. */
  get command(): Command {
    return this.backend.command();
  }

  /** Whether a program says what stays: this run has checked some of it, or its command deletes more than the user asks it to delete. */
  get hasProgram(): boolean {
    return this.did.declare || this.command.asksForDeletions === false;
  }

  /** The notes about a resource. Callers change them. */
  notes(urn: unknown): Notes {
    const notes = this.resources.get(urn) ?? {};
    this.resources.set(urn, notes);
    return notes;
  }

  /**
   * Whether a resource adopts an object. One that has an object already does not. What replaces that adopts another one, by an id by which the
   * resource has adopted none yet: an interrupted replacement may have created it.
   */
  adopts({ adopt, __urn }: Properties): boolean {
    const { had, checked, adopted } = this.notes(__urn);
    if (adopt === undefined) return false;
    // Of one that the user names with `--replace`, this run knows its deletion at most: it adopts what its check has found.
    const hadObject = had?.inputs !== undefined || had?.id !== undefined;
    if (!hadObject || adopted !== undefined) return true;
    return checked?.isNew === true && adopt === had.added && adopt !== had.id;
  }

  /** The id of the account of the key. Undefined where the service does not tell it, or not soon: no create fails for that. */
  account(): Promise<string | undefined> {
    this.asked ??= impatiently(async () => accountOf(this.api())).then(
      (response) => (typeof response?.id === "string" ? response.id : undefined),
      () => undefined,
    );
    return this.asked;
  }

  /**
   * A short look at the service for a check or a diff. When the service cannot be asked, the result is `otherwise`. The
   * run logs that once, and does not ask for that kind again.
   */
  async look<T>(kind: Kind, look: () => Promise<T>): Promise<T | undefined>;
  async look<T>(kind: Kind, look: () => Promise<T>, otherwise: T): Promise<T>;
  async look<T>(kind: Kind, look: () => Promise<T>, otherwise?: T): Promise<T | undefined> {
    if (this.unanswerable.has(kind.noun)) return otherwise;
    try {
      return await impatiently(look);
    } catch (error) {
      if (!(error instanceof ExpectedError)) throw error;
      if (isWrongKey(error)) this.wrongKey = error;
      else if (this.unanswerable.size === 0) {
        logOnce(undefined, `podlumi could not check what the account has: ${errorText(error)}`);
        this.isKeyTold = error instanceof ConfigurationError;
      }
      // Where Pulumi does not tell of a state, the service may tell enough of the next resource.
      if (!(error instanceof StateUnknownError)) this.unanswerable.add(kind.noun);
      return otherwise;
    }
  }
}
