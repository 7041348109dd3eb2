import type { EmulatorRequest, EmulatorOptions as PublicOptions } from "../types";
import type { InnerAnswer, InnerRequest } from "./answer";
import type { Clock } from "./clock";
import type { Fault, Match, When } from "./faults/fault";
import type { Listener } from "./faults/gate";
import type { Faults } from "./faults/plan";
import type { RateLimitOptions } from "./rate-limit";
import type { Scope } from "./rest/route";
import type { Seed } from "./seed";
import type { JobHandler } from "./state/job";
import type { Service, Timings } from "./state/service";

/** How an emulated account behaves: what users choose, and what the specifications choose beside that. */
export interface EmulatorOptions extends Omit<PublicOptions, "faults" | "rateLimit" | "seed" | "timings"> {
  clock?: Clock;
  /** Milliseconds. Default: realistic times. */
  timings?: Partial<Timings>;
  features?: {
    /** REST has /account/secrets. Default true. */
    restSecrets?: boolean;
    /** REST has /account, /account/limits and /billing/balance. Default true. */
    accountPaths?: boolean;
    /** REST has /global-volumes, and endpoints take them. Default true. */
    globalVolumes?: boolean;
    /** REST can change a registry credential. Default true. */
    registryUpdate?: boolean;
    /** REST has /tags and /cost-centers. Default true. */
    labels?: boolean;
    /** Lists of pods, endpoints, releases and templates come in pages, newest first. Default false. */
    pagination?: boolean;
    /** GraphQL has its whole public schema, also beyond the service's guides. Default true. */
    graphqlExtras?: boolean;
    /** GraphQL's name for the container arguments; it refuses the other one. Default containerArgs. */
    templateArgs?: "containerArgs" | "dockerArgs";
    /** /stream answers `{status, stream}`, as the live service does; false: the list that is documented. Default true. */
    streamStatus?: boolean;
    /** False: GraphQL answers 410 Gone. Default true. */
    graphql?: boolean;
  };
  /** A POSTPAID account is never refused for its balance. Default PREPAID. */
  billingMode?: "PREPAID" | "POSTPAID";
  /** USD an hour that all pods and workers together may cost. Default 10000. */
  spendLimit?: number;
  /** The scopes that keys have, of those that operations name. Default: all. */
  scopes?: Scope[];
  /** The quota of REST. */
  rateLimit?: RateLimitOptions;
  /**
   * The quota of GraphQL, which counts for itself. `headers` chooses between REST's headers and refusals with
   * `Retry-After` alone. Default: GraphQL has no quota. (differs, Rate limits: how GraphQL reports its limit is not
   * published, so you can choose between both ways. No limit of REST is enforced unless you set one.)
   */
  graphqlRateLimit?: RateLimitOptions;
  /** The platform adds its own environment variables. Default true. */
  injectEnv?: boolean;
  /** Faults that are planned from the start. Default none. */
  faults?: Fault[];
}

export interface LoggedRequest extends EmulatorRequest {
  /** The last four characters of the API key, to tell clients apart; empty without one. */
  client: string;
}

/** An emulated account, however it is reached. */
export interface EmulatedAccount {
  /** The latest 10,000 requests, oldest first. */
  requests: LoggedRequest[];
  /** The account itself. Tests inspect it, and change it behind the client's back. */
  service: Service;
  /** Sets what the workers of an endpoint do with a job. "*" is for all endpoints without a handler of their own. */
  setHandler(endpointId: string, handler: JobHandler): void;
  /** The planned faults, and the ones that have struck so far. */
  faults: Faults;
  /**
   * Calls a listener before or after the service acts on each request that matches, and before any fault strikes.
   * "before" holds the service up until the listener is done, "after" holds the answer up. The service acts even
   * when the client has gone meanwhile, like the real one. A fault "before" keeps the service from acting, and then
   * "after" is never called. With a late effect, "after" is called once the effect has come. Returns a function
   * that removes the listener.
   */
  on(when: When, match: Match, listener: Listener): () => void;
  /** Creates objects, or those of a JSON file, and answers the ids of the entries with `as`. */
  seed(seed: Seed | string): Promise<Record<string, string>>;
  /** Makes the account as a new one of the same options, without faults and listeners; its log of requests is empty, too. */
  reset(): void;
  close(): Promise<void>;
}

/** A running emulator. */
export interface Emulator extends EmulatedAccount {
  port: number;
  apiUrl: string;
  graphqlUrl: string;
  queueUrl: string;
  /** A web page that shows the account live. */
  pageUrl: string;
  /** The environment variables with which a client finds the emulator. */
  env: {
    RUNPOD_API_KEY: string;
    RUNPOD_API_URL: string;
    RUNPOD_GRAPHQL_URL: string;
    RUNPOD_QUEUE_URL: string;
  };
}

/** An emulator without a port. */
export interface OfflineEmulator extends EmulatedAccount {
  answer(request: InnerRequest): Promise<InnerAnswer>;
}
