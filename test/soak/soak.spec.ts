import * as fc from "fast-check";
import { play } from "./game";
import { scenarios } from "./scenario";

test("random programs of two stacks, edits, commands, faults and kills touch nothing of others, and what they leave is named", async () => {
  const property = fc.asyncProperty(scenarios, async (scenario) => {
    expect((await play(scenario)).findings).toEqual([]);
  });
  // Always the same scenarios, so that it fails only for what has changed. `npm run soak` plays others.
  await fc.assert(property, { numRuns: 4, seed: 67, unbiased: true, endOnFailure: true });
}, 1_800_000);
