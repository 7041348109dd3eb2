import { usualEffect } from "../../client/policy";
import { defined, isEmpty, isRecord, keyed, type Properties, without } from "../../value";

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
  "__unfinished", // what a later call has to go on with
];

/** A create call with unanswered requests. When one of them takes effect after all, it creates a twin, of which the engine never learns. */
export interface UnansweredCreate {
  /** Digits of the call in the mark of its objects; undefined where the made-up name is the mark. */
  readonly call?: string | undefined;
  /** The numbers of the requests that had no clear answer. */
  readonly attempts: readonly number[];
  /** The name that it asked for. */
  readonly name: string;
  /** When the call ended (RFC 3339). */
  readonly at: string;
}

/** Left by a call for a later run. */
export interface Unfinished {
  /** The object has not become ready. */
  readonly isNotReady?: true | undefined;
  /** An update had no clear answer: when it failed, and the fields that it sent. */
  readonly unclear?: { readonly at: string; readonly fields: readonly string[] } | undefined;
  /** The create had requests without a clear answer. */
  readonly create?: UnansweredCreate | undefined;
}

export function unfinishedIn({ __unfinished }: Properties): Unfinished {
  return isRecord(__unfinished) ? __unfinished : {};
}

/** The unanswered create in a state, as long as a request of it may still take effect. */
export function unansweredCreateIn(state: Properties, now: number): UnansweredCreate | undefined {
  const { create } = unfinishedIn(state);
  return create !== undefined && now - Date.parse(create.at) < usualEffect ? create : undefined;
}

/** The key with what is left, or none where nothing is. */
export function withUnfinished(unfinished: Unfinished): Properties {
  const left = defined({ ...unfinished });
  return isEmpty(left) ? {} : { __unfinished: left };
}

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
