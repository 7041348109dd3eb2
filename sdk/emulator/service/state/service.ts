import type { Clock } from "../clock";
import { ofPlainKinds, type Plain } from "../plain";
import { Allowance, type BillingMode } from "./allowance";
import { Batches } from "./batches";
import { Billing } from "./billing";
import { Builds } from "./builds";
import { Capacity } from "./capacity";
import { Clusters } from "./clusters";
import { ContainerRules } from "./container";
import { Endpoints } from "./endpoints";
import { newUserId } from "./ids";
import { Jobs } from "./jobs";
import { Labels } from "./labels";
import { Logs } from "./logs";
import { Pods } from "./pods";
import { Registries } from "./registries";
import { Secrets } from "./secrets";
import { SshKeys } from "./ssh-keys";
import { Templates } from "./templates";
import { Volumes } from "./volumes";

/** How long things take, in milliseconds. */
export interface Timings {
  /** How long a pod is PROVISIONING. */
  provisioning: number;
  /** How long a pod is STARTING, and how long a worker takes to start. */
  starting: number;
  /** From a stop to EXITED, and from the deletion of a cluster to the end of its pods. */
  stopping: number;
  /** How long a template cannot be deleted after its last use. */
  templateRelease: number;
  /** How long the queue of a new endpoint answers 404. */
  queueReady: number;
  /** How long a job takes beyond its handler. */
  jobTime: number;
  /** Delay of every request before the service handles it. */
  latency: number;
  /** How far lists lag behind the writes. */
  listLag: number;
  /** How far reads of single objects lag behind the writes. */
  readLag: number;
}

export interface ServiceOptions {
  clock: Clock;
  timings: Timings;
  workersQuota: number;
  /** USD. The service refuses pods and clusters whose first hour costs more, unless the account is POSTPAID. */
  balance: number;
  billingMode: BillingMode;
  /** USD an hour that all pods and workers together may cost. */
  spendLimit: number;
  /** The platform adds its own environment variables. */
  injectEnv: boolean;
}

/** One account of the service: its objects and rules, independent of the interfaces. */
export class Service {
  /** The id of the account. A state of an earlier one is another account's, so that nothing of it is taken for gone here. */
  userId!: string;
  readonly clock: Clock;
  readonly timings: Timings;
  /** When the account began. Milliseconds since 1970. */
  since!: number;
  readonly injectEnv: boolean;
  workersQuota!: number;
  balance!: number;
  billingMode!: BillingMode;
  spendLimit!: number;
  /** Address of the queue interface. Endpoints answer it in their request URLs. */
  queueUrl = "";

  registries!: Registries;
  secrets!: Secrets;
  sshKeys!: SshKeys;
  templates!: Templates;
  volumes!: Volumes;
  plain!: Plain;
  containers!: ContainerRules;
  capacity!: Capacity;
  pods!: Pods;
  clusters!: Clusters;
  endpoints!: Endpoints;
  builds!: Builds;
  jobs!: Jobs;
  batches!: Batches;
  logs!: Logs;
  billing!: Billing;
  allowance!: Allowance;
  tags!: Labels;
  costCenters!: Labels;

  constructor(private readonly options: ServiceOptions) {
    this.clock = options.clock;
    this.timings = { ...options.timings };
    this.injectEnv = options.injectEnv;
    this.forget();
  }

  /** Forgets all objects, jobs and their handlers, and what was changed of its options: the account is as new. */
  forget(): void {
    this.jobs?.dropAll();
    this.batches?.dropAll();
    this.userId = newUserId();
    this.since = this.clock.now();
    Object.assign(this.timings, this.options.timings);
    this.workersQuota = this.options.workersQuota;
    this.balance = this.options.balance;
    this.billingMode = this.options.billingMode;
    this.spendLimit = this.options.spendLimit;
    this.registries = new Registries(this);
    this.secrets = new Secrets(this);
    this.sshKeys = new SshKeys();
    this.templates = new Templates(this);
    this.volumes = new Volumes(this);
    this.plain = ofPlainKinds((Kind) => new Kind(this)) as unknown as Plain;
    this.containers = new ContainerRules((id) => this.registries.has(id));
    this.capacity = new Capacity(this);
    this.pods = new Pods(this);
    this.clusters = new Clusters(this);
    this.endpoints = new Endpoints(this);
    this.builds = new Builds(this);
    this.jobs = new Jobs(this);
    this.batches = new Batches(this);
    this.logs = new Logs(this);
    this.billing = new Billing(this);
    this.allowance = new Allowance(this);
    this.tags = new Labels(this);
    this.costCenters = new Labels(this, true);
  }

  get globalVolumes() {
    return this.plain.globalVolumes;
  }

  get delegations() {
    return this.plain.delegations;
  }

  /** All objects, as plain JSON. */
  snapshot() {
    return {
      pods: this.pods.list(),
      clusters: this.clusters.list(),
      endpoints: this.endpoints.list(),
      templates: this.templates.list(),
      networkVolumes: this.volumes.list(),
      registries: this.registries.list(),
      secrets: this.secrets.list(),
      ...(ofPlainKinds((_kind, name) => this.plain[name].list()) as {
        [Name in keyof Plain]: ReturnType<Plain[Name]["list"]>;
      }),
    };
  }

  isEmpty(): boolean {
    return Object.values(this.snapshot()).every((kind) => kind.length === 0);
  }
}
