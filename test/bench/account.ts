import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { EmulatorOptions } from "../../sdk/emulator/service";
import type { Call } from "./calls";

/** An emulated account in a process of its own, so that it does not slow down the measuring process. */
export interface Account {
  /** The environment variables with which a client finds the account. */
  env: Record<string, string>;
  /** The requests since the last call of this function, oldest first. */
  calls(): Promise<Call[]>;
  close(): void;
}

/** Starts an account in which nothing takes time unless `timings` says so, and whose quotas are never reached. */
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
