import type * as pulumi from "@pulumi/pulumi";
import { serverlessEndpointShape } from "../provider/resources/serverless-endpoint/outputs";
import type {
  EndpointType,
  ServerlessEndpointArgs,
  ServerlessEndpointState,
} from "../provider/resources/serverless-endpoint/types";
import type { CostEstimate } from "./cost/estimate";
import { estimatedCost } from "./cost/output";
import { Resource } from "./resource";

export * from "../provider/resources/serverless-endpoint/types";

/**
 * Workers behind a job queue or a load balancer, scaled by the service.
 *
 * Changes of the container, the GPUs or the volumes make a new release, which rolls out as workers cycle.
 *
 * @example
 * ```ts
 * const endpoint = new podlumi.ServerlessEndpoint("llm", {
 *   type: "QUEUE",
 *   templateId: template.id,
 *   gpu: { pools: ["ADA_24"] },
 *   workers: { min: 0, max: 3, idleTimeout: 5 },
 *   scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
 * });
 * export const url = endpoint.requestUrls.runSync;
 * ```
 *
 * @example
 * A deployment that proves itself: when the job fails, or answers something else, `pulumi up` fails.
 * ```ts
 * new podlumi.ServerlessEndpoint("llm", {
 *   type: "QUEUE",
 *   templateId: template.id,
 *   templateRevision: template.revision, // an edit of the template rolls out
 *   gpu: { pools: ["ADA_24"] },
 *   scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
 *   verify: { input: { prompt: "Say hello" }, expect: { text: { $pattern: "[Hh]ello" } }, timeout: 600 },
 * });
 * ```
 */
export class ServerlessEndpoint<Type extends EndpointType = EndpointType> extends Resource<
  ServerlessEndpointState<Type>
> {
  constructor(
    name: string,
    args: ServerlessEndpointArgs & { type: pulumi.Input<Type> },
    opts?: pulumi.CustomResourceOptions,
  ) {
    super("ServerlessEndpoint", serverlessEndpointShape, name, args, opts);
  }

  /**
   * What it costs by the catalog's list prices: at least with `workers.min` on the cheapest of its GPUs, at most with
   * `workers.max` on the dearest. A preview knows it when it knows the arguments. The catalog is asked only when this is
   * read; network volumes are not counted, since they cost by themselves.
   *
   * @example
   * ```ts
   * export const atRest = llm.estimatedCost.monthly.apply((usd) => usd?.atLeast);
   * ```
   */
  get estimatedCost(): pulumi.Output<CostEstimate> {
    return estimatedCost("ServerlessEndpoint", this);
  }

  /** Reads an existing endpoint by its id; its `env` is then a secret. Fails when there is none. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): ServerlessEndpoint {
    return new ServerlessEndpoint(name, undefined as never, { ...opts, id });
  }
}
