import { partsOfUrn } from "../../identity";
import { isUnknown, unknownValue } from "../../value";
import type { Resource } from "../call";
import type { Kind } from "../kind";
import { clash, isMarkedByName } from "../kind/naming";
import { adoptedFrom, digitsInName, lengthInName, type Owner, ownerOf } from "../mark/mark";
import type { Autonaming } from "./autonaming";

/** The name before any look at the service, of a generation from `first` on. Unknown in a stack's first preview, which has no provider id. */
export function provisionalName(resource: Resource, first = 0): unknown {
  const { kind, record, inputs } = resource;
  if (inputs.name !== undefined || !("name" in kind.fields)) return inputs.name;
  if (autonamingOf(resource).mode === "disabled") return undefined;
  const fixed = fixedName(resource);
  const owner = ownerOf(inputs);
  if (fixed !== undefined || owner === undefined)
    return fixed ?? (isUnknown(inputs.__providerId) ? unknownValue : undefined);
  const name = record.before?.name ?? record.compared?.state.name;
  const next = name === undefined ? 0 : generationAfter(kind, name, owner);
  return madeUpName(kind, owner, first + next);
}

/** The name that `pulumi:autonaming` or the engine wants, without digits of podlumi. */
function fixedName(resource: Resource): string | undefined {
  const { mode, proposed } = autonamingOf(resource);
  return mode === "verbatim" ? partsOfUrn(resource.urn).name : proposed;
}

function autonamingOf({ run, record }: Resource): Autonaming {
  return record.autonaming ?? run.autonaming;
}

/** A name for validation. A first preview knows all but the digits of a made-up one. */
export function nameToValidate(resource: Resource): unknown {
  const { kind, inputs } = resource;
  const name = provisionalName(resource);
  const owner = name === unknownValue ? ownerOf({ ...inputs, __providerId: "" }) : undefined;
  if (owner === undefined || inputs.name !== undefined) return name;
  return madeUpName(kind, owner, 0);
}

/** The name of an object that the program adopts from another resource, whose mark is in the name that it has. */
export function adoptedName(resource: Resource): unknown {
  return provisionalName(resource, adoptedFrom);
}

/** A name that podlumi makes up, and that no object of the kind has. */
export async function freeName(resource: Resource): Promise<unknown> {
  const { kind, run, inputs, api } = resource;
  const first = provisionalName(resource);
  const owner = ownerOf(inputs);
  const isMadeUp = inputs.name === undefined && fixedName(resource) === undefined;
  if (!isMadeUp || owner === undefined || typeof first !== "string") return first;
  const taken = new Set(((await run.lists.atFirst(kind, api())) ?? []).map(({ name }) => name));
  if (!taken.has(first)) return first;
  const next = generationAfter(kind, first, owner);
  const others = Array.from({ length: adoptedFrom }, (_item, tries) =>
    madeUpName(kind, owner, (next + tries) % adoptedFrom),
  );
  return others.find((name) => !taken.has(name)) ?? first;
}

/** The logical name and digits, as Pulumi itself does it. It is the same on every machine. */
function madeUpName(kind: Kind, owner: Owner, generation: number): string {
  return `${owner.name}-${digitsInName(owner, generation, isMarkedByName(kind))}`;
}

/** The generation after that of a name, as a replacement gets it. The first one comes after what is no such name. */
function generationAfter(kind: Kind, name: unknown, owner: Owner): number {
  const generation = Number.parseInt(String(name).slice(-lengthInName.generation), 16);
  return madeUpName(kind, owner, generation) === name ? (generation + 1) % adoptedFrom : 0;
}

/** The service takes the replacement only once the object is gone, since both have one name. */
export function isDeletedFirst(resource: Resource, name: unknown): boolean {
  return clash(resource.kind, nameOfReplacement(resource), name);
}

/** The name of a replacement. Where podlumi makes it up, it is a new one. */
function nameOfReplacement(resource: Resource): unknown {
  const { record, inputs } = resource;
  if (!record.isChecked || record.isNameGiven) return inputs.name;
  return provisionalName({ ...resource, inputs: { ...inputs, name: undefined } });
}
