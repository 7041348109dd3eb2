import * as fc from "fast-check";
import { isClean } from "./findings";
import { play, type Scenario, scenarios } from "./scenario";
import { newTally } from "./stack";

const limit = 60_000;

test(
  "random programs, edits, faults and kills end with what the program declares, and a destroy with nothing",
  async () => {
    const tally = newTally();
    const property = fc.asyncProperty(scenarios, async (scenario: Scenario) => {
      const findings = await play(scenario, tally);
      expect(isClean(findings) ? {} : findings).toEqual({});
    });
    // The seed is part of the message of a failure; `npm run chaos -- --seed S --path P` plays it again.
    await fc.assert(property, { numRuns: 400, interruptAfterTimeLimit: limit });
    expect(tally.scenarios).toBeGreaterThan(20);
    expect(Math.min(tally.faults, tally.kills)).toBeGreaterThan(0);
  },
  // A failure is shrunk before it is told.
  limit * 4,
);
