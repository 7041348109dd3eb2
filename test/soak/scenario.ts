import * as fc from "fast-check";
import { type Edit, edits } from "../chaos/program";
import { type Twist, twists } from "./program";
import { type Storm, storms } from "./storm";

/** Two stacks of a project in one account. Their programs are edited and run, and things go wrong. */
export interface Scenario {
  /** Whether the stacks may lose all data from the start, what an error asks about, or nothing. */
  readonly confirms: "all" | "asked" | "never";
  readonly stages: readonly Stage[];
}

export interface Stage {
  readonly stack: "dev" | "two";
  /** What a person does first to an object of the stack: `uses` makes an endpoint that has a volume of it. */
  readonly person: { readonly what: "uses" | "edits" | "deletes"; readonly which: number } | undefined;
  readonly edit: Edit;
  readonly twists: readonly Twist[];
  readonly command: Command;
  readonly storm: Storm | undefined;
  /** Whether the user does what the errors say, in place of going on with a stack that fails. */
  readonly heals: boolean;
}

/** A command of Pulumi. `slot` is the resource that it is about. */
export type Command =
  | {
      readonly what: "up";
      readonly option?: "target" | "replace" | "exclude" | "refresh";
      readonly slot?: string;
    }
  | { readonly what: "refresh" | "destroy" }
  | { readonly what: "state delete" | "state taint"; readonly slot: string };

const slot = fc.constantFrom(
  "volume0",
  "volume1",
  "global0",
  "cluster0",
  "template0",
  "template1",
  "pod0",
  "pod1",
  "endpoint0",
  "endpoint1",
  "secret0",
);
const up = fc.constant({ what: "up" as const });

const commands: fc.Arbitrary<Command> = fc.oneof(
  { weight: 10, arbitrary: up },
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constant("up" as const),
      option: fc.constantFrom("target" as const, "replace" as const, "exclude" as const),
      slot,
    }),
  },
  { weight: 1, arbitrary: fc.constant({ what: "up" as const, option: "refresh" as const }) },
  {
    weight: 1,
    arbitrary: fc.record({ what: fc.constantFrom("refresh" as const, "destroy" as const) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constantFrom("state delete" as const, "state taint" as const),
      slot,
    }),
  },
);

const persons: fc.Arbitrary<Stage["person"]> = fc.oneof(
  { weight: 7, arbitrary: fc.constant(undefined) },
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constantFrom("uses" as const, "edits" as const, "deletes" as const),
      which: fc.nat({ max: 11 }),
    }),
  },
);

const heals = fc.nat({ max: 3 }).map((number) => number > 0);

const first = (stack: Stage["stack"]): fc.Arbitrary<Stage> =>
  fc.record({
    stack: fc.constant(stack),
    person: fc.constant(undefined),
    edit: edits(true),
    twists: fc.constant([]),
    command: up,
    storm: storms,
    heals,
  });

const later: fc.Arbitrary<Stage> = fc.record({
  stack: fc.constantFrom("dev" as const, "dev" as const, "two" as const),
  person: persons,
  edit: edits(false),
  twists: twists(slot),
  command: commands,
  storm: storms,
  heals,
});

export const scenarios: fc.Arbitrary<Scenario> = fc.record({
  confirms: fc.constantFrom("all", "asked", "asked", "never"),
  stages: fc
    .tuple(first("dev"), first("two"), fc.array(later, { minLength: 2, maxLength: 6 }))
    .map(([dev, two, more]) => [dev, two, ...more]),
});
