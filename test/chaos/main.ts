/** Program: plays random programs, edits, faults and kills. `npm run chaos -- --help` lists its options. */
import { parseArgs } from "node:util";
import * as fc from "fast-check";
import { isClean, noFindings } from "./findings";
import { options, optionsHelp, replay } from "./options";
import { faces, play, type Scenario, scenarios } from "./scenario";
import { newTally } from "./stack";

const HELP = `Plays random programs, edits, faults, kills and Ctrl-C against a model of the engine, and looks for what leaks.

  --runs <n>     scenarios, default 1000
${optionsHelp}
  --face <face>  only scenarios of one face: dynamic or plugin
  --first        tells a failure as it is, without looking for a smaller one
`;

/** Milliseconds of a scenario. One that takes longer hangs, which is a failure. */
const longest = 120_000;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { ...options, runs: { type: "string", default: "1000" }, first: { type: "boolean" } },
  });
  if (values.help) return console.log(HELP);
  const wanted = faces.filter((one) => values.face === undefined || one === values.face);
  if (wanted.length === 0) throw new Error(`--face is one of ${faces.join(", ")}`);
  const seed = Number(values.seed);
  const tally = newTally();
  console.log(`seed ${seed}`);
  const began = Date.now();
  let worst = noFindings();
  const result = await fc.check(
    fc.asyncProperty(scenarios(wanted), async (scenario: Scenario) => {
      const findings = await play(scenario, tally);
      if (tally.scenarios % 100 === 0)
        console.log(`${tally.scenarios} scenarios, ${Math.round((Date.now() - began) / 1000)} s`);
      if (!isClean(findings)) {
        worst = findings;
        throw new Error(JSON.stringify(findings, undefined, 1));
      }
    }),
    { seed, numRuns: Number(values.runs), path: values.path, endOnFailure: values.first, timeout: longest },
  );
  console.log(
    [
      ...Object.entries(tally).map(([what, count]) => `${what} ${count}`),
      ...Object.entries(worst).map(([what, found]) => `${what} ${found.length}`),
    ].join(", "),
  );
  if (!result.failed) return;
  process.exitCode = 1;
  console.log(replay("chaos", values, result.counterexamplePath));
  console.log(
    JSON.stringify(result.counterexample, (_key, value) => (value === "keep" ? undefined : value), 1),
  );
  console.log(String(result.errorInstance));
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
