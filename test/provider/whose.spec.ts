import {
  adoption,
  markText,
  markVariable,
  type Owner,
  ownerOf,
  parseMark,
  stackDigits,
} from "../../provider/core/mark/mark";
import { secretMark } from "../../provider/core/state/secret-value";
import { typeOf } from "../../provider/identity";
import type { KindName } from "../../provider/resources";
import type { Listed } from "../../sdk/cli/kinds";
import { doubtsAbout, standingFor } from "../../sdk/cli/states/judge";
import { type Pending, type State, stateIn } from "../../sdk/cli/states/state";
import { maybeCreated } from "../../sdk/cli/states/uses";

// What an object is to a stack, for `ls --stack` and `sweep --stack`. The judge itself has a table of its own.

test("the text of a mark is read once, however many resources look at it", () => {
  const digits = "70b3f2-5e6a1b9c0d2f-9f31c2d-04be1a7-8c1f04a-1";
  const mark = parseMark(`shop/dev Pod::web ${digits} 2026-11-23T21:40:01Z`);
  expect(mark).toMatchObject({ digits: { stack: "70b3f2", resource: "5e6a1b9c0d2f" }, attempt: 1 });
  expect(parseMark(`shop/dev Pod::web ${digits} 2026-11-23T21:40:01Z`)).toBe(mark);
});

const urnOf = (kind: KindName) => `urn:pulumi:dev::shop::${typeOf(kind)}::it`;
const sentAt = Date.UTC(2026, 10, 23, 21, 40);

/** A pod that carries the mark of the provider `first`, as it was created with its request. */
function pod({ attempt = 1, after = 0, name = "its name" } = {}): Listed {
  const owner = ownerOf({ __urn: urnOf("Pod"), __providerId: "first" }) as Owner;
  const request = { call: "00000c4", unseen: "0000000", name: "its name", attempt, sentAt };
  const env = { [markVariable]: markText(owner, request) };
  const createdAt = new Date(sentAt + after).toISOString();
  return { ...listed("Pod", name), createdAt, object: { id: "it", name, env, createdAt } };
}

const listed = (kind: Listed["kind"], name: string): Listed => ({
  kind,
  id: "it",
  name,
  status: null,
  cost: null,
  createdAt: null,
  object: { id: "it", name },
});

const volume = listed("NetworkVolume", `data-${stackDigits("first")}5e6a00`);

const stack = (changes: Partial<State> = {}): State => ({
  name: "organization/shop/dev",
  holders: new Map(),
  reads: new Set(),
  providerIds: new Set(["first"]),
  pending: [],
  ...changes,
});

const prod = (changes: Partial<State> = {}) => stack({ name: "organization/shop/prod", ...changes });
const adopting = (adopt: unknown, urn = urnOf("Pod")): Pending => ({
  urn,
  adopt,
  name: undefined,
  providerId: "second",
});
const hidden = { ...secretMark, ciphertext: "…" };
const ofOtherPackage = "urn:pulumi:dev::shop::other:index:Pod::it";

const leftover = { is: "left over" };
const copy = { is: "foreign", isCopy: true };
const foreign = { is: "foreign", isCopy: false };
const held = (holder: string) => ({ is: "held by", holder: expect.stringContaining(holder) });

test.each<[what: string, expected: object, flags: unknown[], one: Listed, states: State[], own?: string]>([
  ["what carries its mark", leftover, [], pod(), [stack()]],
  ["what carries its mark in the name", leftover, [], volume, [stack()]],
  ["what has no mark", foreign, [], listed("NetworkVolume", "data"), [stack()]],
  ["what carries the mark of a stack that Pulumi does not show", foreign, [], pod(), [stack()], "another"],
  [
    "what it has",
    held("it is in the state of shop/dev"),
    [],
    pod(),
    [stack({ holders: new Map([["it", "urn"]]) })],
  ],
  [
    "what the state of another stack has",
    held("it is in the state of shop/prod"),
    [],
    pod(),
    [stack(), prod({ holders: new Map([["it", ofOtherPackage]]), providerIds: new Set() })],
  ],
  ["what carries the mark of a provider that another stack has, too", foreign, [], pod(), [stack(), prod()]],
  [
    "what was created long after the request in its mark",
    copy,
    ["--copies"],
    pod({ after: 3_600_000 }),
    [stack()],
  ],
  ["what has another name than its mark", copy, ["--copies"], pod({ name: "of anna" }), [stack()]],
  [
    "what was adopted, whatever its name and age",
    leftover,
    ["--adopted"],
    pod({ attempt: adoption, after: 3_600_000, name: "other" }),
    [stack()],
  ],
  ["what a program reads", leftover, ["--read"], pod(), [stack({ reads: new Set(["it"]) })]],
  [
    "a copy that a program reads",
    copy,
    ["--copies", "--read"],
    pod({ name: "of anna" }),
    [stack({ reads: new Set(["it"]) })],
  ],
  [
    "what a run adopts by its id",
    held("a run of shop/dev is adopting it"),
    [undefined],
    pod(),
    [stack({ pending: [adopting("it")] })],
  ],
  [
    "what a run of another stack adopts by its name",
    held("a run of shop/prod is adopting it"),
    [undefined],
    pod(),
    [stack(), prod({ providerIds: new Set(), pending: [adopting({ name: "its name" })] })],
  ],
  [
    "what a run of another package imports",
    held("is adopting it"),
    [undefined],
    pod(),
    [stack({ pending: [adopting("it", ofOtherPackage)] })],
  ],
  [
    "what a run may adopt by a secret name",
    held("is adopting it"),
    [undefined],
    pod(),
    [stack({ pending: [adopting({ name: hidden })] })],
  ],
  [
    "what a run adopts something else beside",
    leftover,
    [],
    pod(),
    [
      stack({
        pending: [
          adopting("other"),
          adopting({ name: "it" }),
          adopting({ name: "its name" }, urnOf("NetworkVolume")),
          adopting(hidden, urnOf("NetworkVolume")),
          adopting(undefined),
        ],
      }),
    ],
  ],
])("to a stack: %s", (_what, expected, flags, one, states, own = "first") => {
  const [, ...others] = states;
  const digits = (all: Iterable<string>) => new Set([...all].map(stackDigits));
  const ofOthers = digits(others.flatMap(({ providerIds }) => [...providerIds]));
  const standing = standingFor({ own: digits([own]), ofOthers, states }, one);
  expect(standing).toEqual(expected);
  expect(doubtsAbout(states, one, standing).map(({ flag }) => flag)).toEqual(flags);
});

test.each<[string, boolean, Partial<Pending>, Listed]>([
  ["it has the name that the program gives", true, {}, listed("NetworkVolume", "mine")],
  ["it has another name", false, {}, listed("NetworkVolume", "theirs")],
  ["it is of another kind", false, {}, listed("GlobalVolume", "mine")],
  ["the create adopts", false, { adopt: "it" }, listed("NetworkVolume", "mine")],
  ["its kind has a mark of its own", false, { urn: urnOf("Pod") }, listed("Pod", "mine")],
])(
  "a pending create may have created an object without a mark where %s: %s",
  (_why, expected, changes, one) => {
    const create = { urn: urnOf("NetworkVolume"), providerId: "first", name: "mine", adopt: undefined };
    const found = maybeCreated([stack({ pending: [{ ...create, ...changes }] })], [one]);
    expect(found.map(({ one }) => one)).toEqual(expected ? [one] : []);
  },
);

test("a pending create of a name that podlumi made up has created what carries the mark", () => {
  const { name } = volume;
  const type = "NetworkVolume";
  const owner = ownerOf({ __urn: urnOf(type), __providerId: "first" }) as Owner;
  const own = `it-${owner.digits.stack}${owner.digits.resource.slice(0, 4)}00`;
  const create = { urn: urnOf(type), providerId: "first", adopt: undefined };
  for (const [made, amount] of [
    [own, 0],
    [name, 1],
  ] as const) {
    const state = stack({ pending: [{ ...create, name: made }] });
    expect(maybeCreated([state], [listed("NetworkVolume", made)])).toHaveLength(amount);
  }
});

test("a state has what its resources have, what they read, its providers and what is pending", () => {
  const type = typeOf("NetworkVolume");
  const urn = urnOf("NetworkVolume");
  const provider = { urn: "urn", type: "pulumi:providers:podlumi", id: "1" };
  const resources = [
    provider,
    { urn, type, id: "a", outputs: { __providerId: "2" } },
    { urn, type, id: "replaced", delete: true },
    { urn, type, id: "deleted first", pendingReplacement: true },
    { urn, type, id: "read", external: true },
    { urn, type: "pulumi:pulumi:Stack" },
  ];
  const pending_operations = [
    { type: "creating", resource: { urn, type, provider: "urn::id::3", inputs: { name: "n" } } },
    { type: "importing", resource: { urn, type, id: "b" } },
    { type: "deleting", resource: { urn, type, id: "c" } },
  ];
  expect(stateIn("dev", { deployment: { resources, pending_operations } })).toEqual({
    name: "dev",
    holders: new Map(["1", "a", "replaced", "deleted first"].map((id) => [id, id === "1" ? "urn" : urn])),
    reads: new Set(["read"]),
    providerIds: new Set(["1", "2", "3"]),
    pending: [
      { urn, providerId: "3", name: "n", adopt: undefined },
      { urn, providerId: undefined, name: undefined, adopt: "b" },
    ],
  });
});

test.each([[null], [{}], [{ deployment: null }], ["dev"]])("%j is the export of no state", (exported) => {
  expect(stateIn("dev", exported)).toBeUndefined();
});
