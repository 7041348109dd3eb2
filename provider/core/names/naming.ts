import { partsOfUrn } from "../../identity";
import { isUnknown, type Properties, unknownValue } from "../../value";
import type { Checking, Resource } from "../call";
import type { Autonaming } from "../call/autonaming";
import type { Kind } from "../kind";
import { clash, isMarkedByName } from "../kind/naming";
import { adoptedFrom, digitsInName, lengthInName, type Owner, ownerOf } from "../mark/mark";

/** The name before any look at the service, of `fromGeneration` or a later one. Unknown in a stack's first preview, which has no provider id. */
export function provisionalName(resource: Resource, fromGeneration = 0): unknown {
  const { kind, record, inputs } = resource;
  if (inputs.name !== undefined || !("name" in kind.fields)) return inputs.name;
  if (autonamingOf(resource).mode === "disabled") return undefined;
  const fixed = fixedName(resource);
  const owner = ownerOf(inputs);
  if (fixed !== undefined || owner === undefined)
    return fixed ?? (isUnknown(inputs.__providerId) ? unknownValue : undefined);
  const name = record.before?.name ?? record.compared?.state.name;
  const next = name === undefined ? 0 : generationAfter(kind, name, owner);
  return madeUpName(kind, owner, fromGeneration + next);
}

/** The name that `pulumi:autonaming` or the engine wants, without digits of podlumi. */
function fixedName(resource: Resource): string | undefined {
  const { mode, proposed } = autonamingOf(resource);
  return mode === "verbatim" ? partsOfUrn(resource.urn).name : proposed;
}

export function autonamingOf({ run, record }: Resource): Autonaming {
  return record.autonaming ?? run.autonaming;
}

/** A name that podlumi makes up, and that no object of the kind has. */
export async function freeName(resource: Resource): Promise<unknown> {
  const { kind, run, inputs, api } = resource;
  const preferred = provisionalName(resource);
  const owner = ownerOf(inputs);
  const isMadeUp = inputs.name === undefined && fixedName(resource) === undefined;
  if (!isMadeUp || owner === undefined || typeof preferred !== "string") return preferred;
  const taken = new Set(((await run.lists.atFirst(kind, api())) ?? []).map(({ name }) => name));
  if (!taken.has(preferred)) return preferred;
  const next = generationAfter(kind, preferred, owner);
  const others = Array.from({ length: adoptedFrom }, (_item, tries) =>
    madeUpName(kind, owner, (next + tries) % adoptedFrom),
  );
  return others.find((name) => !taken.has(name)) ?? preferred;
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

/** The inputs of the program, with the name that they have before any look at the service. */
export function provisionalInputs(resource: Resource, before: Properties | undefined): Properties {
  const { inputs } = resource;
  return before === undefined ? madeUp(inputs, provisionalName(resource)) : kept(inputs, before);
}

/** The inputs after a look, which has settled the name. An adopted object keeps its name. */
export function settledInputs({ record, inputs }: Checking, name: unknown): Properties {
  return record.willAdopt(inputs) ? withName(inputs, name) : madeUp(inputs, name);
}

/** A look at the service settles the name: an object may have the first one that podlumi makes up. */
export function isNamedLater({ kind, inputs, before }: Checking): boolean {
  return "name" in kind.fields && inputs.name === undefined && before === undefined;
}

/** The inputs as they can be validated. An adopted object keeps a name that is not known yet. */
export function inputsToValidate(checking: Checking): Properties {
  const { kind, record, inputs, before, provisional } = checking;
  if (before !== undefined) return provisional;
  const keepsName = record.willAdopt(inputs) && "name" in kind.fields;
  return withName(inputs, keepsName ? unknownValue : nameToValidate(checking));
}

/** A first preview knows all but the digits of a made-up name. */
export function nameToValidate(resource: Resource): unknown {
  const { kind, inputs } = resource;
  const name = provisionalName(resource);
  const owner = name === unknownValue ? ownerOf({ ...inputs, __providerId: "" }) : undefined;
  return owner === undefined || inputs.name !== undefined ? name : madeUpName(kind, owner, 0);
}

function withName(given: Properties, name: unknown): Properties {
  return given.name !== undefined || name === undefined ? given : { ...given, name };
}

/** Adds a made-up name and notes it in `__autoname`. If somebody renames the object, that is then drift. */
function madeUp(given: Properties, name: unknown): Properties {
  const inputs = withName(given, name);
  return inputs === given ? given : { ...inputs, __autoname: name };
}

/** A made-up name stays for life. An ignored `adopt` is not noted in the state, so that it stays new for a replacement. */
function kept({ adopt, ...given }: Properties, before: Properties): Properties {
  const { name, __autoname } = before;
  const inputs =
    adopt === undefined || before.adopt === undefined ? given : { ...given, adopt: before.adopt };
  return __autoname === undefined ? withName(inputs, name) : madeUp(inputs, __autoname);
}
