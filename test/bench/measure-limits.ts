import type { EmulatorOptions } from "../../sdk/emulator/service";
import { againstTheBest, beginnings } from "../provider/simulation";
import { openAccount } from "./account";
import type { Call } from "./calls";
import { Bench, type Face, faces } from "./life";
import { mixed, pods } from "./program";
import type { Quota, SimulatedQuota, Waiting } from "./results";

/** Milliseconds that the pods take to start. */
const starting = 5_000;

/** Creates many pods at the same time and waits for all of them. */
export async function measureWaiting(count: number): Promise<Waiting> {
  const { calls } = await upOnce(
    { timings: { starting } },
    "podlumi",
    pods(count),
    "--parallel",
    String(count),
  );
  const first = calls.findIndex(({ role }) => role === "change");
  const looks = calls.slice(first).filter(({ role }) => role === "list" || role === "read");
  const of = (role: Call["role"]) => looks.filter((call) => call.role === role).length;
  const seconds = ((looks.at(-1)?.at ?? 0) - (calls[first]?.at ?? 0)) / 1000;
  return { pods: count, seconds, lists: of("list"), reads: of("read") };
}

/** A quota to measure: requests in a window of some seconds, instead of in a minute. */
interface Limit {
  of: "rest" | "graphql";
  quota: number;
  window: number;
}

/** The quotas that are measured in real time: those of both interfaces, with windows of two lengths. */
const limits: Record<Face, Limit[]> = {
  podlumi: [{ of: "rest", quota: 60, window: 12 }],
  plugin: [
    { of: "rest", quota: 60, window: 6 },
    { of: "graphql", quota: 15, window: 6 },
  ],
};

/** Creates stacks under enforced quotas, one after the other: with the shortest windows, an `up` works all the time. */
export async function measureQuotas(size: number): Promise<Quota[]> {
  const measured: Quota[] = [];
  for (const face of faces)
    for (const limit of limits[face]) measured.push(await measureQuota(size, face, limit));
  return measured;
}

async function measureQuota(size: number, face: Face, limit: Limit): Promise<Quota> {
  const enforced = { minute: limit.quota, minuteSeconds: limit.window, enforce: true };
  const options: EmulatorOptions =
    limit.of === "rest"
      ? { rateLimit: enforced }
      : // Without them in REST, secrets go through GraphQL.
        { graphqlRateLimit: enforced, features: { restSecrets: false } };
  const { calls } = await upOnce(options, face, mixed(size));
  return { size, face, ...limit, ...outcomeOf(limit, calls) };
}

function outcomeOf({ of, quota, window }: Limit, all: readonly Call[]) {
  const calls = all.filter((call) => call.interface === of);
  const began = calls[0]?.at ?? 0;
  const after = ({ at }: Pick<Call, "at">) => (at - began) / 1000;
  const done = calls.filter(({ role, status }) => role === "change" && status < 300).length;
  const looks = new Set(
    calls.filter(({ role }) => role === "list" || role === "probe").map(({ name }) => name),
  ).size;
  const needed = done + looks;
  const firstWindow = window - ((began / 1000) % window);
  const inFirst = calls.filter((call) => call.status < 300 && after(call) < firstWindow).length;
  const windows = Math.ceil((needed - inFirst) / quota);
  return {
    calls: calls.map((call) => ({ at: after(call), status: call.status, role: call.role })),
    firstWindow,
    needed,
    seconds: after(calls.at(-1) ?? { at: began }),
    // The last request can come at the start of the last window.
    least: windows <= 0 ? 0 : firstWindow + (windows - 1) * window,
  };
}

/** Windows as long as the service's own, and every beginning in them, with a simulated clock. */
export async function simulateQuotas(size: number): Promise<SimulatedQuota[]> {
  const windows = [6, 12, 30, 60];
  return Promise.all(
    windows.map(async (window) => {
      const cases = beginnings(window);
      const all = await Promise.all(
        cases.map((firstWindow) => againstTheBest({ quota: 60, window, firstWindow }, 1, size)),
      );
      const ratio = Math.max(...all.map((one) => one.ratio));
      return { window, phases: cases.length, ratio, refused: Math.max(...all.map((one) => one.refused)) };
    }),
  );
}

/** Runs one up in a new account, and removes the account afterwards. */
async function upOnce(options: EmulatorOptions, face: Face, program: string, ...flags: string[]) {
  const account = await openAccount(options);
  const bench = await Bench.create(account, face, program);
  try {
    return await bench.phase("up", ...flags);
  } finally {
    bench.remove();
    account.close();
  }
}
