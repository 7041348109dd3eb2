import { parseMark, stackDigits, stackNameDigits } from "../../provider/core/kind/mark";
import { secretMark } from "../../provider/core/kind/secret-value";
import { States } from "../../provider/core/owner/states";
import { stackOfMark, useOf, type Whose } from "../../provider/core/owner/whose";
import type { State } from "../../provider/engine/export";
import { emptyBackend } from "../../provider/engine/stacks";
import { type KindName, typeOf } from "../../provider/identity";

/** A stack of the project, with the names that its objects show. Its one provider is `first`. */
const stack = (name: string, ...shown: string[]): State => ({
  name: `organization/shop/${name}`,
  objects: [],
  holders: new Map(),
  readInstead: new Set<string>(),
  reads: new Set(),
  markers: new Set(["first"]),
  providers: new Set(["first"]),
  serving: 1,
  shownNames: new Set(shown.map((one) => `shop/${one}`)),
  leaving: new Set(),
  supplanted: new Set(),
  dropped: new Set(),
  pending: [],
  adopting: [],
  at: 0,
});

test("what carries the mark of a stack from before a rename is its own where the mark of something that it has shows the name", () => {
  const digits = { stackName: stackNameDigits("shop/dev"), stack: stackDigits("first"), resource: "" };
  const renamed = { ...stack("prod", "prod"), holders: new Map([["held", "urn"]]) };
  const stackOf = (id: string, ofProvider = "first") =>
    stackOfMark(
      [renamed],
      [renamed.name],
      [{ object: { id }, mark: { digits: { ...digits, stack: stackDigits(ofProvider) } } }],
    )({ digits });
  expect(stackOf("held")).toEqual({ of: renamed });
  expect(stackOf("not held")).toBe("open");
  // An import leaves the mark of another stack on what it takes in.
  expect(stackOf("held", "another")).toBe("open");
});

test("the text of a mark is read once, however many resources look at it", () => {
  const digits = "70b3f2a8-5e6a1b9c0d2f-9f31c2d-04be1a7-8c1f04a-1";
  const mark = parseMark(`shop/dev Pod::web ${digits} 2026-11-23T21:40:01Z`);
  expect(mark).toMatchObject({ digits: { stack: "70b3f2a8", resource: "5e6a1b9c0d2f" }, attempt: 1 });
  expect(parseMark(`shop/dev Pod::web ${digits} 2026-11-23T21:40:01Z`)).toBe(mark);
});

/** The name of the stack that has what `first` made under a name. */
function holder(name: string, ...states: State[]): string {
  const digits = { stackName: stackNameDigits(`shop/${name}`), stack: stackDigits("first"), resource: "" };
  const names = ["organization/shop/empty", ...states.map((one) => one.name)];
  const whose: Whose = stackOfMark(states, names)({ digits });
  return typeof whose === "string" ? whose : whose.of.name;
}

const isOf = (name: string) => `organization/shop/${name}`;

test.each<[string, string, string, State[]]>([
  ["its own", isOf("dev"), "dev", [stack("dev", "dev")]],
  ["its own from before a rename, as its objects show", isOf("prod"), "dev", [stack("prod", "dev", "prod")]],
  ["its own from before a rename, where it has no object", isOf("prod"), "dev", [stack("prod")]],
  ["open, where its objects show other names", "open", "dev", [stack("prod", "prod")]],
  ["not its own, where another stack has the name by now", "open", "empty", [stack("prod", "empty")]],
  ["the old stack's, after a state move", isOf("dev"), "dev", [stack("dev", "dev"), stack("new", "dev")]],
  ["the new stack's, after a state move", isOf("new"), "new", [stack("dev", "dev"), stack("new", "dev")]],
  [
    "open, where both have the provider and were renamed",
    "open",
    "dev",
    [stack("a", "dev"), stack("b", "b")],
  ],
  [
    "open, where a stack has taken the former name of the one that shares its provider",
    "open",
    "dev",
    [stack("old", "dev"), stack("dev", "new", "dev")],
  ],
  ["unknown, where no stack has its provider", "unknown", "dev", []],
])("what carries the mark of a stack is %s", (_what, expected, name, states) => {
  expect(holder(name, ...states)).toBe(expected);
});

const ofKind = (kind: KindName) => `urn:pulumi:dev::app::${typeOf(kind)}::it`;
const hidden = { ...secretMark, ciphertext: "…" };
const adopting = (adopt: unknown, urn = ofKind("Pod"), name?: unknown) => ({
  ...stack("dev"),
  adopting: [{ urn, adopt, name }],
});

test.each<[string, string | undefined, State]>([
  ["a resource of it", "has", { ...stack("dev"), holders: new Map([["it", "urn"]]) }],
  ["a run that adopts it by its id", "adopts", adopting("it")],
  ["a run that adopts it by its name", "adopts", adopting({ name: "its name" })],
  [
    "one that has given it this name by now",
    "adopts",
    adopting({ name: "former" }, ofKind("Pod"), "its name"),
  ],
  ["one that gives it a secret name", "adopts", adopting({ name: "former" }, ofKind("Pod"), hidden)],
  ["one that gives its name to another one", undefined, adopting("other", ofKind("Pod"), "its name")],
  [
    "a run of another package that imports it",
    "adopts",
    adopting("it", "urn:pulumi:dev::app::other:index:Pod::it"),
  ],
  ["a run that adopts another one", undefined, adopting({ name: "it" })],
  [
    "a run that adopts a volume of its name",
    undefined,
    adopting({ name: "its name" }, ofKind("NetworkVolume")),
  ],
  [
    "a run that adopts a volume that Pulumi keeps secret",
    undefined,
    adopting(hidden, ofKind("NetworkVolume")),
  ],
  ["a run that adopts what Pulumi keeps secret", "adopts", adopting(hidden)],
  ["one by a name that Pulumi keeps secret", "adopts", adopting({ name: hidden })],
  ["the create that asks", undefined, adopting("it", "the one that asks")],
  ["a program that reads it", "reads", { ...stack("dev"), reads: new Set(["it"]) }],
  ["nothing", undefined, stack("dev")],
])("of a stack with %s, the use of an object is: %s", (_what, use, state) => {
  expect(useOf(state, { type: "Pod" }, { id: "it", name: "its name" }, "the one that asks")).toBe(use);
});

test("the state of a run is its own, also where somebody has selected or made another stack since it began", async () => {
  const stateUnder = (providers: string[]) => ({
    ...stack("prod"),
    markers: new Set(providers),
    providers: new Set(providers),
  });
  const own = async (id: string, ...providers: string[]) => {
    const selected = stateUnder(providers);
    const all = [stack("dev"), selected];
    const backend = {
      ...emptyBackend,
      state: async (name: string) => all.find((one) => one.name === name),
      stacks: async () => all.map(({ name }) => name),
      current: async () => selected.name,
    };
    const now = () => 0;
    const states = new States(
      backend,
      () => "organization",
      now,
      now,
      () => undefined,
    );
    states.meets({ __urn: "urn:pulumi:dev::shop::T::a", __stack: id });
    return (await states.own()).name;
  };
  expect(await own("first", "second")).toBe("organization/shop/dev");
  expect(await own("first")).toBe("organization/shop/dev");
  expect(await own("second", "second")).toBe("organization/shop/prod");
  // Nothing in the state is under that provider any more.
  expect(await own("third", "second")).toBe("organization/shop/prod");
  expect(await own("third")).toBe("organization/shop/prod");
});
