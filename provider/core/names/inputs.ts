import { type Properties, unknownValue } from "../../value";
import type { Checking, Resource } from "../call";
import { nameToValidate, provisionalName } from "./naming";

/** The inputs of the program, with the name that they have before any look at the service. */
export function firstInputs(resource: Resource, before: Properties | undefined): Properties {
  const { inputs } = resource;
  return before === undefined ? madeUp(inputs, provisionalName(resource)) : kept(inputs, before);
}

/** The inputs after a look, which has settled the name. An adopted object keeps its name. */
export function settledInputs({ record, inputs }: Checking, name: unknown): Properties {
  return record.adopts(inputs) ? withName(inputs, name) : madeUp(inputs, name);
}

/** A look at the service settles the name: an object may have the first one that podlumi makes up. */
export function isNamedLater({ kind, inputs, before }: Checking): boolean {
  return "name" in kind.fields && inputs.name === undefined && before === undefined;
}

/** The inputs as they can be validated: what is adopted keeps a name that is not known yet. */
export function inputsToValidate(checking: Checking): Properties {
  const { kind, record, inputs, before, first } = checking;
  if (before !== undefined) return first;
  const keepsName = record.adopts(inputs) && "name" in kind.fields;
  return withName(inputs, keepsName ? unknownValue : nameToValidate(checking));
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
