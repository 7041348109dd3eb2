import type { Film } from "./film";
import type { Run } from "./screen";

const size = 14;
const wide = size * 0.6;
const high = 19;
const margin = 16;
const bar = 36;

/** The terminal's colours by number, for a light and a dark background. */
const colours: Record<number, readonly [light: string, dark: string]> = {
  1: ["#cf222e", "#ff7b72"],
  2: ["#116329", "#56d364"],
  3: ["#7d4e00", "#e3b341"],
  6: ["#1b7c83", "#39c5cf"],
  8: ["#57606a", "#8b949e"],
  12: ["#0969da", "#79c0ff"],
  13: ["#8250df", "#d2a8ff"],
};

/**
 * A film as an animated SVG without scripts, so that a page can show it as an image. The frames form a strip that moves
 * behind a window, one frame at a time. Equal lines are drawn once and reused.
 */
export function svg({ columns, rows, frames, length }: Film, title: string): string {
  const [width, height] = [columns * wide + 2 * margin, rows * high + bar + margin];
  const known = new Map<string, number>();
  const strip = frames.map(({ lines }, index) =>
    lines
      .map((line, row) => {
        if (line.length === 0) return "";
        const drawn = draw(line);
        const number = known.get(drawn) ?? known.size;
        known.set(drawn, number);
        return `<use href="#l${number}" y="${index * rows * high + (row + 1) * high - 5}"/>`;
      })
      .join(""),
  );
  const at = (index: number) => `transform:translateY(${-index * rows * high}px)`;
  const keys = frames.map((frame, index) => `${((100 * frame.at) / length).toFixed(2)}%{${at(index)}}`);
  const last = at(frames.length - 1);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" role="img" aria-label="${escaped(title)}">
<title>${escaped(title)}</title>
<style>
${scheme(0, ["#f6f8fa", "#d0d7de", "#1f2328"])}
@media (prefers-color-scheme:dark){${scheme(1, ["#0d1117", "#30363d", "#e6edf3"])}}
text{font:${size}px ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;white-space:pre;fill:var(--text)}
.b{font-weight:700}.u{text-decoration:underline}
${Object.keys(colours)
  .map((number) => `.c${number}{fill:var(--c${number})}`)
  .join("")}
.strip{animation:film ${length}ms step-end infinite}
@keyframes film{${keys.join("")}100%{${last}}}
@media (prefers-reduced-motion:reduce){.strip{animation:none;${last}}}
</style>
<defs>${[...known].map(([drawn, number]) => `<text id="l${number}">${drawn}</text>`).join("\n")}</defs>
<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8" style="fill:var(--ground);stroke:var(--edge)"/>
<g style="fill:var(--edge)"><circle cx="20" cy="18" r="6"/><circle cx="40" cy="18" r="6"/><circle cx="60" cy="18" r="6"/></g>
<text x="${width / 2}" y="23" text-anchor="middle" class="c8">npm run demo</text>
<clipPath id="screen"><rect x="${margin}" y="${bar}" width="${columns * wide}" height="${rows * high}"/></clipPath>
<g clip-path="url(#screen)"><g transform="translate(${margin} ${bar})"><g class="strip">
${strip.join("\n")}
</g></g></g>
</svg>
`;
}

/** Each piece of text has its own position, so that columns align in any font. */
function draw(line: readonly Run[]): string {
  return line
    .flatMap((run) => {
      const classes = [run.bold && "b", run.underline && "u", known(run) && `c${run.colour}`].filter(Boolean);
      const style = classes.length === 0 ? "" : ` class="${classes.join(" ")}"`;
      return [...run.text.matchAll(/\S+( \S+)*/g)].map(({ 0: piece, index }) => {
        const x = Number(((run.column + index) * wide).toFixed(1));
        return `<tspan x="${x}"${style}>${escaped(piece)}</tspan>`;
      });
    })
    .join("");
}

const known = ({ colour }: Run) => colour !== undefined && colour in colours;

function scheme(which: 0 | 1, [ground, edge, text]: readonly [string, string, string]): string {
  const lines = Object.entries(colours).map(([number, pair]) => `--c${number}:${pair[which]}`);
  return `:root{--ground:${ground};--edge:${edge};--text:${text};${lines.join(";")}}`;
}

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
