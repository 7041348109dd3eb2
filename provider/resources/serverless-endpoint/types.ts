import type * as pulumi from "@pulumi/pulumi";
import type { HasId } from "../../schema/arguments";
import type { ContainerState, CpuArgs, CpuState, RunningArgs, RunningState } from "../container/types";
import type { GlobalVolumeState } from "../global-volume/types";
import type { DataCenterId, GpuPoolId, GpuTypeId } from "../known/types";
import type { NetworkVolumeState } from "../network-volume/types";
import type { TemplateState } from "../template/types";

/** How requests reach the workers: through a job queue, or straight to their HTTP server. */
export type EndpointType = "QUEUE" | "LOAD_BALANCER";

/** How fast new workers start. */
export type FlashBoot = "OFF" | "FLASHBOOT" | "PRIORITY_FLASHBOOT";

/** GPUs of the workers of an endpoint. */
export interface EndpointGpuArgs {
  /** GPU pools that workers may use, in any order, e.g. `["ADA_24", "AMPERE_24"]`. */
  pools: pulumi.Input<pulumi.Input<GpuPoolId>[]>;
  /** GPU types of those pools that workers must not use, in any order, e.g. `["NVIDIA L4"]`. */
  excludedTypes?: pulumi.Input<pulumi.Input<GpuTypeId>[] | undefined>;
  /** GPUs of each worker. Default 1. */
  count?: pulumi.Input<number | undefined>;
  /** CUDA versions (`major.minor`) that hosts may have, in any order. Not together with `minCudaVersion`. */
  allowedCudaVersions?: pulumi.Input<pulumi.Input<string>[] | undefined>;
  /** Lowest CUDA version (`major.minor`) that hosts may have. Not together with `allowedCudaVersions`. */
  minCudaVersion?: pulumi.Input<string | undefined>;
}

/** How many workers there are. */
export interface WorkersArgs {
  /** Number of workers that always run and are billed. Default 0. */
  min?: pulumi.Input<number | undefined>;
  /** Most workers at a time. The account's quota limits the sum over all endpoints. Default 3. */
  max?: pulumi.Input<number | undefined>;
  /** Seconds after which an idle worker stops, 1 to 3600. Default 10. Not for a QUEUE endpoint that scales on REQUEST_COUNT. */
  idleTimeout?: pulumi.Input<number | undefined>;
}

/** Adds a worker when a job has waited for `queueDelay` seconds. QUEUE endpoints only. */
export interface QueueDelayScalingArgs {
  /** Scale by the waiting time of jobs or by the number of requests. */
  type: pulumi.Input<"QUEUE_DELAY">;
  /** Seconds that a job waits before a worker is added, at least 0.5. */
  queueDelay: pulumi.Input<number>;
}

/** Adds a worker for every `requestCount` requests. LOAD_BALANCER endpoints scale only this way. */
export interface RequestCountScalingArgs {
  /** Scale by the number of requests. */
  type: pulumi.Input<"REQUEST_COUNT">;
  /** Requests for each worker, at least 1. */
  requestCount: pulumi.Input<number>;
}

/** Any JSON, with outputs of resources at any depth. */
export type JsonInput = pulumi.Input<
  null | boolean | number | string | JsonInput[] | { [name: string]: JsonInput }
>;

/**
 * A form for the output of a job. The output may have more properties than the expectation:
 *
 * | Expected | Matches |
 * |---|---|
 * | a string, a number, true, false, null | the same value |
 * | an object | an object that has at least these properties, each of which matches; `{}` matches any object |
 * | a list | a list of the same length whose items match one by one |
 * | `{ $type: "string" }` | a value of the type: string, number, integer, boolean, object, array or null |
 * | `{ $pattern: "^Hello" }` | a string in which the regular expression is found |
 * | `{ $minLength: 1 }` | a string of at least this many characters |
 * | `{ $minimum: 0, $maximum: 1 }` | a number from the minimum to the maximum, both included |
 * | `{ $minItems: 1 }` | a list of at least this many items |
 * | `{ $contains: { label: "cat" } }` | a list with at least one item that matches |
 *
 * When an object has several keywords, or keywords and properties, all of them must match. A property whose name begins
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

/** A job that shows whether a release works. */
export interface VerifyArgs {
  /** `input` of the job, not empty. Parts of it may be secrets. */
  input: pulumi.Input<{ [name: string]: JsonInput }>;
  /** The form of the job's output. Default: any, if the job is completed. */
  expect?: Expectation;
  /** Seconds for the rollout, the start of a worker and the job together, 1 to 86400. Default 900. */
  timeout?: pulumi.Input<number | undefined>;
}

/** Arguments of a {@link ServerlessEndpoint}. (API: Serverless, create and update) */
export interface ServerlessEndpointArgs extends RunningArgs {
  /** How requests reach the workers. A change replaces the endpoint. */
  type: pulumi.Input<EndpointType>;
  /** When workers are added. */
  scaling: pulumi.Input<QueueDelayScalingArgs | RequestCountScalingArgs>;
  /** GPUs of the workers. Give this or `cpu`. Changing from one to the other replaces the endpoint. */
  gpu?: pulumi.Input<EndpointGpuArgs | undefined>;
  /** CPU selections for workers without GPU, in order of preference. Give this or `gpu`. */
  cpu?: pulumi.Input<pulumi.Input<CpuArgs>[] | undefined>;
  /** How many workers there are. */
  workers?: pulumi.Input<WorkersArgs | undefined>;
  /** How fast new workers start. Default `OFF`. */
  flashboot?: pulumi.Input<FlashBoot | undefined>;
  /** Milliseconds that a job may run. Default 300000. */
  timeout?: pulumi.Input<number | undefined>;
  /** Allowed data centers in any order, e.g. `["EU-RO-1"]`. Default: any. */
  dataCenterIds?: pulumi.Input<pulumi.Input<DataCenterId>[] | undefined>;
  /** Ids of network volumes in any order, at most one for each data center. Mounted at `/runpod-volume`. */
  networkVolumes?: pulumi.Input<pulumi.Input<string | HasId<NetworkVolumeState>>[] | undefined>;
  /**
   * Id of a {@link GlobalVolume}, in a list of at most one. Mounted at `/runpod-volume`, in place of
   * `networkVolumes`; GPU endpoints only.
   */
  globalVolumes?: pulumi.Input<pulumi.Input<string | HasId<GlobalVolumeState>>[] | undefined>;
  /** Id of a serverless {@link Template} whose settings are copied. Another one is applied in place. Removing it changes nothing. */
  templateId?: pulumi.Input<string | HasId<TemplateState> | undefined>;
  /**
   * `revision` of that {@link Template}. A new one applies the template again, in place; settings of the program take
   * precedence. Without it, edits of the template do not reach the endpoint.
   */
  templateRevision?: pulumi.Input<string | undefined>;
  /**
   * Runs a job on each new release, and again when this argument changes. The deployment fails when the job fails or
   * its output is not as expected; the release stays, and the next `pulumi up` verifies it again. QUEUE endpoints
   * only.
   */
  verify?: pulumi.Input<VerifyArgs | undefined>;
  /** `pulumi up` waits until no worker runs an older release, as it always does for `verify`. Default false. */
  waitForRollout?: pulumi.Input<boolean | undefined>;
  /** `READY`: `pulumi up` waits for a healthy worker of the newest release, which needs `workers.min` of at least 1. Default `NONE`. */
  waitFor?: pulumi.Input<"READY" | "NONE" | undefined>;
  /** Seconds for `waitForRollout` and `waitFor` together, 1 to 86400. Default 900. */
  waitTimeout?: pulumi.Input<number | undefined>;
}

/** Addresses of a QUEUE endpoint. `status`, `stream`, `cancel` and `retry` have a placeholder for the job's id. */
export interface QueueRequestUrls {
  /** Takes a job and returns its id at once. */
  run: string;
  /** Takes a job and returns its output. `?wait=`: milliseconds to wait for the output, 90000 by default. */
  runSync: string;
  /** State and output of a job. */
  status: string;
  /** Parts of the output of a job, while it runs. */
  stream: string;
  /** Ends a job, whether it waits or runs. */
  cancel: string;
  /** Sends a failed or timed-out job again. */
  retry: string;
  /** Removes all waiting jobs. */
  purgeQueue: string;
  /** Number of jobs and workers in each status. */
  health: string;
}

/** Where to send requests of a LOAD_BALANCER endpoint. */
export interface LoadBalancerRequestUrls {
  /** Base address. The path after it goes to the worker's own server. */
  base: string;
  /** Address of the load balancer's health check: `/ping`, or the path in the variable `HEALTH_CHECK_PATH`. */
  health: string;
}

/** Addresses by the endpoint's type. When the program does not fix the type, any of them may be missing. */
export type RequestUrls<Type extends EndpointType> = [Type] extends ["QUEUE"]
  ? QueueRequestUrls
  : [Type] extends ["LOAD_BALANCER"]
    ? LoadBalancerRequestUrls
    : Partial<QueueRequestUrls & LoadBalancerRequestUrls>;

/** Outputs of a {@link ServerlessEndpoint}. */
export interface ServerlessEndpointState<Type extends EndpointType = EndpointType>
  extends ContainerState,
    RunningState {
  /** How requests reach the workers. */
  type: EndpointType;
  /**
   * Addresses for requests. Where the arguments have the type `ServerlessEndpointArgs`, any may be undefined: state
   * the type, `{ ...args, type: "QUEUE" }`.
   */
  requestUrls: RequestUrls<Type>;
  /** The address before the paths of requests: that of its queue, or of its load balancer. */
  baseUrl: string;
  /** The base URL for clients of OpenAI's API, if the worker has that, as vLLM does. The key is that of the account. */
  openaiBaseUrl: string;
  /** GPUs of the workers; undefined for CPU workers. CUDA versions of `[]` and null mean no constraint. */
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
  /** Number of workers. `idleTimeout` in seconds; absent when a QUEUE endpoint scales on REQUEST_COUNT. */
  workers: { min: number; max: number; idleTimeout?: number };
  /** When workers are added: `queueDelay` in seconds with `QUEUE_DELAY`, `requestCount` with `REQUEST_COUNT`. */
  scaling: { type: "QUEUE_DELAY" | "REQUEST_COUNT"; queueDelay?: number; requestCount?: number };
  /** How fast new workers start. */
  flashboot: FlashBoot;
  /** Milliseconds that a job may run. */
  timeout: number;
  /** Data centers that workers may be in; `[]` for any. */
  dataCenterIds: string[];
  /** Ids of the network volumes, mounted at `/runpod-volume`. */
  networkVolumes: string[];
  /** Id of the global volume, in a list of at most one; undefined where the service does not return it. */
  globalVolumes: string[] | undefined;
  /**
   * Version of the last release that passed `verify`; undefined without one, and after a refresh that shows other
   * settings of the workers.
   */
  verifiedRelease: number | undefined;
}
