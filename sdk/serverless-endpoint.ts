import type * as pulumi from "@pulumi/pulumi";
import { addressesOf, serverlessEndpointShape } from "../provider/resources/serverless-endpoint/outputs";
import type {
  EndpointType,
  ServerlessEndpointArgs,
  ServerlessEndpointState,
} from "../provider/resources/serverless-endpoint/types";
import type { CostEstimate } from "./cost/estimate";
import { estimatedCost } from "./cost/output";
import { Resource } from "./resource";

export type * from "../provider/resources/serverless-endpoint/types";

/**
 * Workers behind a job queue or a load balancer, scaled by the service.
 *
 * A change of the container, the GPUs or the volumes creates a new release. It rolls out as workers are replaced.
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
 * export const openai = endpoint.openaiBaseUrl; // for clients of OpenAI's API
 * ```
 *
 * @example
 * A deployment that checks itself: `pulumi up` fails when the job fails or returns something else.
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
    // A state of an earlier release does not have them.
    const addresses = this.requestUrls.apply(addressesOf);
    Object.assign(this, { baseUrl: addresses.baseUrl, openaiBaseUrl: addresses.openaiBaseUrl });
  }

  /**
   * The estimated cost by the catalog's list prices. The least is the cost of `workers.min` workers on the cheapest of
   * its GPUs. The most is the cost of `workers.max` workers on the most expensive. A preview has an estimate when it
   * knows the arguments. Network volumes have estimates of their own and are not counted here. The catalog is asked
   * only when the program reads this property.
   *
   * @example
   * ```ts
   * export const atRest = llm.estimatedCost.monthly.apply((usd) => usd?.atLeast);
   * ```
   */
  get estimatedCost(): pulumi.Output<CostEstimate> {
    return estimatedCost("ServerlessEndpoint", this);
  }

  /** Reads an existing endpoint by its id. Its `env` is then a secret. Fails when there is none. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): ServerlessEndpoint {
    return new ServerlessEndpoint(name, undefined as never, { ...opts, id });
  }
}
