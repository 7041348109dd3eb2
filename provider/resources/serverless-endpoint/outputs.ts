import { plain, type Shape } from "../../schema/shape";
import { unknownValue } from "../../value";
import { containerOutputs, cpuOutput, runningOutputs } from "../container/outputs";
import type {
  LoadBalancerRequestUrls,
  QueueRequestUrls,
  ServerlessEndpointArgs,
  ServerlessEndpointState,
} from "./types";

/** Default numbers of workers of an endpoint. (API: Serverless, create) */
export const defaultWorkers = { min: 0, max: 3 };

export const serverlessEndpointShape: Shape<ServerlessEndpointState, ServerlessEndpointArgs> = {
  outputs: {
    ...containerOutputs,
    ...runningOutputs,
    ...plain("type", "requestUrls", "baseUrl", "openaiBaseUrl"),
    gpu: {
      pools: undefined,
      count: 1,
      excludedTypes: unknownValue,
      allowedCudaVersions: unknownValue,
      minCudaVersion: unknownValue,
    },
    cpu: cpuOutput,
    workers: { ...defaultWorkers, idleTimeout: unknownValue },
    scaling: plain("type", "queueDelay", "requestCount"),
    ...plain("flashboot", "timeout", "networkVolumes", "globalVolumes", "verifiedRelease"),
  },
  otherInputs: plain("verify", "waitFor", "waitTimeout", "waitForRollout"),
  secretsWhenRead: ["env"],
};

/**
 * The base addresses of an endpoint, by those that the service tells. Below that of a queue, workers with OpenAI's API have it at
 * `/openai/v1`. Behind a load balancer, they serve it themselves, at `/v1`. None while those are unknown. (API:
 * Serverless, requestUrls)
 */
export function addressesOf(
  urls: unknown,
): Partial<Pick<ServerlessEndpointState, "baseUrl" | "openaiBaseUrl">> {
  const { run, base }: Partial<QueueRequestUrls & LoadBalancerRequestUrls> = Object(urls);
  const baseUrl = (base ?? run)?.replace(/\/(run)?$/, "");
  return baseUrl === undefined
    ? {}
    : { baseUrl, openaiBaseUrl: `${baseUrl}/${base === undefined ? "openai/v1" : "v1"}` };
}
