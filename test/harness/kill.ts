import { readdirSync, readFileSync } from "node:fs";

/** What runs in a `PULUMI_HOME`: its providers, or the engine as well. Linux only. */
export function processesOf(home: string, which: "provider" | "everything"): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
        const ours = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(`PULUMI_HOME=${home}`);
        return ours && (which === "everything" || command.includes("dynamic-provider"));
      } catch {
        return false; // It ended by itself, or is somebody else's.
      }
    })
    .map(Number);
}

/** Ends the processes of a `PULUMI_HOME` at once. */
export function killProcesses(home: string, which: "provider" | "everything"): void {
  for (const pid of processesOf(home, which)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended meanwhile.
    }
  }
}
