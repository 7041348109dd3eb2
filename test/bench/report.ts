import { readFileSync, writeFileSync } from "node:fs";
import { kindNames, type Step, steps } from "../kinds";
import { expectedTrips } from "./expected";
import { faces, type Phase, type Provider, phases } from "./life";
import { names, titles } from "./names";
import { type Life, latenciesOf, lifeOf, median, type Results, sizesOf, sum } from "./results";
import { type Target, targetsOf } from "./targets";

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

/** All tables, as text. */
export function report(results: Results): string {
  const tables = {
    Targets: targetRows(results),
    Time: timeRows(results),
    "Processor time of engine, program and provider, for each resource more": processorRows(results),
    "Requests that followed one another, at most": tripRows(results),
    Requests: requestRows(results),
    "Requests for one resource of each kind": kindRows(results),
    "Under a quota": quotaRows(results),
    "Peak memory of the provider": memoryRows(results),
    ...(results.peer && { "Beside another provider": peerRows(results.peer) }),
  };
  const sections = Object.entries(tables).map(([title, rows]) => `${title}\n\n${aligned(rows)}`);
  return [`${machineOf(results)}. ${runsOf(results)}`, ...sections].join("\n\n\n");
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

const targetRows = (results: Results): Row[] => [
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
const timeRows = (results: Results): Row[] => [
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
const requestRows = (results: Results): Row[] => [
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
const kindRows = ({ kinds }: Results): Row[] => [
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

function machineOf({ machine }: Results): string {
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
