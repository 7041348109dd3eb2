import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { phases } from "./life";
import { plots, titles } from "./plots";
import { type Life, lifeOf, median, type Results } from "./results";
import { type Target, targetsOf } from "./targets";

/** Writes results.json, the plots and a page that shows them. */
export function writeReport(results: Results, folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "results.json"), `${JSON.stringify(results, undefined, 1)}\n`);
  for (const [name, drawing] of Object.entries(plots(results))) writeFileSync(join(folder, name), drawing);
  writeFileSync(join(folder, "index.html"), page(results));
}

type Row = readonly string[];

export const targetRows = (results: Results): Row[] => [
  ["", "Matter", "Target", "Measured"],
  ...targetsOf(results).map(({ matter, target, measured, met }: Target) => [
    met ? "met" : "MISSED",
    matter,
    target,
    measured,
  ]),
];

/** Median times with their minimum and maximum, and their ratio to the idle provider's. */
export const timeRows = (results: Results): Row[] => [
  ["Resources", "Provider", "Latency", ...phases.map((phase) => titles[phase]), "State", "Memory"],
  ...results.lives.map((life) => [
    String(life.size),
    life.provider === "idle" ? "does nothing" : "podlumi",
    life.provider === "idle" ? "" : `${life.latency} ms`,
    ...phases.map((phase) => timeOf(life, phase, results)),
    `${(life.stateBytes / 1000).toFixed(0)} KB`,
    `${(Math.max(...life.memory) / 1_000_000).toFixed(0)} MB`,
  ]),
];

function timeOf(life: Life, phase: (typeof phases)[number], results: Results): string {
  const runs = life.seconds[phase];
  const idle = median(lifeOf(results, "idle", life.size, 0).seconds[phase]);
  const spread = `${median(runs).toFixed(1)} s (${Math.min(...runs).toFixed(1)}–${Math.max(...runs).toFixed(1)})`;
  return life.provider === "idle" ? spread : `${spread} × ${(median(runs) / idle).toFixed(2)}`;
}

/** podlumi's requests, by purpose. */
export const requestRows = (results: Results): Row[] => [
  ["Resources", "Latency", "Phase", "Requests"],
  ...results.lives
    .filter(({ provider }) => provider === "podlumi")
    .flatMap((life) =>
      phases.map((phase) => {
        const counts = Object.values(life.calls[phase]).flatMap((byName) => Object.entries(byName));
        const told = counts.map(([name, count]) => `${count} × ${name}`).join(", ");
        return [String(life.size), `${life.latency} ms`, titles[phase], told || "none"];
      }),
    ),
];

/** Pads the cells of each column to the same width. */
export function aligned(rows: readonly Row[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: Row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
  return rows.map((row) => line(row).trimEnd()).join("\n");
}

export function machineOf({ machine }: Results): string {
  const { date, cpu, cores, memory, load, node, engine } = machine;
  return `${date}: ${cores} × ${cpu}, ${memory} GB, load ${load} before; Node.js ${node}, Pulumi ${engine}`;
}

function page(results: Results): string {
  const runs = results.lives.map(({ seconds }) => seconds.up.length);
  const least = Math.min(...runs);
  const each = least === Math.max(...runs) ? `${least}` : `${least} to ${Math.max(...runs)}`;
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
<p>A stack of the six kinds in turn, driven by the command line of the real engine, against an emulator in a process of
its own, and the same stack with a dynamic provider that does nothing but keep the same inputs and outputs. Both take
turns, ${each} runs each; figures are medians, with the whole spread in brackets. Emulator,
engine, program and provider share the cores. <code>npm run bench</code> measures all of it again.</p>
<h2>Targets</h2>${table(targetRows(results))}
<h2>Time</h2><img src="time.svg" alt="Time against size">${table(timeRows(results))}
<h2>Requests</h2><img src="requests.svg" alt="Requests against size">${table(requestRows(results))}
<h2>Under a quota</h2>
<p>A minute of the quota lasts ${results.quota.window} s here, to save time. Requests of GraphQL (secrets) do not count.
Time is from the first request to the last; the least of it is when the window begins in which the last request may come.
The whole command took ${results.quota.command.toFixed(1)} s.</p>
<img src="quota.svg" alt="Time line of requests against the quota">
</html>
`;
}

function table([head = [], ...rows]: readonly Row[]): string {
  const cells = (row: Row, tag: string) =>
    `<tr>${row.map((cell) => `<${tag}>${html(cell)}</${tag}>`).join("")}</tr>`;
  return `<div class="wide"><table>\n${[cells(head, "th"), ...rows.map((row) => cells(row, "td"))].join("\n")}\n</table></div>`;
}

const html = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
