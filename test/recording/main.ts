/**
 * Program: makes docs/demo.svg for the README, from a run of `npm run demo` in a terminal. The terminal comes from
 * `script` of util-linux, so this needs Linux. `--prints FILE` saves what was printed; if FILE exists, it is used.
 */
import { spawn } from "node:child_process";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { film, type Print } from "./film";
import { svg } from "./svg";

const [columns, rows] = [120, 30];
const repository = resolve(__dirname, "../..");

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      out: { type: "string", default: resolve(repository, "docs/demo.svg") },
      prints: { type: "string" },
    },
  });
  const kept = values.prints !== undefined && existsSync(values.prints);
  const prints: Print[] = kept ? JSON.parse(readFileSync(values.prints as string, "utf8")) : await recorded();
  if (values.prints !== undefined && !kept) writeFileSync(values.prints, JSON.stringify(prints));
  // Pause at the titles of the steps and at the summaries of previews.
  const reads = (text: string) => /Step \d of|to update|Done in/.test(text);
  const title =
    "npm run demo: the quickstart is created, previewed, changed, drifts, is corrected and destroyed";
  writeFileSync(values.out, svg(film(prints, { columns, rows, reads }), title));
  console.log(`${values.out}: ${Math.ceil(statSync(values.out).size / 1000)} kB`);
}

/** Runs the demo in a terminal. Replaces the home folder by `~`, so that the film does not show it. */
function recorded(): Promise<Print[]> {
  return new Promise((done, failed) => {
    const inTerminal = `stty cols ${columns} rows ${rows}; npm run --silent demo`;
    const child = spawn("script", ["--quiet", "--return", "--flush", "--command", inTerminal, "/dev/null"], {
      cwd: repository,
      // Pulumi asks other terminals for their colors, and waits for seconds for an answer that none gives here.
      env: { ...process.env, TERM: "tmux-256color" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const started = Date.now();
    const prints: Print[] = [];
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      prints.push({ at: Date.now() - started, text: text.replaceAll(homedir(), "~") });
      process.stdout.write(text);
    });
    child.on("error", failed);
    child.on("close", (code) =>
      code === 0 ? done(prints) : failed(new Error(`the demo ended with ${code}`)),
    );
  });
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
