import type { EmulatorFault } from "./faults";

export * from "./faults";

/** How the emulated account behaves. Times are in milliseconds. */
export interface EmulatorOptions {
  /** Default: any free port. */
  port?: number;
  /** Default `127.0.0.1`. */
  host?: string;
  /** The only API key that it accepts. Default: it accepts any key. */
  apiKey?: string;
  /** How long things take. Default: about as long as with the service. See {@link instant}. */
  timings?: EmulatorTimings;
  /** The largest sum of `workers.max` of all endpoints. Default 100. */
  workersQuota?: number;
  /** The account's balance in USD. Default 1000. */
  balance?: number;
  /** Requests of REST per minute. Default: the headers report a limit, and nothing is refused. */
  rateLimit?: number;
  /** Faults that are planned from the start. Default none. */
  faults?: EmulatorFault[];
  /** Seed of the faults that come with a probability. Default 1. */
  faultSeed?: number;
  /** Objects that the account has from the start, or the path of a JSON file with them. Default none. */
  seed?: EmulatorSeed | string;
}

/** How long things take, in milliseconds. */
export interface EmulatorTimings {
  /** How long a pod is PROVISIONING. Default 5000. */
  provisioning?: number;
  /** How long a pod is STARTING, and how long a worker takes to start. Default 10000. */
  starting?: number;
  /** From a stop to EXITED. Default 1000. */
  stopping?: number;
  /** How long a template cannot be deleted after its last use. Default 60000; the service takes up to two minutes. */
  templateRelease?: number;
  /** How long the queue of a new endpoint answers 404. Default 3000. */
  queueReady?: number;
  /** How long a job takes beyond its handler. Default 1000. */
  jobTime?: number;
  /** Delay of every response. Default 0. */
  latency?: number;
  /** How far lists are behind the writes. Default 0. */
  listLag?: number;
  /** How far reads of single objects are behind the writes. Default 0. */
  readLag?: number;
}

/** A request that the emulator got. */
export interface EmulatorRequest {
  /** Its id. Responses of REST have it as `x-request-id`. */
  id: string;
  /** Milliseconds since 1970. */
  at: number;
  /** The API to which it went. */
  interface: "rest" | "graphql" | "queue";
  /** Its method. */
  method: string;
  /** With the query string, without the API key. */
  path: string;
  /** The field that a GraphQL request asks for. */
  operation?: string;
  /** Its body; undefined without one. */
  body?: unknown;
  /** Status of the response; 0 before it, and for good when the connection broke. */
  status: number;
  /** Milliseconds from the request to its response. */
  duration?: number;
  /** The id of the fault that it met. */
  fault?: string;
}

/**
 * Objects to begin with. Each entry is the body of a create request of REST v2. They are created in the order of this
 * interface, by the rules of the service. With `as`, an entry gets a name for later ones: the string `$name` stands for
 * its id.
 */
export interface EmulatorSeed {
  registries?: EmulatorSeedEntry[];
  secrets?: EmulatorSeedEntry[];
  networkVolumes?: EmulatorSeedEntry[];
  globalVolumes?: EmulatorSeedEntry[];
  templates?: EmulatorSeedEntry[];
  endpoints?: EmulatorSeedEntry[];
  pods?: EmulatorSeedEntry[];
  clusters?: EmulatorSeedEntry[];
}

/** The body of a create request, and a name for its id. */
export interface EmulatorSeedEntry {
  /** A name for its id, for later entries: `data` for `"$data"`. */
  as?: string;
  [property: string]: unknown;
}

/** The account with all of its objects, as REST v2 returns them. */
export interface EmulatorSnapshot {
  /** Each emulator is an account of its own, also where it starts again. */
  account: { id: string };
  pods: EmulatedObject[];
  clusters: EmulatedObject[];
  endpoints: EmulatedObject[];
  templates: EmulatedObject[];
  networkVolumes: EmulatedObject[];
  globalVolumes: EmulatedObject[];
  registries: EmulatedObject[];
  delegations: EmulatedObject[];
  secrets: EmulatedObject[];
}

/** An object, as REST v2 returns it. */
export interface EmulatedObject {
  /** Its id. */
  id: string;
  /** Its name, where the kind has one. */
  name?: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at any property of any kind.
  [property: string]: any;
}

/** The work of an endpoint's workers on a job. Its result is the output; a generator streams it in chunks. */
export type EmulatorJobHandler = (
  input: Record<string, unknown>,
  job: { id: string; endpointId: string; signal: AbortSignal },
) => unknown;

/** An emulated account. */
export interface EmulatedAccount {
  /** The latest 10,000 requests, oldest first. */
  readonly requests: readonly EmulatorRequest[];
  /** The account with all of its objects, as they are now. */
  snapshot(): EmulatorSnapshot;
  /**
   * Creates objects.
   *
   * @returns The ids of the entries with `as`, by that name.
   */
  seed(seed: EmulatorSeed | string): Promise<Record<string, string>>;
  /** Makes the account as new: without objects, jobs, handlers, faults and requests, and with all of its rate limit. */
  reset(): void;
  /**
   * Plans a fault.
   *
   * @returns Its id.
   */
  addFault(fault: EmulatorFault): string;
  /** Ends all faults, or one of them. */
  clearFaults(id?: string): void;
  /** Sets what workers do with a job, for one endpoint, or for `"*"`. Default: they return `{ echo: input }`. */
  setHandler(endpointId: string, handler: EmulatorJobHandler): void;
  /** Ends it. Its account is gone then. */
  close(): Promise<void>;
}

/** A running emulator. */
export interface Emulator extends EmulatedAccount {
  /** The port on which it listens. */
  readonly port: number;
  /** Address of REST v2, as in `RUNPOD_API_URL`. */
  readonly apiUrl: string;
  /** As in `RUNPOD_GRAPHQL_URL`. */
  readonly graphqlUrl: string;
  /** As in `RUNPOD_QUEUE_URL`. */
  readonly queueUrl: string;
  /** A web page that shows the account live. */
  readonly pageUrl: string;
  /**
   * The environment variables with which programs, the command line and `podlumi/jobs` find it. With `PODLUMI_EMULATED`, podlumi
   * reaches nothing but this machine, whatever a stack has.
   */
  readonly env: Readonly<
    Record<
      "RUNPOD_API_KEY" | "RUNPOD_API_URL" | "RUNPOD_GRAPHQL_URL" | "RUNPOD_QUEUE_URL" | "PODLUMI_EMULATED",
      string
    >
  >;
}
