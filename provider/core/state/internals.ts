import { defined, keyed, type Properties, without } from "../../value";

// podlumi's own keys in a state. The engine keeps them beside the outputs. `__declared`, the outline of the inputs, is made by stateOf, and
// `__provider` is that of Pulumi's host.

/** Among the inputs, too. */
const internalInputs = [
  "__urn", // of the resource that has the object
  "__providerId", // the id of the provider resource, by which marks tell stacks apart
  "__autoname", // the name that podlumi made up
];

const internalOutputs = [
  "__asked", // what the program last asked for, of what can replace the object
  "__at", // when podlumi created the object, and last changed it (RFC 3339); absent after an import
  "__mark", // its owner's digits in the mark of the object
  "__secrets", // the names of the inputs that are secret in the program, or hold something secret
  "__account", // the id of the account in which podlumi created, imported or changed it
  "__unfinished", // left for a later run (unfinished.ts)
];

export function internalsOf(properties: Properties): Properties {
  return only([...internalInputs, ...internalOutputs], properties);
}

export function internalInputsOf(properties: Properties): Properties {
  return only(internalInputs, properties);
}

/** The inputs of the program, without keys of podlumi and of the host. */
export function withoutInternals(properties: Properties): Properties {
  return without(["__provider", ...internalInputs], properties);
}

/** The inputs to ask of the service. */
export function withoutAdopt(inputs: Properties): Properties {
  return without(["adopt"], withoutInternals(inputs));
}

/** No update has changed the object since its import. */
export function isImported({ __declared, __at }: Properties): boolean {
  return __declared !== undefined && __at === undefined;
}

export function only(keys: readonly string[], properties: Properties): Properties {
  return defined(keyed(keys, (key) => properties[key]));
}
