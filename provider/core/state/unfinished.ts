import type { Api } from "../../client/api";
import { usualEffect } from "../../client/policy";
import type { FieldTable } from "../../schema/field";
import { defined, isEmpty, isRecord, keyed, outline, type Properties, without } from "../../value";
import type { Existing } from "../call";
import type { Observed } from "../kind";
import { declaration } from "./declared";
import { internalsOf } from "./internals";
import { inputsOf } from "./state";

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

// An update without a clear answer may take effect late. The state keeps which fields it sent, and the next update sends them again.

/** The fields of which nobody knows what the object has. */
export function unclearFields(state: Properties): readonly string[] {
  return unfinishedIn(state).unclear?.fields ?? [];
}

/** A state without these fields: nothing of them counts as equal. */
export function withoutUnclear(state: Properties): Properties {
  return without(unclearFields(state), state);
}

/** The state's note of an update without a clear answer. */
export function unclearAfter(
  state: Properties,
  fields: readonly string[],
  at: string,
): Unfinished["unclear"] {
  if (fields.length === 0) return undefined;
  return { at, fields: [...new Set([...unclearFields(state), ...fields])] };
}

/** The outline of what a state declares, with what such an update was to add: the object may have it by now. */
export function declaredAfter(state: Properties, fields: readonly string[], inputs: Properties): Properties {
  const before = declaration(state);
  const given = fields.filter((name) => inputs[name] !== undefined);
  return { ...before, ...keyed(given, (name) => beside(outline(inputs[name]), before[name])) };
}

/** The inputs of a state for a read, with what such an update was to add. */
export function inputsBeforeRead(fields: FieldTable, state: Properties): Properties {
  const inputs = inputsOf(state);
  const declared = declaration(state);
  const seen = unclearFields(state).filter((name) => name in declared && !fields[name]?.writeOnly);
  return { ...inputs, ...keyed(seen, (name) => beside(declared[name], inputs[name])) };
}

/** The second value, with the keys of the first that it does not have. */
function beside(more: unknown, value: unknown): unknown {
  return isRecord(more) && isRecord(value) ? { ...more, ...value } : (value ?? more);
}

/** podlumi's own keys after a read, which may show that the object has become ready, and what an unclear update has done. */
export function internalsAfterRead({ kind, state, api }: Existing, observed: Observed): Properties {
  const { __unfinished, ...internals } = internalsOf(state);
  const unfinished = unfinishedIn(state);
  const isNotReady = kind.readiness?.isSeen?.(observed) ? undefined : unfinished.isNotReady;
  const unclear = unclearAfterRead(api(), kind.fields, state);
  return { ...internals, ...withUnfinished({ ...unfinished, isNotReady, unclear }) };
}

/** The note after a read. Once the update has taken effect or never will, only write-only fields stay in it. */
function unclearAfterRead(api: Api, fields: FieldTable, state: Properties): Unfinished["unclear"] {
  const { unclear } = unfinishedIn(state);
  if (unclear === undefined) return undefined;
  const isOver = api.now() - Date.parse(unclear.at) > usualEffect;
  const left = unclear.fields.filter((name) => !isOver || fields[name]?.writeOnly);
  return left.length === 0 ? undefined : { ...unclear, fields: left };
}
