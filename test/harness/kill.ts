import { readdirSync, readFileSync } from "node:fs";

/** The ids of the processes of a `PULUMI_HOME`: only providers, or the engine too. Linux only. */
export function processesOf(home: string, which: "provider" | "everything"): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
        const ours = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(`PULUMI_HOME=${home}`);
        return ours && (which === "everything" || command.includes("dynamic-provider"));
      } catch {
        return false; // It has ended, or belongs to another user.
      }
    })
    .map(Number);
}

/** Kills the processes of a `PULUMI_HOME`. */
export function killProcesses(home: string, which: "provider" | "everything"): void {
  for (const pid of processesOf(home, which)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended meanwhile.
    }
  }
}
