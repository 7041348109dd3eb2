import { accountOf, isWrongKey } from "../../client/allowance";
import { Api } from "../../client/api";
import { type Clock, Patience, systemClock } from "../../client/clock";
import { ExpectedError, errorText, type ServiceError } from "../../client/errors";
import { Hearing } from "../../client/hearing";
import { type Send, transport } from "../../client/transport";
import { confirmDataLoss, defaultTags, faultsOf, type Lookup, settings } from "../../config";
import { logOnce } from "../../engine/log";
import { KnownSecrets } from "../../known-secrets";
import type { Failure } from "../../schema/failure";
import { isEmpty, isRecord, type Properties } from "../../value";
import type { Kind } from "../kind";
import { Accounts } from "./accounts";
import { type Autonaming, autonamingFor } from "./autonaming";
import { Holders } from "./holders";
import { Lists } from "./lists";
import { type ExportState, exportByPulumi, OwnState } from "./own-state";
import { ProgramNames } from "./program-names";
import { ResourceRecord } from "./record";

/** Shared by all calls in one provider process, of which the engine starts one for each provider of a program and each command. */
export class Run {
  /** Every kind that this process serves. */
  readonly kinds: Kind[] = [];
  /** Hidden in quotes of a container. */
  readonly secrets = new KnownSecrets();
  readonly lists: Lists;
  /** Which resource has which object. */
  readonly holders = new Holders();
  /** Which resource is to have what the account has once. */
  readonly names = new ProgramNames();
  readonly accounts = new Accounts();
  readonly ownState: OwnState;
  readonly hearing: Hearing;
  /** The response by which the service refused the key. */
  wrongKey: ServiceError | undefined;
  /** For what the account allows. */
  readonly patienceForAllowance = new Patience(1_500);
  /** Workers that each checked endpoint may have more than before, by URN. */
  readonly moreWorkers = new Map<unknown, number>();

  private readonly records = new Map<unknown, ResourceRecord>();
  private lookup: Lookup = () => undefined;
  private keys: readonly string[] = [];
  /** Faults of the configuration, looked for once. */
  private configured: Failure[] | undefined;
  private client: Api | undefined;
  private readonly cancelled = new AbortController();
  private readonly unanswerable = new Set<string>();

  constructor(
    private readonly environment: NodeJS.ProcessEnv = process.env,
    exported: ExportState = exportByPulumi,
    private readonly clock: Clock = systemClock,
    private readonly send: Send = transport(),
  ) {
    this.hearing = new Hearing(clock, () => accountOf(this.api().impatient()));
    this.lists = new Lists(clock);
    this.ownState = new OwnState(exported, () => this.lookup("pulumi:organization"));
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
      settings(this.lookup, this.environment),
      this.clock,
      this.send,
      this.secrets,
      this.hearing,
      this.cancelled.signal,
    );
    return this.client;
  }

  /** The service's time as a state keeps it (RFC 3339). */
  timestamp(): string {
    return new Date(this.hearing.now()).toISOString();
  }

  /** Ends all waits at once, and requests without an answer soon. Objects that exist stay in the state with their id. */
  cancel(reason = "it was cancelled. Run the command again to continue"): void {
    this.cancelled.abort(new ExpectedError(reason, "PODLUMI-CANCELLED"));
  }

  /** How the stack wants names made up. */
  get autonaming(): Autonaming {
    return autonamingFor(this.lookup("pulumi:autonaming"));
  }

  /** The inputs with the tags of the provider. The resource's own value of a key wins. */
  tagged({ fields }: Kind, inputs: Properties): Properties {
    const { tags = {} } = inputs;
    if (!("tags" in fields) || !isRecord(tags) || this.faults().length > 0) return inputs;
    const all = { ...defaultTags(this.lookup), ...tags };
    return isEmpty(all) ? inputs : { ...inputs, tags: all };
  }

  /** The ids in `podlumi:confirmDataLoss`, or `all`: the user accepts that a replacement loses the data of these objects. */
  get confirmed(): string[] {
    return (this.lookup(confirmDataLoss) ?? "").split(/[\s,]+/).filter((id) => id !== "");
  }

  record(urn: unknown): ResourceRecord {
    const record = this.records.get(urn) ?? new ResourceRecord();
    this.records.set(urn, record);
    return record;
  }

  /** A short look for a check or a diff. Without an answer, the result is `otherwise`, told once, and the kind is not asked again. */
  async look<T>(kind: Kind, look: () => Promise<T>): Promise<T | undefined>;
  async look<T>(kind: Kind, look: () => Promise<T>, otherwise: T): Promise<T>;
  async look<T>(kind: Kind, look: () => Promise<T>, otherwise?: T): Promise<T | undefined> {
    if (this.unanswerable.has(kind.noun)) return otherwise;
    try {
      return await look();
    } catch (error) {
      if (!(error instanceof ExpectedError)) throw error;
      if (isWrongKey(error)) this.wrongKey = error;
      // Where nothing answers, what would be created or changed fails, and says so.
      else if (this.unanswerable.size === 0 && !this.hearing.isSilent)
        logOnce(undefined, `podlumi could not check what the account has: ${errorText(error)}`);
      this.unanswerable.add(kind.noun);
      return otherwise;
    }
  }
}
