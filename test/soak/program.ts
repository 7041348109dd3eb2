import * as fc from "fast-check";
import type { Properties } from "../../provider/value";
import type { Kind } from "../chaos/process";
import { closed, type Declared, type Program } from "../chaos/program";
import type { Seen } from "./account";

/** What a program says of a resource beside its arguments. */
export interface Manner {
  /** The logical name. */
  readonly name: string;
  /** The logical name that it had before, if the program says so. */
  readonly alias?: string;
  readonly options?: Properties;
  /** The id of an object that the resource adopts. */
  readonly adopt?: string;
  /** Arguments that name an object of others. */
  readonly shares?: Properties;
}

/** A change of one resource that the generator of arguments does not make. */
export type Twist =
  | { readonly slot: string; readonly what: "rename" }
  | { readonly slot: string; readonly what: "options"; readonly options: Properties }
  | { readonly slot: string; readonly what: "adopt" | "share"; readonly which: number };

const { constantFrom, record } = fc;
const seldom = <T>(...values: T[]) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: constantFrom(...values) },
  );

const options = record({
  retainOnDelete: seldom(true),
  protect: seldom(true),
  deleteBeforeReplace: seldom(true, false),
  ignoreChanges: seldom(["image"], ["size"], ["env"]),
  replaceOnChanges: seldom(["image"], ["size"], ["*"]),
}) as fc.Arbitrary<Properties>;

/** Twists of some of these slots. */
export function twists(slot: fc.Arbitrary<string>): fc.Arbitrary<readonly Twist[]> {
  const twist = fc.oneof(
    record({ slot, what: fc.constant("rename" as const) }),
    record({ slot, what: fc.constant("options" as const), options }),
    record({ slot, what: constantFrom("adopt" as const, "share" as const), which: fc.nat({ max: 5 }) }),
  );
  return fc.array(twist, { maxLength: 2 });
}

type Share = readonly [Kind, (object: Seen) => Properties];

const credential: Share = ["RegistryAuth", ({ id }) => ({ registry: id })];
const token: Share = ["Secret", ({ name }) => ({ env: { TOKEN: `{{ RUNPOD_SECRET_${name} }}` } })];
const mount: Share = [
  "NetworkVolume",
  ({ id }) => ({ mounts: { network: [{ volumeId: id, path: "/net" }] } }),
];

/** What a resource of each kind can name of others. */
export const shareable: Partial<Record<Kind, readonly Share[]>> = {
  Template: [credential, token],
  Pod: [credential, token, mount, ["Template", ({ id }) => ({ templateId: id })]],
  Cluster: [token, mount],
  ServerlessEndpoint: [
    credential,
    token,
    ["NetworkVolume", ({ id }) => ({ networkVolumes: [id] })],
    ["GlobalVolume", ({ id }) => ({ globalVolumes: [id] })],
  ],
};

/** A program in JavaScript, a line for each resource. */
export function written(program: Program, manners: ReadonlyMap<string, Manner>): string[] {
  return closed(program).map((declared) => line(declared, mannerOf(declared.slot, manners)));
}

export const mannerOf = (slot: string, manners: ReadonlyMap<string, Manner>): Manner =>
  manners.get(slot) ?? { name: slot };

function line({ slot, kind, args }: Declared, { name, alias, options, adopt, shares }: Manner): string {
  const all = { ...args, ...shares, ...(adopt !== undefined && { adopt }), ...quick[kind] };
  const opts = { ...options, ...(alias !== undefined && { aliases: [{ name: alias }] }) };
  return `const ${slot} = new podlumi.${kind}("${name}", ${code(all)}, ${code(opts)});`;
}

/** Seconds after which a wait ends, since what it waits for may never come. */
const quick: Record<string, Properties> = {
  Pod: { waitTimeout: 20 },
  Cluster: { waitTimeout: 20 },
  Template: { deleteTimeout: 3 },
  NetworkVolume: { deleteTimeout: 3 },
  GlobalVolume: { deleteTimeout: 3 },
  RegistryAuth: { deleteTimeout: 3 },
};

/** A value in JavaScript. Texts that refer to another resource become its outputs. */
function code(value: unknown): string {
  return JSON.stringify(value)
    .replace(/"\{\{ RUNPOD_SECRET_\$(\w+)\.name \}\}"/g, "$1.reference")
    .replace(/"\$(\w+)"/g, "$1.id");
}
