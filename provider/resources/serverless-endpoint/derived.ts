import type { LoadBalancerRequestUrls, QueueRequestUrls, ServerlessEndpointState } from "./types";

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
