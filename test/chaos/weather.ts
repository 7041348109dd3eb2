import * as fc from "fast-check";
import type { Emulator, Fault, Match } from "../../sdk/emulator/service";
import type { ProviderProcess } from "./process";

/** Kills the provider process, or has Ctrl-C pressed, before or after the service acts on a request. */
export interface Kill {
  readonly by: "kill" | "Ctrl-C";
  readonly match: Match;
  readonly when: "before" | "after";
  /** How many matching requests pass before the kill. */
  readonly skip: number;
  /** Whether the service still acts on the request of the killed process. Only for `before`. */
  readonly acts: boolean;
}

/** What goes wrong while a command runs. */
export interface Weather {
  readonly faults: readonly Fault[];
  readonly kill: Kill | undefined;
  /** How often a hook of the program has what fails tried again. */
  readonly tries: number;
  /** `pulumi stack export` does not tell the state. */
  readonly isMute: boolean;
}

const rest = (method: string, path: string): Match => ({ interface: "rest", method, path });
const paths = ["/pods", "/serverless", "/templates", "/network-volumes", "/registries", "/account/secrets"];

const makes = [
  ...paths.map((path) => rest("POST", path)),
  { operation: "secretCreate" },
  { interface: "rest" as const, method: "POST" },
];
const changes = [
  ...paths.map((path) => rest("PATCH", `${path}/*`)),
  rest("POST", "/pods/*/action"),
  ...["updateRegistryAuth", "saveTemplate"].map((operation) => ({ operation })),
];
const deletes = [
  ...paths.map((path) => rest("DELETE", `${path}/*`)),
  { operation: "secretDelete" },
  { interface: "rest" as const, method: "DELETE" },
];
const reads: Match[] = [
  { interface: "rest", method: "GET" },
  rest("GET", "/pods/*"),
  { interface: "graphql" },
];

const anything = fc.oneof<fc.WeightedArbitrary<Match>[]>(
  { weight: 5, arbitrary: fc.constantFrom(...makes) },
  { weight: 3, arbitrary: fc.constantFrom(...changes) },
  { weight: 3, arbitrary: fc.constantFrom(...deletes) },
  { weight: 2, arbitrary: fc.constantFrom(...reads) },
  { weight: 1, arbitrary: fc.constant({}) },
);

const failures: Fault["what"][] = [
  { status: 500 },
  { status: 502 },
  { status: 503 },
  { reset: true },
  { malformed: true },
  { truncated: true },
  { delay: 500 },
];
const busy: Fault["what"][] = [{ status: 429 }, { rateLimited: { retryAfter: 1 } }];
/** Effects that come up to a minute after their errors. */
const late: Fault["what"][] = [
  { later: 5_000 },
  { later: 20_000, reset: true },
  { later: 45_000, status: 502 },
  { later: 60_000 },
];
/** Answers that break the contract, as a gateway or a wrong address gives them. */
const odd: Fault["what"][] = [
  { answer: { status: 404, text: "<html>404 Not Found</html>", type: "text/html" } },
  { answer: { status: 200, body: {} } },
  { answer: { status: 200, body: { message: "ok" } } },
  { answer: { status: 202, body: {} } },
  { answer: { status: 204 } },
];
/** Answers that leave out what cannot change, as those of a stopped pod do. */
const blankPod: Fault["what"] = { blank: ["gpu", "cpu", "mounts", "dataCenterId", "cloud"] };
const blankVolume: Fault["what"] = { blank: ["size", "dataCenter", "type"] };
const refusals: Fault["what"][] = [{ capacity: true }, { inUse: true }, { nameTaken: true }];

const before = fc.constant("before" as const);
const when = fc.constantFrom("before" as const, "after" as const);
const skip = fc.integer({ min: 0, max: 3 });

function fault(weight: number, match: fc.Arbitrary<Match>, at: typeof when, whats: readonly Fault["what"][]) {
  const times = fc.integer({ min: 1, max: 3 });
  const what = fc.constantFrom(...whats);
  return { weight, arbitrary: fc.record({ match, when: at, what, times, skip }) };
}

/** Refusals and 429 mean that the service did nothing, so they come only "before" the service acts. */
const faults: fc.Arbitrary<Fault> = fc.oneof(
  fault(4, anything, when, failures),
  fault(1, anything, before, busy),
  fault(1, anything, before, refusals),
  fault(2, anything, when, odd),
  fault(1, fc.constantFrom(...reads), fc.constant("after"), [blankPod]),
  fault(1, fc.constant(rest("GET", "/network-volumes/*")), fc.constant("after"), [blankVolume]),
  fault(2, fc.constantFrom(...makes), before, late),
);

export const weathers: fc.Arbitrary<Weather> = fc.record({
  faults: fc.array(faults, { maxLength: 4 }),
  kill: fc.option(
    fc.record({
      by: fc.constantFrom("kill" as const, "kill" as const, "Ctrl-C" as const),
      match: anything,
      when,
      skip,
      acts: fc.boolean(),
    }),
    { nil: undefined },
  ),
  tries: fc.constantFrom(0, 0, 1, 3),
  isMute: fc.nat({ max: 5 }).map((number) => number === 5),
});

/** Starts the faults and the kill. Returns a function that ends them. */
export function brew(emulator: Emulator, provider: ProviderProcess, { faults, kill }: Weather): () => void {
  for (const planned of faults) emulator.faults.add(planned);
  let passed = 0;
  const stop =
    kill &&
    emulator.on(kill.when, kill.match, ({ interface: name, method, path, operation }) => {
      if (provider.killed || provider.cancelled || passed++ < kill.skip) return;
      if (kill.by === "Ctrl-C") return provider.cancel();
      provider.kill();
      if (kill.when === "after" || kill.acts) return;
      const own = path.split("?")[0]?.replace(/^\/(v2|graphql)/, "") || "/";
      emulator.faults.clear();
      emulator.faults.add({
        match: { interface: name, method, path: own, operation },
        when: "before",
        what: { reset: true },
      });
    });
  return () => {
    emulator.faults.clear();
    stop?.();
  };
}
