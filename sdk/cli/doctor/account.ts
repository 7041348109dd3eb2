import { allowanceIn } from "../../../provider/client/allowance";
import { ConfigurationError, errorText, NoAnswerError } from "../../../provider/client/errors";
import { windowsOf } from "../../../provider/client/rate-limit";
import { path } from "../../../provider/client/rest";
import { type HttpResponse, type Request, type Send, transport } from "../../../provider/client/transport";
import { environmentSettings, type Settings } from "../../../provider/config";
import { counted } from "../output";
import { type Check, check } from "./check";

/** In milliseconds: the longest time for a response, and the largest difference of the clocks. */
const limits = { response: 10_000, clock: 60_000 };

const howToSetKey =
  "keys are created in the console, under Settings, API keys. `podlumi --help` lists all variables";

/** What is wrong with the account of the environment, and with the way to it. */
export async function ofAccount(): Promise<Check[]> {
  let settings: Settings;
  try {
    settings = environmentSettings();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return [check("configuration", false, errorText(error), howToSetKey)];
  }
  const seen = await probes(settings);
  const checks = [rest, graphql, queue, key, owner, balance, spend, workers, clock, requestsLeft];
  return checks.flatMap((one) => one(seen) ?? []);
}

/** What an address answered, or why it did not answer. */
interface Answered {
  readonly address: string;
  readonly response?: HttpResponse;
  readonly failure?: string;
  /** Milliseconds. */
  readonly took: number;
}

/** One response of each address. */
interface Probe {
  readonly rest: Answered;
  readonly endpoints: Endpoints;
  readonly graphql: Answered;
  readonly queue: Answered;
  readonly account: Answered;
  readonly limits: Answered;
  readonly balance: Answered;
}

/** Asks each address once, all at the same time. It never throws: failures are part of the result. */
async function probes({ apiKey, apiUrl, graphqlUrl, queueUrl }: Settings): Promise<Probe> {
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
async function answered(wire: Send, address: string, request: Question): Promise<Answered> {
  const began = Date.now();
  const signal = AbortSignal.timeout(limits.response);
  try {
    const response = await wire({ ...request, call: request.url.pathname, effect: "read", signal });
    return { address, response, took: Date.now() - began };
  } catch (error) {
    const reason = error instanceof NoAnswerError ? error.reason : (error as Error).message;
    const failure = signal.aborted ? `no answer within ${limits.response / 1000} s` : `no answer: ${reason}`;
    return { address, failure, took: Date.now() - began };
  }
}

/** Any response below 500 shows that an address is right. */
function reached(what: string, { address, response, failure, took }: Answered, variable: string): Check {
  if (response === undefined) {
    const fix = `check the network, the proxy in HTTPS_PROXY where there is one, and ${variable}`;
    return check(what, false, `${address}: ${failure}`, fix);
  }
  const found = `${address} answers ${response.status} in ${took} ms`;
  return check(what, response.status < 500, found, "the service fails: try again later");
}

function rest({ rest }: Probe): Check {
  const seen = reached("REST v2", rest, "RUNPOD_API_URL");
  if (rest.response?.status !== 404) return seen;
  return {
    ...seen,
    ok: false,
    fix: "there is no REST v2 at this address: check RUNPOD_API_URL, which has /v2 at its end",
  };
}

/** (API: What has no v2 equivalent) */
function graphql({ graphql }: Probe): Check {
  const seen = reached("GraphQL", graphql, "RUNPOD_GRAPHQL_URL");
  if (graphql.response?.status !== 410) return seen;
  return { ...seen, found: `${seen.found}: retired, so secrets need REST, and readmes cannot be set` };
}

/**
 * If there is no QUEUE endpoint, the check asks for a made-up id. A 404 is then what it expects, so the text leaves the
 * status out.
 */
function queue({ queue }: Probe): Check {
  const seen = reached("queues", queue, "RUNPOD_QUEUE_URL");
  const { address, response, took } = queue;
  return response?.status === 404 ? { ...seen, found: `${address} answers in ${took} ms` } : seen;
}

/** Without an answer of REST, one line tells that nothing is known of the key and of the account. */
function key({ rest }: Probe): Check {
  const what = "API key";
  switch (rest.response?.status) {
    case 200:
      return check(what, true, "accepted");
    case 401:
      return check(
        what,
        false,
        "refused",
        "set RUNPOD_API_KEY to a key of the account that has not been revoked",
      );
    case 403:
      return check(what, false, "may not list endpoints", "give the key the permission to read");
    default:
      return check(
        what,
        false,
        "not known, and neither is the account: REST v2 does not say",
        "fix REST v2 first",
      );
  }
}

/** podlumi uses the service's clock, but certificates and people go by the clock of this machine. */
function clock({ rest: { response, took } }: Probe): Check | undefined {
  const theirs = Date.parse(String(response?.headers.date));
  if (Number.isNaN(theirs)) return undefined;
  const apart = Date.now() - took / 2 - theirs;
  const ok = Math.abs(apart) < limits.clock;
  const way = apart > 0 ? "ahead of" : "behind";
  const found = ok ? "as the service's" : `${Math.round(Math.abs(apart) / 1000)} s ${way} the service's`;
  return check("clock", ok, found, "set the clock of this machine, by NTP for example");
}

/** What is left of the account's rate limit. */
function requestsLeft({ rest: { response } }: Probe): Check | undefined {
  const windows = windowsOf(response?.headers ?? {});
  if (windows.length === 0) return undefined;
  const found = windows.map(({ name, left, quota }) => `${left} of ${quota} in this ${name}`).join(", ");
  const used = windows.filter(({ left, quota }) => left < quota / 10);
  const wait = Math.max(0, ...used.map(({ resets }) => resets));
  const fix = `other programs use the account: the limit resets in ${wait} s`;
  return check("requests left", used.length === 0, found, fix);
}

/** Whose account the key belongs to. (API: Account) */
function owner({ account }: Probe): Check | undefined {
  const { id, email } = bodyOf(account);
  if (typeof id !== "string") return untold("account", account);
  return check("account", true, typeof email === "string" ? `${id}, ${email}` : id);
}

/** What may run at a time. (API: Account limits) */
function spend({ limits }: Probe): Check | undefined {
  const what = "spend rate";
  const { limit, current } = allowanceIn(bodyOf(limits), {}).spendRate;
  if (limit === undefined) return untold(what, limits);
  const found = `${current === undefined ? "up to" : `${usd(current)} of`} ${usd(limit)} an hour`;
  const ok = current === undefined || current < limit;
  const fix = "nothing more can start: stop something, or ask the service for a higher limit";
  return check(what, ok, found, fix);
}

/** (API: Balance) */
function balance({ balance }: Probe): Check | undefined {
  const what = "balance";
  const { balanceAmount, billingMode } = bodyOf(balance);
  if (typeof balanceAmount !== "number") return untold(what, balance);
  const ok = billingMode !== "PREPAID" || balanceAmount > 0;
  const how = { PREPAID: ", prepaid", POSTPAID: ", billed afterwards" }[String(billingMode)] ?? "";
  const fix = "pods and workers do not start: add funds in RunPod's console";
  return check(what, ok, `${usd(balanceAmount)}${how}`, fix);
}

/** Why the service does not tell something of the account. Nothing where the key or the address is wrong anyway. */
function untold(what: string, { response }: Answered): Check | undefined {
  if (response?.status === 403) return check(what, true, "the key lacks the scope to read it");
  return response?.status === 404 ? check(what, true, "the service does not report it") : undefined;
}

const usd = (amount: number) => `${amount.toFixed(2)} USD`;

function bodyOf({ response }: Answered): Record<string, unknown> {
  if (response?.status !== 200) return {};
  try {
    return Object(JSON.parse(response.body));
  } catch {
    return {};
  }
}

/** The sum over all endpoints, beside the account's quota where the service tells it. (API: Serverless, limits) */
function workers({ rest, endpoints, limits }: Probe): Check | undefined {
  const { found: all, whole } = endpoints;
  if (rest.response?.status !== 200 || all.length === 0) return undefined;
  const most = all.reduce((sum, { workers }) => sum + (workers?.max ?? 0), 0);
  const which = whole ? counted(all.length, "endpoint") : `the first ${counted(all.length, "endpoint")}`;
  const found = `at most ${counted(most, "worker")} in ${which}`;
  const { limit } = allowanceIn(bodyOf(limits), {}).workers;
  const quota =
    limit === undefined ? "; the service does not report the account's quota" : `, of the account's ${limit}`;
  return check("workers", true, `${found}${quota}`);
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
