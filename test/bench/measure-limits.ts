import { openAccount } from "./account";
import type { Call } from "./calls";
import { Bench } from "./life";
import { mixed, pods } from "./program";
import type { Quota, Waiting } from "./results";

/** Milliseconds that the pods take to start. */
const starting = 5_000;

/** Creates many pods at the same time and waits for all of them. */
export async function measureWaiting(count: number): Promise<Waiting> {
  const { calls } = await upOnce({ timings: { starting } }, pods(count), "--parallel", String(count));
  const first = calls.findIndex(({ role }) => role === "change");
  const looks = calls.slice(first).filter(({ role }) => role === "list" || role === "read");
  const of = (role: Call["role"]) => looks.filter((call) => call.role === role).length;
  const seconds = ((looks.at(-1)?.at ?? 0) - (calls[first]?.at ?? 0)) / 1000;
  return { pods: count, seconds, lists: of("list"), reads: of("read") };
}

/** Creates a stack under an enforced quota: `quota` requests per `window` seconds, instead of per minute. */
export async function measureQuota(size: number, quota = 60, window = 12): Promise<Quota> {
  const rateLimit = { minute: quota, minuteSeconds: window, enforce: true };
  const { calls, seconds: command } = await upOnce({ rateLimit }, mixed(size));
  const limited = calls.filter((call) => call.limited);
  const began = limited[0]?.at ?? 0;
  const after = ({ at }: Pick<Call, "at">) => (at - began) / 1000;
  const done = limited.filter(({ role, status }) => role === "change" && status < 300).length;
  const lists = new Set(limited.filter(({ role }) => role === "list").map(({ name }) => name)).size;
  const needed = done + lists;
  const firstWindow = window - ((began / 1000) % window);
  const windows = Math.ceil(needed / quota);
  return {
    size,
    quota,
    window,
    calls: limited.map((call) => ({ at: after(call), status: call.status, role: call.role })),
    firstWindow,
    needed,
    seconds: after(limited.at(-1) ?? { at: began }),
    // The last request can come at the start of the last window.
    least: windows === 1 ? 0 : firstWindow + (windows - 2) * window,
    command,
  };
}

/** Runs one up in a new account, and removes the account afterwards. */
async function upOnce(options: Parameters<typeof openAccount>[0], program: string, ...flags: string[]) {
  const account = await openAccount(options);
  const bench = await Bench.create(account, "podlumi", program);
  try {
    return await bench.phase("up", ...flags);
  } finally {
    bench.remove();
    account.close();
  }
}
