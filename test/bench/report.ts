import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { kindNames, type Step, steps } from "../kinds";
import { expectedTrips, lanes } from "./expected";
import { faces, type Phase, type Provider, phases } from "./life";
import { names, plots, titles } from "./plots";
import { type Life, latenciesOf, lifeOf, median, type Results, sizesOf, sum } from "./results";
import { type Target, targetsOf } from "./targets";

/** Writes results.json, the plots and a page that shows them. */
export function writeReport(results: Results, folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "results.json"), `${JSON.stringify(results, undefined, 1)}\n`);
  for (const [name, drawing] of Object.entries(plots(results))) writeFileSync(join(folder, name), drawing);
  writeFileSync(join(folder, "index.html"), page(results));
}

/** Puts the tables into a page of the documentation, between comments such as `<!-- bench: time -->` and `<!-- end -->`. */
export function writeTables(results: Results, file: string): void {
  const tables = documented(results);
  const text = readFileSync(file, "utf8").replace(
    /(<!-- bench: (\w+) -->\n)[\s\S]*?(\n<!-- end -->)/g,
    (_all, begin: string, name: string, end: string) => {
      const rows = tables[name];
      if (rows === undefined)
        throw new Error(`${file} wants the table "${name}", which the benchmark does not have`);
      return `${begin}${typeof rows === "string" ? rows : markdown(rows)}${end}`;
    },
  );
  writeFileSync(file, text);
}

type Row = readonly string[];

/** What docs/performance.md shows, by name. */
function documented(results: Results): Record<string, string | readonly Row[]> {
  return {
    machine: `${machineOf(results)}. ${runsOf(results)}`,
    time: ratioRows(results),
    missed: missed(results),
    peer: results.peer === undefined ? "Not measured." : peerRows(results.peer),
  };
}

export const targetRows = (results: Results): Row[] => [
  ["", "Matter", "Target", "Measured"],
  ...targetsOf(results).map(({ matter, target, measured, met }: Target) => [
    met ? "met" : "MISSED",
    matter,
    target,
    measured,
  ]),
];

function missed(results: Results): string {
  const all = targetsOf(results);
  const open = all.filter(({ met }) => !met);
  const told = open.map(({ matter, target, measured }) => `- ${matter}: ${measured}, target ${target}`);
  return [`${all.length - open.length} of ${all.length} targets are met.`, ...told].join("\n");
}

const measured = ({ lives }: Results) => lives.filter(({ provider }) => provider !== "idle");

/** Median times, of several runs with their minimum and maximum. */
export const timeRows = (results: Results): Row[] => [
  ["Resources", "Provider", "Latency", ...phases.map((phase) => titles[phase]), "State"],
  ...results.lives.map((life) => [
    String(life.size),
    names[life.provider],
    life.provider === "idle" ? "" : `${life.latency} ms`,
    ...phases.map((phase) => timeOf(life.seconds[phase])),
    `${(life.stateBytes / 1000).toFixed(0)} KB`,
  ]),
];

function timeOf(runs: readonly number[]): string {
  if (runs.length === 1) return `${median(runs).toFixed(1)} s`;
  return `${median(runs).toFixed(1)} s (${Math.min(...runs).toFixed(1)}–${Math.max(...runs).toFixed(1)})`;
}

/** The time of each phase, and what it may be at most: 1.1 × (does nothing + expected round trips). */
const ratioRows = (results: Results): Row[] => [
  ["Resources", "Provider", ...phases.map((phase) => titles[phase])],
  ...results.lives.map((life) => [
    String(life.size),
    names[life.provider],
    ...phases.map((phase) => {
      const own = `${median(life.seconds[phase]).toFixed(1)} s`;
      return life.provider === "idle" ? own : `${own} (≤ ${limitOf(life, phase, results).toFixed(1)})`;
    }),
  ]),
];

function limitOf({ size, latency }: Life, phase: Phase, results: Results): number {
  const idle = median(lifeOf(results, "idle", size, 0).seconds[phase]);
  return 1.1 * (idle + (expectedTrips(phase, size) * latency) / 1000);
}

/** Milliseconds of processor time for each resource more, from the smallest stack to the largest. */
const processorRows = (results: Results): Row[] => {
  const [small, large] = [Math.min(...sizesOf(results)), Math.max(...sizesOf(results))];
  const [latency = 0] = latenciesOf(results);
  const of = (provider: Provider, size: number, phase: Phase) =>
    median(lifeOf(results, provider, size, provider === "idle" ? 0 : latency).processor[phase]);
  const each = (provider: Provider, phase: Phase) =>
    (1000 * (of(provider, large, phase) - of(provider, small, phase))) / (large - small);
  return [
    ["Provider", ...phases.map((phase) => titles[phase])],
    ...(["idle", ...faces] as const).map((provider) => [
      names[provider],
      ...phases.map((phase) => (large === small ? "" : `${each(provider, phase).toFixed(0)} ms`)),
    ]),
  ];
};

/** The most requests of each phase that followed one another, and how many are expected. */
const tripRows = (results: Results): Row[] => [
  ["Resources", "Latency", "Provider", ...phases.map((phase) => titles[phase])],
  ...measured(results)
    .filter(({ latency }) => latency > 0)
    .map((life) => [
      String(life.size),
      `${life.latency} ms`,
      names[life.provider],
      ...phases.map((phase) => `${life.trips[phase]} (expected: ${expectedTrips(phase, life.size)})`),
    ]),
];

/** The requests of both faces, by purpose. */
export const requestRows = (results: Results): Row[] => [
  ["Resources", "Provider", "Latency", "Phase", "Requests"],
  ...measured(results).flatMap((life) =>
    phases.map((phase) => {
      const counts = Object.values(life.calls[phase]).flatMap((byName) => Object.entries(byName));
      const told = counts.map(([name, count]) => `${count} × ${name}`).join(", ");
      return [String(life.size), names[life.provider], `${life.latency} ms`, titles[phase], told || "none"];
    }),
  ),
];

const stepTitles: Record<Step, string> = {
  preview: "preview",
  up: "up",
  again: "up again, no change",
  update: "up with a change",
  refresh: "refresh",
  destroy: "destroy",
};

/** The number of requests for one resource of each kind. Two numbers where the faces differ. */
export const kindRows = ({ kinds }: Results): Row[] => [
  ["Kind", ...steps.map((step) => stepTitles[step])],
  ...kindNames.map((kind) => [
    kind,
    ...steps.map((step) => [...new Set(faces.map((face) => kinds[face][kind][step].length))].join(", ")),
  ]),
];

const quotaRows = ({ quotas, simulated }: Results): Row[] => [
  ["Rate limit", "Measured", "Least time", "Time", "Time by the least", "Refused"],
  ...quotas.map(({ face, of, quota, window, least, seconds, calls }) => [
    `${of === "rest" ? "REST" : "GraphQL"}, ${quota} each ${window} s`,
    `in real time, ${names[face]}`,
    `${least.toFixed(1)} s`,
    `${seconds.toFixed(1)} s`,
    (seconds / least).toFixed(2),
    String(calls.filter(({ status }) => status === 429).length),
  ]),
  ...simulated.map(({ window, phases, ratio, refused }) => [
    `60 each ${window} s`,
    `simulated, the worst of ${phases} beginnings`,
    "",
    "",
    ratio.toFixed(2),
    String(refused),
  ]),
];

/** The peak memory of the provider's process in the whole life of a stack. */
const memoryRows = (results: Results): Row[] => [
  ["Resources", names.idle, ...faces.map((face) => names[face])],
  ...sizesOf(results).map((size) => [
    String(size),
    ...(["idle", ...faces] as const).map((provider) => {
      const lives = results.lives.filter((life) => life.size === size && life.provider === provider);
      return megabytes(Math.max(...lives.flatMap(({ memory }) => memory)));
    }),
  ]),
];

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(0)} MB`;

/** Another provider beside both faces. */
export const peerRows = (lives: readonly Life<string>[]): Row[] => [
  ["Resources", "Provider", ...phases.map((phase) => `${titles[phase]}: time, requests`), "Memory"],
  ...lives.map(({ provider, size, seconds, calls, memory }) => {
    const requests = (phase: Phase) =>
      Object.values(calls[phase]).reduce((all, byName) => all + sum(byName), 0);
    return [
      String(size),
      names[provider as keyof typeof names] ?? provider,
      ...phases.map((phase) => `${timeOf(seconds[phase])}, ${requests(phase)}`),
      megabytes(Math.max(...memory)),
    ];
  }),
];

/** Pads the cells of each column to the same width. */
export function aligned(rows: readonly Row[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: Row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
  return rows.map((row) => line(row).trimEnd()).join("\n");
}

function markdown([head = [], ...rows]: readonly Row[]): string {
  const line = (row: Row) => `| ${row.join(" | ")} |`;
  return [line(head), `|${head.map(() => "---|").join("")}`, ...rows.map(line)].join("\n");
}

export function machineOf({ machine }: Results): string {
  const { date, command, cpu, cores, memory, load, node, engine } = machine;
  const before = `${cores} × ${cpu}, ${memory} GB, load ${load} before`;
  return `${date}, \`${command}\`: ${before}; Node.js ${node}, Pulumi ${engine}`;
}

/** How many runs the figures of each size are of. */
function runsOf(results: Results): string {
  const runs = (size: number) => lifeOf(results, "idle", size, 0).seconds.up.length;
  const sizes = sizesOf(results);
  if (sizes.every((size) => runs(size) === 1)) return "Each figure is of a single run.";
  const each = sizes.map((size) => `${runs(size)} with ${size}`);
  return `Figures are medians of the runs: ${each.join(", ")} resources. Brackets behind a time have the whole spread.`;
}

function page(results: Results): string {
  const latencies = latenciesOf(results).join(" and ");
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>podlumi: benchmark</title>
<style>
  :root { color-scheme: light dark; }
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
  .wide { overflow-x: auto; }
  table { border-collapse: collapse; font-size: 13px; }
  th, td { text-align: left; padding: 0.25rem 0.8rem 0.25rem 0; border-bottom: 1px solid #8884; vertical-align: top; }
  img { display: block; max-width: 100%; margin: 1rem 0; }
</style>
<h1>podlumi: benchmark</h1>
<p>${html(machineOf(results))}.</p>
<p>A stack of six kinds in turn, driven by the command line of the real engine, against an emulator in a process of its
own: with the dynamic provider (podlumi), with the plugin (podlumi/plugin), and with a dynamic provider that does nothing
but keep the same inputs and outputs. They take turns. ${runsOf(results)} The service takes ${latencies} ms for each answer. Emulator, engine, program and provider share the cores.
<code>npm run bench</code> measures all of it again.</p>
<h2>Targets</h2>${table(targetRows(results))}
<h2>Time</h2><img src="time.svg" alt="Time against size">${table(timeRows(results))}
<h2>Processor time</h2>
<p>Of the engine, the program and the provider together, for each resource more, from the smallest stack to the largest.</p>
${table(processorRows(results))}
<h2>Round trips</h2>
<p>The most requests of a command that followed one another: none of them began before the one before it was answered. The
engine changes ${lanes} resources at a time here. In a stack of more, requests also follow one another because of the
engine's own pace, which no latency makes longer.</p>
${table(tripRows(results))}
<h2>Requests</h2><img src="requests.svg" alt="Requests against size">${table(requestRows(results))}
<h2>Requests for one resource of each kind</h2>
<p>Each kind alone in an account, with a provider of its own. A change replaces the delegation.</p>
${table(kindRows(results))}
<h2>Under a quota</h2>
<p>A minute of the quota is shorter in real time here. Time is from the first request to the last; the least of it is when
the window begins in which the last request may come. In a simulation, service and clock are simulated, and the least time
is that of a client that knows all windows.</p>
<img src="quota.svg" alt="Time line of requests against the quotas">${table(quotaRows(results))}
<h2>Memory</h2>
<p>The peak of the provider's process.</p>
${table(memoryRows(results))}
${results.peer === undefined ? "" : comparison(results.peer)}</html>
`;
}

function comparison(lives: readonly Life<string>[]): string {
  return `<h2>Beside another provider</h2>
<p>The same six kinds in turn, in the words of each.</p>
${table(peerRows(lives))}
`;
}

function table([head = [], ...rows]: readonly Row[]): string {
  const cells = (row: Row, tag: string) =>
    `<tr>${row.map((cell) => `<${tag}>${html(cell)}</${tag}>`).join("")}</tr>`;
  return `<div class="wide"><table>\n${[cells(head, "th"), ...rows.map((row) => cells(row, "td"))].join("\n")}\n</table></div>`;
}

const html = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
