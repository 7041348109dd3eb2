import { NoAnswerError } from "../../../provider/client/errors";
import { isLoopback } from "../../../provider/client/loopback";
import { path } from "../../../provider/client/rest";
import { type HttpResponse, type Request, type Send, transport } from "../../../provider/client/transport";
import type { Settings } from "../../../provider/config";

/** Milliseconds that a response may take. */
const longest = 10_000;

/** The response of an address, or the reason why there is none. */
export interface Answered {
  readonly address: string;
  readonly response?: HttpResponse;
  readonly failure?: string;
  /** Milliseconds. */
  readonly took: number;
  /** When it came, by this machine's clock. */
  readonly at: number;
}

/** An address to show. The path of a gateway may hold a secret. */
export function shownAddress(text: string): string {
  const url = new URL(text);
  const isUsual = isLoopback(url) || ["/", "/v2", "/graphql"].includes(url.pathname);
  return `${url.origin}${isUsual ? url.pathname : "/…"}`.replace(/\/$/, "");
}

/** One response of each address. */
export interface Probe {
  readonly rest: Answered;
  readonly endpoints: Endpoints;
  readonly graphql: Answered;
  readonly queue: Answered;
  readonly account: Answered;
  readonly limits: Answered;
  readonly balance: Answered;
}

/** Asks each address once, all at the same time. It never throws: failures are part of the result. */
export async function probes({ apiKey, apiUrl, graphqlUrl, queueUrl }: Settings): Promise<Probe> {
  const wire = transport();
  const ask = (address: string, request: Question) => answered(wire, address, request);
  const bearer = { authorization: `Bearer ${apiKey}` };
  const get = (path: string) =>
    ask(apiUrl, { method: "GET", url: new URL(`${apiUrl}${path}`), headers: bearer });
  const graphql = new URL(graphqlUrl);
  graphql.searchParams.set("api_key", apiKey);
  const meanwhile = {
    graphql: ask(graphqlUrl, {
      method: "POST",
      url: graphql,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query: "{ __typename }" }),
    }),
    account: get("/account"),
    limits: get("/account/limits"),
    balance: get("/billing/balance"),
  };
  const rest = await get("/serverless");
  const endpoints = await allEndpoints(rest, get);
  const queued = endpoints.found.find(({ type }) => type === "QUEUE");
  const health = new URL(`${queueUrl}${path`/v2/${queued?.id ?? "podlumi"}/health`}`);
  return {
    rest,
    endpoints,
    queue: await ask(queueUrl, { method: "GET", url: health, headers: { authorization: apiKey } }),
    graphql: await meanwhile.graphql,
    account: await meanwhile.account,
    limits: await meanwhile.limits,
    balance: await meanwhile.balance,
  };
}

type Question = Omit<Request, "call" | "effect" | "signal">;

/** Sends one request. What fails is a part of the result. */
async function answered(wire: Send, whole: string, request: Question): Promise<Answered> {
  const address = shownAddress(whole);
  const began = Date.now();
  const times = () => ({ took: Date.now() - began, at: Date.now() });
  const signal = AbortSignal.timeout(longest);
  try {
    const response = await wire({ ...request, call: request.url.pathname, effect: "read", signal });
    return { address, response, ...times() };
  } catch (error) {
    const reason = error instanceof NoAnswerError ? error.reason : (error as Error).message;
    const failure = signal.aborted ? `no answer within ${longest / 1000} s` : `no answer: ${reason}`;
    return { address, failure, ...times() };
  }
}

/** The JSON of a success; empty where there is none. */
export function bodyOf({ response }: Answered): Record<string, unknown> {
  if (response?.status !== 200) return {};
  try {
    return Object(JSON.parse(response.body));
  } catch {
    return {};
  }
}

interface Endpoint {
  readonly id: string;
  readonly type?: string;
  readonly workers?: { readonly max?: number };
}

/** The endpoints of the account; `whole` unless a page of them was not to be had. */
interface Endpoints {
  readonly found: readonly Endpoint[];
  readonly whole: boolean;
}

/** The endpoints of all pages; `first` is the response with the first one. (API: Pagination) */
async function allEndpoints(first: Answered, get: (path: string) => Promise<Answered>): Promise<Endpoints> {
  const found: Endpoint[] = [];
  const seen = new Set<string>();
  for (let page = first; ; ) {
    const { endpoints, pagination } = bodyOf(page) as Page;
    if (!Array.isArray(endpoints)) return { found, whole: false };
    found.push(...endpoints);
    const next = pagination?.nextCursor ?? "";
    if (next === "" || seen.has(next)) return { found, whole: next === "" };
    seen.add(next);
    page = await get(`/serverless?cursor=${encodeURIComponent(next)}`);
  }
}

interface Page {
  readonly endpoints?: readonly Endpoint[];
  readonly pagination?: { readonly nextCursor?: string | null };
}
