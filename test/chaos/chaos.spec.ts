import * as fc from "fast-check";
import { runsAll } from "../engine/runs-all";
import { isClean } from "./findings";
import { play, type Scenario, scenarios } from "./scenario";
import { newTally } from "./stack";

test("random programs of both faces, edits, faults, kills and Ctrl-C end with what the program declares, and a destroy with nothing", async () => {
  const tally = newTally();
  const property = fc.asyncProperty(scenarios(), async (scenario: Scenario) => {
    const findings = await play(scenario, tally);
    expect(isClean(findings) ? {} : findings).toEqual({});
  });
  // The message of a failure has the seed and the path: `npm run chaos -- --seed S --path P` replays it. `npm test` always plays
  // the same scenarios, so that it fails only for what has changed.
  await fc.assert(property, { numRuns: 5, seed: 5 });
  if (runsAll) await fc.assert(property, { numRuns: 20 });
  const { faults, kills, interrupts, taints } = tally;
  expect(Math.min(faults, kills, interrupts, taints)).toBeGreaterThan(0);
}, 600_000); // fast-check shrinks the scenario that fails before it reports it.
