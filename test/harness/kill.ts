import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

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

/**
 * Kills the processes of a `PULUMI_HOME`, an engine not while it writes a state into a folder: that leaves the file of its attributes empty,
 * and Pulumi then reads no such state any more ("failed to load checkpoint: EOF").
 */
export function killProcesses(home: string, which: "provider" | "engine" | "everything"): void {
  const engines = which === "provider" ? [] : processesOf(home, "engine");
  for (let look = 0; look < mostLooks; look++) {
    send("SIGSTOP", engines);
    pause();
    if (!engines.some(writesState)) break;
    send("SIGCONT", engines);
    pause();
  }
  send("SIGKILL", processesOf(home, which));
}

/** A second or two. A state that nobody goes on to write is left of an engine that was killed in another way. */
const mostLooks = 500;
const folderOf = "PULUMI_BACKEND_URL=file://";

function writesState(engine: number): boolean {
  try {
    const environment = readFileSync(`/proc/${engine}/environ`, "utf8").split("\0");
    const folder = environment.find((one) => one.startsWith(folderOf))?.slice(folderOf.length);
    if (folder === undefined) return false;
    const files = readdirSync(join(folder, ".pulumi/stacks"), { recursive: true, encoding: "utf8" });
    return files.some((file) => file.endsWith(".tmp"));
  } catch {
    return false; // It has ended, or has no states yet.
  }
}

/** A millisecond, in which nothing else of this process runs. */
function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
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
