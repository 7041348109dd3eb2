import { isDeepStrictEqual } from "node:util";
import {
  type Change,
  type Context,
  type Differences,
  type Field,
  type FieldTable,
  fieldFor,
} from "../../schema/field";
import { covers, filtered, hasUnknown, isEmpty, isRecord, keyed, type Outline } from "../../value";
import { declaration, toClear, wanted } from "../state/declared";

export async function differences(fields: FieldTable, context: Context): Promise<Differences> {
  const { state, inputs } = context;
  const declared = toClear(fields, state, inputs);
  const found = new Map<string, Exclude<Change, "none">>();
  for (const [name, one] of Object.entries(fields)) {
    const field = fieldFor(one, inputs);
    if (field.change === "none" || !differs(field, state[name], inputs[name], declared[name])) continue;
    const change = await changeOf(field, state[name], inputs[name], context);
    if (change !== "none") found.set(name, change);
  }
  return found;
}

/** Unchanged values that became declared, or no longer are. Saved, so that a later run knows what to clear. Defaults need no update. */
export async function redeclared(
  fields: FieldTable,
  context: Context,
  found: Differences,
): Promise<string[]> {
  const { state, inputs } = context;
  const declared = declaration(state);
  const names: string[] = [];
  for (const [name, one] of Object.entries(fields)) {
    const field = fieldFor(one, inputs);
    const value = state[name];
    if (found.has(name) || field.writeOnly === true || field.createOnly || value === undefined) continue;
    const isNews = clearsOtherwise(field, value, inputs[name], declared[name]);
    // A value that only a replacement could clear cannot drift either.
    const to = inputs[name] ?? field.cleared;
    if (isNews && (await changeOf(field, value, to, context)) === "update") names.push(name);
  }
  return names;
}

/** A removal would clear other keys than before. */
function clearsOtherwise(
  { cleared, clearedKeys = {} }: Field,
  value: unknown,
  input: unknown,
  declared: Outline | undefined,
): boolean {
  const differ = (was: boolean, is: boolean, present: unknown, to: unknown) =>
    was !== is && to !== undefined && (was || !covers(present, to));
  const has = (one: unknown, key: string) => isRecord(one) && one[key] !== undefined;
  return (
    differ(declared !== undefined, input !== undefined, value, clearing(cleared, value)) ||
    Object.entries(clearedKeys).some(([key, to]) =>
      differ(has(declared, key), has(input, key), isRecord(value) ? value[key] : undefined, to),
    )
  );
}

/** The fields whose difference needs a replacement. */
export function replacing(differences: Differences): string[] {
  return [...differences].filter(([, change]) => change === "replace").map(([name]) => name);
}

/** Leaves out keys that would clear what the object does not have, as `idleTimeout` of an endpoint that scales without idling. */
function clearing(to: unknown, present: unknown, input: unknown = {}): unknown {
  if (!isRecord(to) || !isRecord(present)) return to;
  return filtered(to, (key) => key in present || (isRecord(input) && key in input));
}

/** The field is not as the program says. */
export function differs(
  field: Field,
  observed: unknown,
  input: unknown,
  declared: Outline | undefined,
): boolean {
  if (hasUnknown(input)) return true;
  if (input === undefined && (declared === undefined || !("cleared" in field))) return false;
  if (field.exact) {
    const to = wanted(field, input, declared);
    return !(isEmpty(observed) && isEmpty(to)) && !isDeepStrictEqual(observed, to);
  }
  const from = relevant(field, observed) ?? field.cleared;
  const to = clearing(wanted(field, input, declared), from, input);
  if (field.shared) return !hasOwnKeys(from, to, declared);
  // The program declares no key of the object, now or before, so all keys are the service's choice.
  if (field.clearedKeys !== undefined && isRecord(to) && isEmpty(to)) return false;
  return (
    !covers(from, to) ||
    removedKeys(to, declared).some((key) => isRecord(from) && !covers(from[key], undefined))
  );
}

/** A shared map has the program's keys with exactly their text, which may be empty, and none that it removed. */
export function hasOwnKeys(observed: unknown, to: unknown, declared?: Outline): boolean {
  const present = new Map(Object.entries(isRecord(observed) ? observed : {}));
  const own = Object.entries(isRecord(to) ? to : {});
  return (
    own.every(([key, text]) => present.has(key) && `${present.get(key)}` === `${text}`) &&
    !removedKeys(to, declared).some((key) => present.has(key))
  );
}

function relevant({ keys }: Field, observed: unknown): unknown {
  if (keys === undefined || !isRecord(observed)) return observed;
  return keyed(keys, (key) => observed[key]);
}

/** Keys of a map or an object that the program removed and that no value clears. */
export function removedKeys(to: unknown, declared: unknown): string[] {
  if (!isRecord(to) || !isRecord(declared)) return [];
  return Object.keys(declared).filter((key) => !Object.hasOwn(to, key));
}

/** Of an unknown value, the most that one of its values could need. */
export function changeOf(
  field: Field,
  from: unknown,
  to: unknown,
  context: Context,
): Change | Promise<Change> {
  return typeof field.change === "function" ? field.change(from, to, context) : field.change;
}
