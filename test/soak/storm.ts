import * as fc from "fast-check";
import type { Emulator, Fault, Match } from "../emulator";
import type { Project } from "../harness/project";

/** What goes wrong while a command runs. */
export type Storm =
  /** The machine loses its power at a change, before or after the service acts. */
  | { readonly what: "kill"; readonly when: "before" | "after"; readonly skip: number }
  | { readonly what: "Ctrl-C"; readonly when: "before" | "after"; readonly skip: number }
  | { readonly what: "fault"; readonly fault: Fault };

const skip = fc.nat({ max: 4 });
const when = fc.constantFrom("before" as const, "after" as const);
const changes: Match[] = ["POST", "PATCH", "DELETE"].map((method) => ({ interface: "rest", method }));
const lost: Fault["what"][] = [{ status: 504 }, { reset: true }, { truncated: true }];

const fault: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({
    match: fc.constantFrom(...changes),
    when,
    what: fc.constantFrom(...lost),
    skip: fc.nat({ max: 2 }),
  }),
  fc.constant({ match: changes[0] as Match, when: "before" as const, what: { later: 300 } }),
  fc.constant({ match: { method: "GET" }, when: "before" as const, what: { lag: 3_000 }, times: 0 }),
);

export const storms: fc.Arbitrary<Storm | undefined> = fc.oneof(
  { weight: 6, arbitrary: fc.constant(undefined) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant("kill" as const), when, skip }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant("Ctrl-C" as const), when, skip }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant("fault" as const), fault }) },
);

/** Lets it break out over the next command. Returns a function that ends it, and tells whether it has struck. */
export function breakOut(emulator: Emulator, project: Project, storm: Storm): () => boolean {
  const before = emulator.faults.injected.length;
  if (storm.what === "fault") {
    emulator.faults.add(storm.fault);
    return () => {
      emulator.faults.clear();
      return emulator.faults.injected.length > before;
    };
  }
  let passed = 0;
  let struck = false;
  const stop = emulator.on(storm.when, {}, ({ method, interface: name }) => {
    if (struck || name !== "rest" || method === "GET" || passed++ < storm.skip) return;
    struck = true;
    if (storm.what === "kill") project.kill("everything");
    else project.interrupt();
  });
  return () => {
    stop();
    return struck;
  };
}
