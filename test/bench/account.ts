import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { EmulatorOptions } from "../emulator";
import type { Call } from "./calls";

/** An emulated account that does not share the processor time and the event loop of who measures. */
export interface Account {
  /** What a client needs to find it. */
  env: Record<string, string>;
  /** The requests since the last time that this was asked, oldest first. */
  calls(): Promise<Call[]>;
  close(): void;
}

/** Nothing takes time but what is asked for, and there is room for everything. */
export async function openAccount({ timings, ...options }: EmulatorOptions = {}): Promise<Account> {
  const settings: EmulatorOptions = {
    apiKey: "bench-key",
    workersQuota: 1_000_000,
    balance: 1_000_000,
    timings: { provisioning: 0, starting: 0, stopping: 0, templateRelease: 0, queueReady: 0, ...timings },
    ...options,
  };
  const child = fork(join(__dirname, "account-process.ts"), [JSON.stringify(settings)], {
    execArgv: ["--import", "tsx"],
  });
  const ended = once(child, "exit").then(([code]) =>
    Promise.reject(new Error(`the emulator ended with ${code}`)),
  );
  ended.catch(() => undefined);
  const answer = async () => (await Promise.race([once(child, "message"), ended]))[0];
  const env = (await answer()) as Record<string, string>;
  return {
    env,
    async calls() {
      child.send("calls");
      return (await answer()) as Call[];
    },
    close: () => child.disconnect(),
  };
}
