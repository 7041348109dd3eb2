import type * as pulumi from "@pulumi/pulumi";
import type { AdoptArgs } from "../../core/arguments";
import type { ContainerArgs, ContainerState, CpuArgs, CpuState } from "../container/types";

/** How requests reach the workers: through a job queue, or straight to their HTTP server. */
export type EndpointType = "QUEUE" | "LOAD_BALANCER";

/** Fast starts of workers. */
export type FlashBoot = "OFF" | "FLASHBOOT" | "PRIORITY_FLASHBOOT";

/** GPUs of the workers of an endpoint. */
export interface EndpointGpuArgs {
  /** GPU pools that workers may use, e.g. `["ADA_24", "AMPERE_24"]`. Order is free. */
  pools: pulumi.Input<pulumi.Input<string>[]>;
  /** GPU types of those pools that workers must not use, e.g. `["NVIDIA L4"]`. Order is free. */
  excludedTypes?: pulumi.Input<pulumi.Input<string>[]>;
  /** GPUs of each worker. Default 1. */
  count?: pulumi.Input<number>;
  /** CUDA versions (`major.minor`) that hosts may have. Not together with `minCudaVersion`. Order is free. */
  allowedCudaVersions?: pulumi.Input<pulumi.Input<string>[]>;
  /** Lowest CUDA version (`major.minor`) that hosts may have. Not together with `allowedCudaVersions`. */
  minCudaVersion?: pulumi.Input<string>;
}

/** How many workers there are. */
export interface WorkersArgs {
  /** Workers that are always there, and billed. Default 0. */
  min?: pulumi.Input<number>;
  /** Most workers at a time; the sum over all endpoints is limited by the account's quota. Default 3. */
  max?: pulumi.Input<number>;
  /**
   * Seconds after which an idle worker goes, 1 to 3600. Default 10. Not for a QUEUE endpoint that scales on
   * REQUEST_COUNT.
   */
  idleTimeout?: pulumi.Input<number>;
}

/** When a worker is added: as soon as a job has waited this long. QUEUE endpoints only. */
export interface QueueDelayScalingArgs {
  /** By the wait of the jobs, or by their number. */
  type: pulumi.Input<"QUEUE_DELAY">;
  /** Seconds, at least 0.5. */
  queueDelay: pulumi.Input<number>;
}

/** When a worker is added: one for each so many requests. The only way of LOAD_BALANCER endpoints. */
export interface RequestCountScalingArgs {
  /** By the number of requests. */
  type: pulumi.Input<"REQUEST_COUNT">;
  /** Requests for each worker, at least 1. */
  requestCount: pulumi.Input<number>;
}

/** Any JSON, with outputs of resources at any depth. */
export type JsonInput = pulumi.Input<
  null | boolean | number | string | JsonInput[] | { [name: string]: JsonInput }
>;

/**
 * What the output of a job must be like. It matches by being contained:
 *
 * | Expected | Matches |
 * |---|---|
 * | a string, a number, true, false, null | the same value |
 * | an object | an object that has at least these properties, each of which matches; `{}` matches any object |
 * | a list | a list of the same length whose items match one by one |
 * | `{ $type: "string" }` | a value of the type: string, number, integer, boolean, object, array or null |
 * | `{ $pattern: "^Hello" }` | a string in which the regular expression is found |
 * | `{ $minLength: 1 }` | a string of at least so many characters |
 * | `{ $minimum: 0, $maximum: 1 }` | a number from one to the other, both included |
 * | `{ $minItems: 1 }` | a list of at least so many items |
 * | `{ $contains: { label: "cat" } }` | a list of which some item matches |
 *
 * Of an object that has several keywords, or keywords beside properties, all must match. A property whose name begins
 * with `$` cannot be expected.
 *
 * @example
 * ```ts
 * const expect: podlumi.Expectation = {
 *   model: "Qwen/Qwen3-8B",
 *   text: { $pattern: "\\S" },
 *   usage: { tokens: { $minimum: 1 } },
 * };
 * ```
 */
export type Expectation = JsonInput;

/** A job that proves a release. */
export interface VerifyArgs {
  /** What the worker gets, `input` of the job; not empty. Parts of it may be secrets. */
  input: pulumi.Input<{ [name: string]: JsonInput }>;
  /** What the job's output must be like. Default: anything, as long as the job is completed. */
  expect?: Expectation;
  /** Seconds for the rollout, the start of a worker and the job together, 1 to 86400. Default 900. */
  timeout?: pulumi.Input<number>;
}

/** Arguments of a {@link ServerlessEndpoint}. (API: Serverless, create and update) */
export interface ServerlessEndpointArgs extends ContainerArgs, AdoptArgs {
  /** Name; need not be unique. Default: made up from the logical name and digits, and kept for life. */
  name?: pulumi.Input<string>;
  /** How requests reach the workers. A change replaces the endpoint. */
  type: pulumi.Input<EndpointType>;
  /** When workers are added. */
  scaling: pulumi.Input<QueueDelayScalingArgs | RequestCountScalingArgs>;
  /** GPUs of the workers: this or `cpu`. Changing from one to the other replaces the endpoint. */
  gpu?: pulumi.Input<EndpointGpuArgs>;
  /** CPU selections for workers without GPU, in order of preference: this or `gpu`. */
  cpu?: pulumi.Input<pulumi.Input<CpuArgs>[]>;
  /** How many workers there are. */
  workers?: pulumi.Input<WorkersArgs>;
  /** How fast new workers start. Default `OFF`. */
  flashboot?: pulumi.Input<FlashBoot>;
  /** Milliseconds that a job may run. Default 300000. */
  timeout?: pulumi.Input<number>;
  /** Data centers that may be used, e.g. `["EU-RO-1"]`. Default: any. Order is free. */
  dataCenterIds?: pulumi.Input<pulumi.Input<string>[]>;
  /** Ids of network volumes, one for each data center at most; mounted at `/runpod-volume`. Order is free. */
  networkVolumes?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Id of a serverless {@link Template} whose settings are copied. Another one is applied in place; removing it
   * changes nothing, since the settings were copied.
   */
  templateId?: pulumi.Input<string>;
  /**
   * `revision` of that {@link Template}: when it changes, the template is copied again, in place, which makes a new
   * release. What the program itself says of the container still wins. Without it, an edit of the template does not
   * reach the endpoint.
   */
  templateRevision?: pulumi.Input<string>;
  /**
   * Proves a new release with a job, after it is rolled out. QUEUE endpoints only. The deployment fails when the job
   * fails or its output is not as expected, and tells the job's error, the release and the worker's last lines; the
   * release stays, and the next `pulumi up` verifies it again. It runs when there is a release that has not passed it,
   * and when it is changed itself; a preview never runs it.
   */
  verify?: pulumi.Input<VerifyArgs>;
  /** Whether `pulumi up` waits until no worker runs an older release. Default false. `verify` always does. */
  waitForRollout?: pulumi.Input<boolean>;
  /**
   * `READY`: `pulumi up` waits for a healthy worker of the newest release; needs `workers.min` of at least 1, since there
   * may be no worker otherwise. Not considered beside `verify`, which proves more. Default `NONE`.
   */
  waitFor?: pulumi.Input<"READY" | "NONE">;
  /** Seconds for `waitForRollout` and `waitFor` together, 1 to 86400. Default 900. */
  waitTimeout?: pulumi.Input<number>;
}

/** Where to send jobs of a QUEUE endpoint. `status`, `stream`, `cancel` and `retry` hold a place for the job's id. */
export interface QueueRequestUrls {
  /** Takes a job and answers its id at once. */
  run: string;
  /** Takes a job and answers its output; `?wait=` is how many milliseconds it waits for that, 90000 by default. */
  runSync: string;
  /** State and output of a job. */
  status: string;
  /** Parts of the output of a job, while it runs. */
  stream: string;
  /** Ends a job, whether it waits or runs. */
  cancel: string;
  /** Sends a job that failed or timed out once more. */
  retry: string;
  /** Removes all jobs that wait. */
  purgeQueue: string;
  /** How many jobs and workers there are, by what they are doing. */
  health: string;
}

/** Where to send requests of a LOAD_BALANCER endpoint. */
export interface LoadBalancerRequestUrls {
  /** What comes after it is for the worker's own server. */
  base: string;
  /** What the load balancer asks: `/ping`, or the variable `HEALTH_CHECK_PATH`. */
  health: string;
}

/** Where to send requests, by the endpoint's type. Where a program does not fix that, any address may be missing. */
export type RequestUrls<Type extends EndpointType> = [Type] extends ["QUEUE"]
  ? QueueRequestUrls
  : [Type] extends ["LOAD_BALANCER"]
    ? LoadBalancerRequestUrls
    : Partial<QueueRequestUrls & LoadBalancerRequestUrls>;

/** Outputs of a {@link ServerlessEndpoint}. */
export interface ServerlessEndpointState<Type extends EndpointType = EndpointType> extends ContainerState {
  /** Not unique in the account. */
  name: string;
  /** How requests reach the workers. */
  type: EndpointType;
  /** Addresses for requests: those of {@link QueueRequestUrls} or of {@link LoadBalancerRequestUrls}. */
  requestUrls: RequestUrls<Type>;
  /** GPUs of the workers; undefined for CPU workers. `[]` and null of the CUDA versions are no constraint. */
  gpu:
    | {
        pools: string[];
        count: number;
        excludedTypes?: string[];
        allowedCudaVersions: string[];
        minCudaVersion: string | null;
      }
    | undefined;
  /** CPU selections in order of preference; undefined for GPU workers. */
  cpu: CpuState[] | undefined;
  /** `idleTimeout` in seconds; absent where a QUEUE endpoint scales on REQUEST_COUNT. */
  workers: { min: number; max: number; idleTimeout?: number };
  /** `queueDelay` in seconds with `QUEUE_DELAY`, `requestCount` of each worker with `REQUEST_COUNT`. */
  scaling: { type: "QUEUE_DELAY" | "REQUEST_COUNT"; queueDelay?: number; requestCount?: number };
  /** How fast new workers start. */
  flashboot: FlashBoot;
  /** Milliseconds that a job may run. */
  timeout: number;
  /** Data centers that workers may be in; `[]` for any. */
  dataCenterIds: string[];
  /** Ids of the network volumes, mounted at `/runpod-volume`. */
  networkVolumes: string[];
  /** Id of the template of the program, since the service does not tell; undefined without one. */
  templateId: string | undefined;
  /** The revision of that template, as the program says it. */
  templateRevision: string | undefined;
  /** The version of the release that passed `verify` last; undefined without it. */
  verifiedRelease: number | undefined;
  /** RFC 3339. */
  createdAt: string;
}
