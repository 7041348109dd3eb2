/** Program: the benchmark. `npm run bench -- --help` lists its options. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { useEngine } from "../engine";
import { faces } from "./life";
import { measureKinds } from "./measure-kinds";
import { measureQuotas, measureWaiting, simulateQuotas } from "./measure-limits";
import { measureLives } from "./measure-lives";
import { measurePeer, peerOf } from "./measure-peer";
import { measureImports, measureTypeCheck } from "./measure-program";
import { profile } from "./profile";
import { aligned, peerRows, report, writeTables } from "./report";
import type { Machine, Results } from "./results";

const HELP = `Measures podlumi's dynamic provider and its plugin against a provider that does nothing, on the real engine and
the emulator. With --runs 1 and --peer it takes about 12 minutes on two cores.

  --sizes <list>      resources, default 6,100,300; stacks from 300 are slow and get a third of the runs
  --latencies <list>  of the service's answers, in milliseconds, default 100
  --runs <n>          of each, default 3
  --quick             the same as --sizes 6,100 --runs 1
  --out <file>        writes all figures there, as JSON, and not the tables of docs/performance.md
  --peer <path>       also compares another provider: an executable pulumi-resource-<name> (test/bench/peers.ts); takes
                      some minutes more
  --peer-only         only that, and only prints it
  --profile           instead, tells where the time goes at the largest of the sizes
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      help: { type: "boolean", short: "h" },
      sizes: { type: "string" },
      latencies: { type: "string", default: "100" },
      runs: { type: "string" },
      quick: { type: "boolean" },
      out: { type: "string" },
      peer: { type: "string" },
      "peer-only": { type: "boolean" },
      profile: { type: "boolean" },
    },
  });
  if (values.help) return console.log(HELP);
  const usual = values.quick ? { sizes: "6,100", runs: "1" } : { sizes: "6,100,300", runs: "3" };
  const sizes = numbers("sizes", values.sizes ?? usual.sizes, 1);
  const latencies = numbers("latencies", values.latencies, 0);
  const [runs = 1] = numbers("runs", values.runs ?? usual.runs, 1);
  const largest = Math.max(...sizes);
  const { peer } = values;
  if (peer !== undefined) peerOf(peer);
  else if (values["peer-only"]) throw new Error("--peer-only wants --peer");
  await useEngine();
  // What it names is this machine's own: Node.js 20 decodes it at each start, in 40 ms for 140 certificates.
  delete process.env.NODE_EXTRA_CA_CERTS;
  if (values.profile) return profile(largest);
  const besides = {
    faces,
    sizes: values.quick ? [1, 30] : [1, 30, 100],
    latency: Math.max(...latencies),
    runs,
  };
  const compare = (path: string) => measurePeer(path, besides, tell);
  if (values["peer-only"] && peer !== undefined) return console.log(aligned(peerRows(await compare(peer))));

  const machine = describe();
  const results: Results = {
    machine,
    imports: step("import", () => measureImports(5 * runs)),
    typeCheck: step("type-check", () => measureTypeCheck(5 * runs)),
    lives: await measureLives({ sizes, runs, latencies }, tell),
    waiting: await step("pods that boot at once", () => measureWaiting(50)),
    kinds: {
      podlumi: await step("one resource of each kind, podlumi", () => measureKinds("podlumi")),
      plugin: await step("one resource of each kind, plugin", () => measureKinds("plugin")),
    },
    quotas: await step("stacks under a quota", () => measureQuotas(300)),
    simulated: await step("simulated quotas", () => simulateQuotas(300)),
    peer: peer === undefined ? undefined : await compare(peer),
  };
  if (values.out === undefined) writeTables(results, "docs/performance.md");
  else writeFileSync(values.out, `${JSON.stringify(results, undefined, 1)}\n`);
  console.log(report(results));
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
    // Without the folders of this machine.
    command: ["npm run bench --", ...process.argv.slice(2).map((word) => basename(word))].join(" "),
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
