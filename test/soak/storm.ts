import { setTimeout as sleep } from "node:timers/promises";
import * as fc from "fast-check";
import { longestLag } from "../../provider/client/policy";
import type { Emulator, Fault, Match } from "../../sdk/emulator/service";
import type { Project } from "../harness/project";

/** What goes wrong while a command runs. */
export type Storm =
  /** The machine loses its power, or somebody presses Ctrl-C, at a create or any change, before or after the service acts. */
  | {
      readonly what: "kill" | "Ctrl-C";
      readonly at: "create" | "change";
      readonly when: "before" | "after";
      readonly skip: number;
    }
  | { readonly what: "fault"; readonly fault: Fault };

const at = fc.constantFrom("create" as const, "change" as const);
const skip = fc.nat({ max: 4 });
const when = fc.constantFrom("before" as const, "after" as const);
const changes: Match[] = ["POST", "PATCH", "DELETE"].map((method) => ({ interface: "rest", method }));
const lost: Fault["what"][] = [{ status: 504 }, { reset: true }, { truncated: true }];

/** Milliseconds. */
const twinAfter = longestLag + 1_000;

const fault: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({
    match: fc.constantFrom(...changes),
    when,
    what: fc.constantFrom(...lost),
    skip: fc.nat({ max: 2 }),
  }),
  // Of the second one, podlumi does not wait for the effect: it creates another object, and then there are twins.
  fc.constantFrom(300, twinAfter).map((later) => ({
    match: changes[0] as Match,
    when: "before" as const,
    what: { later },
  })),
  fc.constant({ match: { method: "GET" }, when: "before" as const, what: { lag: 3_000 }, times: 0 }),
);

export const storms: fc.Arbitrary<Storm | undefined> = fc.oneof(
  { weight: 6, arbitrary: fc.constant(undefined) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant("kill" as const), at, when, skip }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant("Ctrl-C" as const), at, when, skip }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant("fault" as const), fault }) },
);

/** Lets it break out over the next command. Returns a function that ends it, and tells whether it has struck. */
export function breakOut(emulator: Emulator, project: Project, storm: Storm): () => Promise<boolean> {
  const before = emulator.faults.injected.length;
  if (storm.what === "fault") {
    emulator.faults.add(storm.fault);
    return async () => {
      emulator.faults.clear();
      const struck = emulator.faults.injected.length > before;
      // podlumi itself has waited for almost all of the time until the effect.
      if (struck && "later" in storm.fault.what) await sleep(2_000);
      return struck;
    };
  }
  let passed = 0;
  let struck = false;
  const stop = emulator.on(storm.when, {}, ({ method, interface: name }) => {
    const isMeant = storm.at === "create" ? method === "POST" : method !== "GET";
    if (struck || name !== "rest" || !isMeant || passed++ < storm.skip) return;
    struck = true;
    if (storm.what === "kill") project.kill("everything");
    else project.interrupt();
  });
  return async () => {
    stop();
    return struck;
  };
}
