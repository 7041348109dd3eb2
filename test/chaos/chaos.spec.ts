import * as fc from "fast-check";
import { isClean } from "./findings";
import { play, type Scenario, scenarios } from "./scenario";
import { newTally } from "./stack";

const limit = 60_000;

test(
  "random programs of both faces, edits, faults, kills and Ctrl-C end with what the program declares, and a destroy with nothing",
  async () => {
    const tally = newTally();
    const property = fc.asyncProperty(scenarios(), async (scenario: Scenario) => {
      const findings = await play(scenario, tally);
      expect(isClean(findings) ? {} : findings).toEqual({});
    });
    // The message of a failure has the seed and the path. `npm run chaos -- --seed S --path P` replays it.
    await fc.assert(property, { numRuns: 400, interruptAfterTimeLimit: limit });
    // On a busy machine there is time for few.
    expect(tally.scenarios).toBeGreaterThan(5);
    const { faults, kills, interrupts, moves } = tally;
    expect(Math.min(faults, kills, interrupts, moves)).toBeGreaterThan(0);
  },
  // The test needs more time when it fails: fast-check shrinks the scenario before it reports it.
  limit * 4,
);
