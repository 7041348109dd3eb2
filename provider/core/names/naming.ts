import { createHash } from "node:crypto";
import { partsOfUrn } from "../../identity";
import type { Kind } from "../kind/definition";
import { adoptedFrom, lengthInName, type Owner, ownerOf } from "../kind/mark";
import type { Resource } from "../resource";
import { isUnknown, unknownValue } from "../value";
import type { Naming } from "./autonaming";

/**
 * The name of a resource before any look at the service: the program's, or one that podlumi makes up, of a generation from `first` on. Unknown
 * in a stack's first preview where a made-up name has digits of the provider's id, which that preview does not know.
 */
export function provisionalName(resource: Resource, first = 0): unknown {
  const { kind, run, inputs } = resource;
  if (inputs.name !== undefined || !("name" in kind.fields)) return inputs.name;
  const naming = run.naming(kind, inputs.__urn);
  if (naming.mode === "disabled") return undefined;
  const owner = ownerOf(inputs);
  if (owner === undefined) return isUnknown(inputs.__stack) ? nameWithoutDigits(resource) : undefined;
  const name = run.notes(inputs.__urn).had?.name;
  const next = name === undefined ? 0 : generationAfter(kind, name, owner, naming);
  return madeUpName(kind, owner, naming, first + next);
}

/** The name of a resource in a stack's first preview: `pulumi:autonaming` can make one without random parts. */
function nameWithoutDigits({ kind, run, inputs }: Resource): unknown {
  const { mode, pattern } = run.naming(kind, inputs.__urn);
  const { name } = partsOfUrn(inputs.__urn);
  if (mode === "verbatim") return name;
  if (pattern === undefined) return unknownValue;
  const made = filled(pattern, name, letters);
  return made === filled(pattern, name, Buffer.alloc(letters.length, 1)) ? made : unknownValue;
}

/**
 * What can be validated of a name. Of a made-up one, a first preview knows all but the digits. It gets letters in their place where
 * there may be letters, so that nothing is wrong with it that other digits could fix.
 */
export function nameToValidate(resource: Resource): unknown {
  const { kind, run, inputs } = resource;
  const name = provisionalName(resource);
  const owner = name === unknownValue ? ownerOf({ ...inputs, __stack: "" }) : undefined;
  if (owner === undefined || inputs.name !== undefined) return name;
  const naming = run.naming(kind, inputs.__urn);
  return naming.pattern === undefined
    ? madeUpName(kind, { ...owner, digits: unknownDigits }, naming, 0)
    : filled(naming.pattern, owner.name, letters);
}

const unknownDigits = { stackName: "x".repeat(8), stack: "x".repeat(8), resource: "x".repeat(12) };

/** They make a letter of each random part of a pattern that may be one. */
const letters = Buffer.alloc(64, 0xaa);

/** The name of an object that the program adopts from another resource, whose mark is in the name that it has. */
export function adoptedName(resource: Resource): unknown {
  return provisionalName(resource, adoptedFrom);
}

/** The name after a look at the service: that of the object to take over, or a made-up name that no object has. */
export async function settledName(resource: Resource, takenOver: unknown): Promise<unknown> {
  const { kind, run, inputs } = resource;
  const first = provisionalName(resource);
  const owner = ownerOf(inputs);
  if (inputs.name !== undefined || owner === undefined || typeof first !== "string") return first;
  if (typeof takenOver === "string") return takenOver;
  const taken = new Set(((await run.lists.snapshot(kind)) ?? []).map(({ name }) => name));
  if (!taken.has(first)) return first;
  const naming = run.naming(kind, inputs.__urn);
  const next = generationAfter(kind, first, owner, naming);
  for (let tries = 0; tries < adoptedFrom; tries++) {
    const name = madeUpName(kind, owner, naming, (next + tries) % adoptedFrom);
    if (!taken.has(name)) return name;
  }
  return first;
}

/**
 * The name of a resource that has none in the program: the logical name and seven digits, as Pulumi itself does it.
 * Where the name is the only place for the mark, the digits of the stack come before those seven. The name is the same
 * on every machine.
 */
function madeUpName(kind: Kind, owner: Owner, naming: Naming, generation: number): string {
  const { name } = owner;
  if (naming.mode === "verbatim") return name;
  if (naming.pattern !== undefined) return filled(naming.pattern, name, randomBytes(owner, generation));
  const { stackName, stack: stackDigits, resource } = owner.digits;
  const last = resource.slice(0, lengthInName.resource) + generationDigits(generation);
  return [name, ...(kind.mark === undefined ? [stackName, stackDigits] : []), last].join("-");
}

/** The generation after that of a name, as a replacement gets it. The first one comes after what is no such name. */
function generationAfter(kind: Kind, name: unknown, owner: Owner, naming: Naming): number {
  for (let generation = 0; generation < 2 * adoptedFrom; generation++) {
    if (madeUpName(kind, owner, naming, generation) === name) return (generation + 1) % adoptedFrom;
  }
  return 0;
}

function generationDigits(generation: number): string {
  return generation.toString(16).padStart(lengthInName.generation, "0");
}

/** For the random parts of a name. They come from the owner's digits, so every machine gets the same name. */
function randomBytes({ digits }: Owner, generation: number): Buffer {
  return createHash("sha512").update(`${digits.stack} ${digits.resource} ${generation}`).digest();
}

/** A name from a Pulumi pattern. */
function filled(pattern: string, name: string, bytes: Buffer): string {
  let used = 0;
  const draw = (alphabet: string) => alphabet[(bytes[used++ % bytes.length] ?? 0) % alphabet.length];
  return pattern.replace(/\$\{(\w+)(?:\((\d+)\))?\}/g, (expression, word: string, count?: string) => {
    if (word === "name") return name;
    if (word === "uuid") return uuid(bytes);
    const alphabet = alphabets[word];
    if (alphabet === undefined || count === undefined) return expression;
    return Array.from({ length: Number(count) }, () => draw(alphabet)).join("");
  });
}

const alphabets: Record<string, string> = {
  hex: "0123456789abcdef",
  num: "0123456789",
  string: "abcdefghijklmnopqrstuvwxyz",
  alphanum: "0123456789abcdefghijklmnopqrstuvwxyz",
};

/** Bytes in the form of a version 4 UUID. */
function uuid(bytes: Buffer): string {
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
