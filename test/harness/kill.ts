import { readdirSync, readFileSync } from "node:fs";

/** The ids of the processes of a `PULUMI_HOME`: only providers, or the engine too. Linux only. */
export function processesOf(home: string, which: "provider" | "engine" | "everything"): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
        const ours = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(`PULUMI_HOME=${home}`);
        return ours && matches[which].test(command);
      } catch {
        return false; // It has ended, or belongs to another user.
      }
    })
    .map(Number);
}

const matches = {
  // The host of dynamic providers or a plugin, without the script `pulumi-resource-pulumi-nodejs` that starts the host.
  provider: /dynamic-provider|pulumi-resource-(?!pulumi-nodejs)/,
  engine: /^(?:[^\0]*\/)?pulumi\0/,
  everything: /^/,
};

/** Interrupts the engine of a `PULUMI_HOME`, as Ctrl-C does. */
export function interruptEngine(home: string): void {
  send("SIGINT", processesOf(home, "engine"));
}

/** Kills the processes of a `PULUMI_HOME`. */
export function killProcesses(home: string, which: "provider" | "engine" | "everything"): void {
  send("SIGKILL", processesOf(home, which));
}

function send(signal: NodeJS.Signals, processes: number[]): void {
  for (const pid of processes) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended meanwhile.
    }
  }
}
