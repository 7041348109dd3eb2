import type { Clock } from "./clock";
import type { Fault, Match, When } from "./faults/fault";
import type { Listener } from "./faults/gate";
import type { Faults } from "./faults/plan";
import type { RateLimitOptions } from "./rest/rate-limit";
import type { JobHandler } from "./state/job";
import type { Service, Timings } from "./state/service";

/** How an emulated account behaves. Everything has a default. */
export interface EmulatorOptions {
  /** 0, the default, takes a free one. */
  port?: number;
  /** Default 127.0.0.1. */
  host?: string;
  /** The only key that is taken; without it any key is. */
  apiKey?: string;
  clock?: Clock;
  /** Milliseconds; what is left out takes realistic time. */
  timings?: Partial<Timings>;
  features?: {
    /** REST /account/secrets. Default false. */
    restSecrets?: boolean;
    /** Pods, endpoints, releases and templates are listed in pages. Default false. */
    pagination?: boolean;
    /** What the public GraphQL schema has beyond the specification. Default true. */
    graphqlExtras?: boolean;
    /** What GraphQL calls the container arguments; the other name is refused. Default containerArgs. */
    templateArgs?: "containerArgs" | "dockerArgs";
    /** /stream answers `{status, stream}` like the live service, not the specification's list. Default false. */
    streamStatus?: boolean;
    /** False: GraphQL answers 410 Gone. Default true. */
    graphql?: boolean;
  };
  /** Sum of `workers.max` over all endpoints. Default 100. */
  workersQuota?: number;
  /** USD. Default 1000. */
  balance?: number;
  rateLimit?: RateLimitOptions;
  /** Whether the platform adds its own environment variables. Default true. */
  injectEnv?: boolean;
  /** Planned from the start. Default none. */
  faults?: Fault[];
  /** Seed of the faults that come with a probability. Default 1. */
  faultSeed?: number;
}

/** One request that the emulator has got. */
export interface LoggedRequest {
  /** The x-request-id of REST answers. */
  id: string;
  /** Milliseconds since 1970, by the emulator's clock. */
  at: number;
  interface: "rest" | "graphql" | "queue";
  method: string;
  /** With the query string, without the API key. */
  path: string;
  /** Name of the GraphQL operation. */
  operation?: string;
  /** The last four characters of the API key, to tell clients apart; empty without one. */
  client: string;
  body?: unknown;
  /** Of the answer that the client got; 0 while there is none, and for ever when the connection broke. */
  status: number;
  /** Milliseconds from its arrival to the end of the answer or of the connection; absent until then. */
  duration?: number;
  /** The fault that was injected, by its id. */
  fault?: string;
}

/** A running emulator. */
export interface Emulator {
  port: number;
  apiUrl: string;
  graphqlUrl: string;
  queueUrl: string;
  /** Shows the account, live, in a browser. */
  pageUrl: string;
  /** What a client needs to find it. */
  env: {
    RUNPOD_API_KEY: string;
    RUNPOD_API_URL: string;
    RUNPOD_GRAPHQL_URL: string;
    RUNPOD_QUEUE_URL: string;
  };
  /** The latest requests, oldest first: 10,000 are kept. */
  requests: LoggedRequest[];
  /** The account itself, to look at and to edit behind a client's back. */
  service: Service;
  /** What the workers of an endpoint do with a job; "*" stands for all endpoints without their own. */
  setHandler(endpointId: string, handler: JobHandler): void;
  /** What goes wrong, and what has gone wrong so far. */
  faults: Faults;
  /**
   * Calls a listener before or after the service acts on the requests that match, ahead of any fault. The
   * service, or the answer, waits for it. The service acts even when the client has gone meanwhile, like the
   * real one; a fault "before" keeps it from it, and then there is no "after"; where the effect comes later
   * than its error, so does the "after". Returns how to stop listening.
   */
  on(when: When, match: Match, listener: Listener): () => void;
  close(): Promise<void>;
}
