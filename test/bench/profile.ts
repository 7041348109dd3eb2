import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import type { Profiler } from "node:inspector";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openAccount } from "./account";
import { Bench, phases } from "./life";
import { mixed } from "./program";
import { aligned } from "./report";

/** Prints the CPU profile of the program's and of the provider's process, for each phase. */
export async function profile(size: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "podlumi-profiles-"));
  const account = await openAccount();
  const bench = await Bench.create(account, "podlumi", mixed(size), {
    NODE_OPTIONS: `--require ${join(__dirname, "profiler.cjs")}`,
    PODLUMI_BENCH_PROFILES: folder,
  });
  try {
    for (const phase of phases) {
      const { seconds } = await bench.phase(phase);
      for (const file of readdirSync(folder)) {
        const [role] = file.split(".");
        const seen = JSON.parse(readFileSync(join(folder, file), "utf8")) as Profiler.Profile;
        console.log(`\n${phase} of ${size} resources, ${seconds.toFixed(1)} s: the ${role}'s process`);
        console.log(summary(seen));
        rmSync(join(folder, file));
      }
    }
  } finally {
    bench.remove();
    account.close();
    rmSync(folder, { recursive: true });
  }
}

/** Self time by package, and by function. */
function summary({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): string {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const packages = new Map<string, number>();
  const functions = new Map<string, number>();
  const add = (to: Map<string, number>, key: string, time: number) => to.set(key, (to.get(key) ?? 0) + time);
  for (const [index, id] of samples.entries()) {
    const frame = frames.get(id);
    if (frame === undefined) continue;
    const place = placeOf(frame);
    const time = (timeDeltas[index] ?? 0) / 1_000_000;
    add(packages, place, time);
    const line = frame.url === "" ? "" : ` ${frame.url.split("/").at(-1)}:${frame.lineNumber + 1}`;
    add(functions, `${frame.functionName || "(anonymous)"}${line}, ${place}`, time);
  }
  return aligned([["Seconds", "Package"], ...top(packages), ["Seconds", "Function"], ...top(functions)]);
}

function top(times: Map<string, number>): [string, string][] {
  const sorted = [...times].filter(([key]) => !key.startsWith("(idle)")).sort(([, a], [, b]) => b - a);
  return sorted.slice(0, 12).map(([key, time]) => [time.toFixed(2), key]);
}

/** The package of a function. For podlumi's own functions, the file. */
function placeOf({ url, functionName, lineNumber }: Profiler.Profile["nodes"][number]["callFrame"]): string {
  if (url === "") return functionName.startsWith("(") ? functionName : "V8";
  if (url.startsWith("node:")) return "Node.js";
  const file = url.endsWith("/dist/provider/bundle.js") ? bundled(lineNumber) : url;
  const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file) ?? [];
  if (name !== undefined) return name;
  const [own] = /(dist\/sdk|provider)\/.*$/.exec(file) ?? [];
  return own === undefined ? "the program" : `podlumi ${own}`;
}

let lines: string[] | undefined;

/** The source file of a line of the provider's bundle. Comments in the bundle name it. */
function bundled(line: number): string {
  lines ??= readFileSync("dist/provider/bundle.js", "utf8").split("\n");
  const comment = lines.slice(0, line + 1).findLast((text) => /^\/\/ \S+\.[cm]?[jt]s$/.test(text));
  return comment?.slice(3) ?? "provider/bundle";
}
