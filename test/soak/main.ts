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
  const folder = mkdtempSync(join(tmpdir(), "podlumi-soak-"));
  console.log(`everything that happens: ${folder}`);
  const first = Number(values.seed);
  const began = Date.now();
  const runs = values.path === undefined ? Number(values.runs) : 1;
  let against = 0;
  // Each scenario has a seed of its own, so that it plays again without the others, and one that fails does not end the rest.
  for (let seed = first; seed < first + runs; seed++) {
    const property = fc.asyncProperty(scenarios, async (scenario) => {
      const { findings, history } = await play(scenario);
      writeFileSync(join(folder, `${seed}.txt`), [JSON.stringify(scenario), ...history].join("\n"));
      if (findings.length > 0) throw new Error(findings.join("\n"));
    });
    const { failed, errorInstance, counterexamplePath } = await fc.check(property, {
      seed,
      numRuns: 1,
      path: values.path,
      unbiased: true,
      endOnFailure: !values.small,
    });
    console.log(`seed ${seed}: ${failed ? `against the rules\n${errorInstance}` : "clean"}`);
    if (!failed) continue;
    against++;
    console.log(replay("soak", { ...values, seed: String(seed) }, counterexamplePath));
  }
  const minutes = Math.round((Date.now() - began) / 60_000);
  console.log(`${runs} scenarios, ${against} against the rules, ${minutes} minutes`);
  if (against > 0) process.exitCode = 1;
}

main().catch((error: Error) => {
  console.error(error);
  process.exitCode = 1;
});
