import type { Scale } from "./scale";

export interface Point {
  x: number;
  y: number;
  /** Ends of the error bar. Absent: no error bar. */
  low?: number;
  high?: number;
}

export interface Line {
  name: string;
  /** A class of the style sheet below. */
  look: "idle" | "first" | "second" | "third" | "bound" | "bad";
  points: Point[];
  /** `marked`: a line with a dot at each point. `steps`: a staircase. `plain`: a line. `dots`: no line. */
  form: "marked" | "steps" | "plain" | "dots";
}

export interface Plot {
  title: string;
  x: Scale & { label: string };
  y: Scale & { label: string };
  lines: Line[];
}

const height = 250;
const area = { left: 56, right: 16, top: 30, bottom: 44 };

/** Several plots in columns, with one heading and one legend. The background follows the reader's colour scheme. */
export function drawing(heading: string, plots: Plot[], columns: number): string {
  const width = 760 / columns;
  const total = { width: columns * width + 20, height: Math.ceil(plots.length / columns) * height + 76 };
  const lines = plots.flatMap((plot) => plot.lines);
  const legend = lines.filter(({ name }, index) => lines.findIndex((line) => line.name === name) === index);
  const shift = (index: number) =>
    `translate(${10 + (index % columns) * width} ${70 + Math.floor(index / columns) * height})`;
  let x = 20;
  const entries = legend.map((line) => {
    const at = x;
    x += 46 + line.name.length * 6.7;
    return `<g transform="translate(${at} 50)">${key(line)}<text x="28" y="4">${escaped(line.name)}</text></g>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${total.width}" height="${total.height}" ` +
      `viewBox="0 0 ${total.width} ${total.height}" role="img" aria-label="${escaped(heading)}">`,
    `<style>${style}</style>`,
    `<rect class="ground" width="100%" height="100%" rx="6"/>`,
    `<text class="heading" x="20" y="28">${escaped(heading)}</text>`,
    ...entries,
    ...plots.map((plot, index) => `<g transform="${shift(index)}">${panel(plot, width)}</g>`),
    "</svg>",
    "",
  ].join("\n");
}

function panel({ title, x, y, lines }: Plot, width: number): string {
  const inner = { width: width - area.left - area.right, height: height - area.top - area.bottom };
  const px = (value: number) => round(area.left + x.place(value) * inner.width);
  const py = (value: number) => round(area.top + (1 - y.place(value)) * inner.height);
  const [left, right, bottom] = [area.left, area.left + inner.width, area.top + inner.height];
  return [
    `<text class="title" x="${left}" y="16">${escaped(title)}</text>`,
    ...y.ticks.map(
      (tick) =>
        `<line class="grid" x1="${left}" x2="${right}" y1="${py(tick)}" y2="${py(tick)}"/>` +
        `<text class="tick" text-anchor="end" x="${left - 7}" y="${py(tick) + 4}">${label(tick)}</text>`,
    ),
    ...x.ticks.map(
      (tick) =>
        `<line class="axis" x1="${px(tick)}" x2="${px(tick)}" y1="${bottom}" y2="${bottom + 4}"/>` +
        `<text class="tick" text-anchor="middle" x="${px(tick)}" y="${bottom + 17}">${label(tick)}</text>`,
    ),
    `<line class="axis" x1="${left}" x2="${right}" y1="${bottom}" y2="${bottom}"/>`,
    `<text class="tick" text-anchor="middle" x="${(left + right) / 2}" y="${bottom + 34}">${escaped(x.label)}</text>`,
    `<text class="tick" text-anchor="middle" transform="translate(13 ${(area.top + bottom) / 2}) rotate(-90)">` +
      `${escaped(y.label)}</text>`,
    ...lines.map((line) => curve(line, px, py)),
  ].join("\n");
}

type Place = (value: number) => number;

function curve({ points, form, look }: Line, px: Place, py: Place): string {
  const dots = points.map(
    ({ x, y }) => `<circle cx="${px(x)}" cy="${py(y)}" r="${form === "dots" ? 2 : 3}"/>`,
  );
  if (form === "dots") return `<g class="${look} dots">${dots.join("")}</g>`;
  const path = points.map(({ x, y }, index) => {
    if (index === 0) return `M${px(x)} ${py(y)}`;
    return form === "steps" ? `H${px(x)}V${py(y)}` : `L${px(x)} ${py(y)}`;
  });
  const spreads = points.map(({ x, low, high }) =>
    low === undefined || high === undefined ? "" : `<path d="M${px(x)} ${py(low)}V${py(high)}"/>`,
  );
  const marks = form === "marked" ? dots.join("") : "";
  return `<g class="${look}"><path d="${path.join("")}"/>${spreads.join("")}${marks}</g>`;
}

function key({ look, form }: Line): string {
  if (form === "dots") return `<g class="${look} dots"><circle cx="11" cy="0" r="3"/></g>`;
  const dot = form === "marked" ? '<circle cx="11" cy="0" r="3"/>' : "";
  return `<g class="${look}"><path d="M0 0H22"/>${dot}</g>`;
}

const label = (value: number) => value.toLocaleString("en-US");
const round = (value: number) => Math.round(value * 10) / 10;
const escaped = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");

/** Colours that colour-blind people can distinguish (Okabe and Ito). They are brighter in dark mode. */
const style = `
svg { --ground: #fff; --ink: #1f2328; --dim: #59636e; --grid: #d8dee4;
  --idle: #767f89; --first: #0072b2; --second: #d55e00; --third: #009e73; --bad: #c4277c; }
@media (prefers-color-scheme: dark) {
  svg { --ground: #0d1117; --ink: #e6edf3; --dim: #9aa4af; --grid: #30363d;
    --idle: #9aa4af; --first: #56b4e9; --second: #f0883e; --third: #3fd0a4; --bad: #ff7bb8; } }
.ground { fill: var(--ground); }
text { font: 12px system-ui, sans-serif; fill: var(--ink); }
.heading { font-size: 16px; font-weight: 600; }
.title { font-size: 13px; font-weight: 600; }
.tick { font-size: 11px; fill: var(--dim); }
.grid { stroke: var(--grid); stroke-width: 1; }
.axis { stroke: var(--dim); stroke-width: 1; }
path { fill: none; stroke-width: 1.8; stroke-linejoin: round; }
.idle { stroke: var(--idle); fill: var(--idle); }
.first { stroke: var(--first); fill: var(--first); }
.second { stroke: var(--second); fill: var(--second); }
.third { stroke: var(--third); fill: var(--third); }
.bad { stroke: var(--bad); fill: var(--bad); }
.bound { stroke: var(--dim); fill: var(--dim); stroke-dasharray: 5 4; }
.dots { stroke: none; }
`;
