import { allowanceIn } from "../../../provider/client/allowance";
import { ConfigurationError, errorText } from "../../../provider/client/errors";
import { windowsOf } from "../../../provider/client/rate-limit";
import { environmentSettings, type Settings } from "../../../provider/config";
import { counted } from "../output";
import { type Check, check } from "./check";
import { type Answered, bodyOf, type Probe, probes } from "./probe";

/** The largest difference of the clocks, in milliseconds. */
const furthestApart = 60_000;

const howToSetKey =
  "keys are created in the console, under Settings, API keys. `podlumi --help` lists all variables";

/** Checks the account of the environment, and the way to it. */
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
function clock({ rest: { response, took, at } }: Probe): Check | undefined {
  const theirs = Date.parse(String(response?.headers.date));
  if (Number.isNaN(theirs)) return undefined;
  const apart = at - took / 2 - theirs;
  const ok = Math.abs(apart) < furthestApart;
  const way = apart > 0 ? "ahead of" : "behind";
  const found = ok ? "as the service's" : `${Math.round(Math.abs(apart) / 1000)} s ${way} the service's`;
  return check("clock", ok, found, "set the clock of this machine, by NTP for example");
}

/** Few remaining requests mean that other programs use the account, too. */
function requestsLeft({ rest: { response } }: Probe): Check | undefined {
  const windows = windowsOf(response?.headers ?? {});
  if (windows.length === 0) return undefined;
  const found = windows
    .map(({ name, remaining, quota }) => `${remaining} of ${quota} in this ${name}`)
    .join(", ");
  const used = windows.filter(({ remaining, quota }) => remaining < quota / 10);
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

/** (API: Account limits) */
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
