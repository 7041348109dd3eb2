import { readdirSync, readFileSync } from "node:fs";

/** Ends the processes of a `PULUMI_HOME` at once: the provider's, or the engine's as well. Linux only. */
export function killProcesses(home: string, which: "provider" | "everything"): void {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
      const ours = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(`PULUMI_HOME=${home}`);
      if (ours && (which === "everything" || command.includes("dynamic-provider")))
        process.kill(Number(pid), "SIGKILL");
    } catch {
      // It ended by itself, or is somebody else's.
    }
  }
}
