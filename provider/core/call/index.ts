import type { Api } from "../../client/api";
import type { Errand } from "../../client/errand";
import type { Checker } from "../../schema/check";
import type { Properties } from "../../value";
import type { Kind } from "../kind";
import type { ResourceRecord } from "./record";
import type { Run } from "./run";

interface Call {
  readonly kind: Kind;
  readonly run: Run;
  /** The URN of the resource. That in a state may be one from before a rename. */
  readonly urn: unknown;
  /** Filled by earlier calls of this run. */
  readonly record: ResourceRecord;
  /** The service, on behalf of the resource. Throws a ConfigurationError where the configuration does not allow it. */
  api(errand?: Errand): Api;
}

/** A resource, as the program declares it. */
export interface Resource extends Call {
  readonly inputs: Properties;
}

/** An object that the state has. */
export interface Existing extends Call {
  readonly id: string;
  readonly state: Properties;
}

/** A check of what the program says. Its inputs are what the program gives. */
export interface Checking extends Resource {
  readonly kind: Kind & { readonly faults: Checker };
  /** The inputs in the state; undefined for a resource that has no object yet. */
  readonly before: Properties | undefined;
  /** The inputs with the name that they have before any look at the service; of a resource with an object, as they stay. */
  readonly provisional: Properties;
  /** By a program in TypeScript: which of its resources stands where, as URNs by the path of an id. */
  readonly uses: unknown;
  /** By a program in TypeScript, at its first resource: the names of the arguments that it gives to each kind. */
  readonly kinds: unknown;
}

/** An object of the state, and what the program says of it. */
export interface Edit extends Existing, Resource {}

export function resourceOf(kind: Kind, run: Run, inputs: Properties): Resource {
  return { ...callOf(kind, run, inputs.__urn), inputs };
}

export function existingOf(kind: Kind, run: Run, id: string, state: Properties): Existing {
  return { ...callOf(kind, run, state.__urn), id, state };
}

/** After a rename, the state has the former URN. */
export function editOf(kind: Kind, run: Run, id: string, state: Properties, inputs: Properties): Edit {
  return { ...callOf(kind, run, inputs.__urn), id, state, inputs };
}

export function onErrand<C extends Call>(call: C, errand: Errand): C {
  return { ...call, api: (more?: Errand) => call.api({ ...errand, ...more }) };
}

/** For a look that can do without an answer. */
export function impatiently<C extends Call>(call: C): C {
  return { ...call, api: (errand?: Errand) => call.api(errand).impatient() };
}

function callOf(kind: Kind, run: Run, urn: unknown): Call {
  const api = (errand?: Errand) =>
    run.api().for({ urn: typeof urn === "string" ? urn : undefined, ...errand });
  return { kind, run, urn, record: run.record(urn), api };
}
