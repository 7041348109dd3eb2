/** Program: plays random programs, edits, commands, faults and kills on the real engine. `npm run soak -- --help` lists its options. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import * as fc from "fast-check";
import { options, optionsHelp, replay } from "../chaos/options";
import { useEngine } from "../engine";
import { scenarios } from "./scenario";

const HELP = `Plays random programs, edits, commands, faults and kills on the real engine, and looks for what goes against the rules.

  --runs <n>     scenarios, default 10; one takes about a minute
${optionsHelp}
  --face <face>  dynamic or plugin, default dynamic
  --small        looks for a smaller scenario that fails, too
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      ...options,
      runs: { type: "string", default: "10" },
      face: { type: "string", default: "dynamic" },
      small: { type: "boolean" },
    },
  });
  if (values.help) return console.log(HELP);
  if (!["dynamic", "plugin"].includes(values.face)) throw new Error("--face is dynamic or plugin");
  // Programs ask this once, when what writes them is loaded.
  Object.assign(globalThis, { onPlugin: values.face === "plugin" });
  const { play } = require("./game") as typeof import("./game");
  await useEngine();
  const seed = Number(values.seed);
  console.log(`seed ${seed}`);
  let played = 0;
  const result = await fc.check(
    fc.asyncProperty(scenarios, async (scenario) => {
      const { findings, history } = await play(scenario);
      console.log(`scenario ${++played}: ${findings.length === 0 ? "clean" : "against the rules"}`);
      if (findings.length > 0) throw new Error([findings.join("; "), ...history].join("\n"));
    }),
    { seed, numRuns: Number(values.runs), path: values.path, endOnFailure: !values.small },
  );
  if (!result.failed) return;
  process.exitCode = 1;
  const log = join(mkdtempSync(join(tmpdir(), "podlumi-soak-")), "history.txt");
  writeFileSync(log, String(result.errorInstance));
  console.log(String(result.errorInstance).split("\n", 1)[0]);
  console.log(`everything that happened in it: ${log}`);
  console.log(replay("soak", values, result.counterexamplePath));
}

main().catch((error: Error) => {
  console.error(error);
  process.exitCode = 1;
});
