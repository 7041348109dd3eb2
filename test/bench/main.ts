/** Program: the benchmark. `npm run bench -- --help` lists its options. */
import { execFileSync } from "node:child_process";
import { cpus, loadavg, totalmem } from "node:os";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { useEngine } from "../engine";
import { measureQuota, measureWaiting } from "./measure-limits";
import { measureLives } from "./measure-lives";
import { measureImports, measureTypeCheck } from "./measure-program";
import { profile } from "./profile";
import { aligned, machineOf, requestRows, targetRows, timeRows, writeReport } from "./report";
import type { Machine, Results } from "./results";

const HELP = `Measures podlumi against a dynamic provider that does nothing, on the real engine and the emulator.

  --sizes <list>      resources, default 1,100,1000
  --latencies <list>  of the service's answers, in milliseconds, default 0,50
  --runs <n>          of each, default 3; stacks of 1000 are slow and get a third of them
  --quick             the same as --sizes 1,100 --latencies 0 --runs 1
  --out <folder>      for results.json, the plots and index.html, default bench
  --profile           instead, tells where the time goes at the largest of the sizes
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      help: { type: "boolean", short: "h" },
      sizes: { type: "string" },
      latencies: { type: "string" },
      runs: { type: "string" },
      quick: { type: "boolean" },
      out: { type: "string", default: "bench" },
      profile: { type: "boolean" },
    },
  });
  if (values.help) return console.log(HELP);
  const usual = values.quick
    ? { sizes: "1,100", latencies: "0", runs: "1" }
    : { sizes: "1,100,1000", latencies: "0,50", runs: "3" };
  const sizes = numbers("sizes", values.sizes ?? usual.sizes, 1);
  const latencies = numbers("latencies", values.latencies ?? usual.latencies, 0);
  const [runs = 1] = numbers("runs", values.runs ?? usual.runs, 1);
  const largest = Math.max(...sizes);
  await useEngine();
  if (values.profile) return profile(largest);

  const machine = describe();
  const results: Results = {
    machine,
    imports: step("import", () => measureImports(5 * runs)),
    typeCheck: step("type-check", () => measureTypeCheck(runs)),
    lives: await measureLives({ sizes, runs, latencies }, tell),
    waiting: await step("pods that boot at once", () => measureWaiting(50)),
    quota: await step("a stack under a quota", () => measureQuota(300)),
  };
  writeReport(results, resolve(values.out));
  const tables = [timeRows(results), requestRows(results), targetRows(results)].map(aligned);
  console.log(["", machineOf(results), ...tables].join("\n\n"));
  console.log(`\nThe report: ${resolve(values.out, "index.html")}`);
}

function step<T>(what: string, measure: () => T): T {
  tell(what);
  return measure();
}

/** Prints progress to standard error, because standard output is for results. */
function tell(text: string): void {
  process.stderr.write(`bench: ${text}\n`);
}

function numbers(option: string, text: string, least: number): number[] {
  const found = text.split(",").map(Number);
  if (found.some((number) => !Number.isInteger(number) || number < least))
    throw new Error(`--${option} takes whole numbers from ${least}, with commas between, not "${text}"`);
  return found;
}

function describe(): Machine {
  return {
    date: new Date().toISOString().slice(0, 10),
    cpu: cpus()[0]?.model.trim() ?? "unknown processor",
    cores: cpus().length,
    memory: Math.round(totalmem() / 2 ** 30),
    load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
    node: process.versions.node,
    engine: execFileSync("pulumi", ["version"], { encoding: "utf8" }).trim(),
  };
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
