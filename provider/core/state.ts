import type { Observed } from "./definition";
import { declaration, removedKeys, wanted } from "./diff";
import type { Field } from "./field";
import { parseMark } from "./mark";
import { asWritten, isEmpty, isRecord, type Outline, outline, type Properties, pick } from "./value";

type FieldTable = Readonly<Record<string, Field>>;

/**
 * What the engine keeps as outputs: everything observed, written the program's way where it means the same, what
 * the service never answers as the program says it, and which properties the program declares.
 */
export function stateOf(
  fields: FieldTable,
  observed: Observed,
  inputs: Properties,
  before: Properties = {},
): Properties {
  const seen = withLeftOut(fields, observed, before);
  const { id, ...state } = withoutMark(seen);
  const declared: Record<string, Outline> = {};
  for (const [name, field] of Object.entries(fields)) {
    const input = inputs[name];
    if (input !== undefined) declared[name] = outline(input);
    const value = asWritten(withWriteOnly(field, seen[name], input), input);
    state[name] = field.shared ? ownKeys(value, input) : value;
  }
  return plain({ ...state, __declared: declared });
}

/**
 * What podlumi itself keeps beside the properties: whose the object is, the name that it made up, what the program last
 * asked for, when it was made, an open end.
 */
export function internalsOf(properties: Properties): Properties {
  const { __urn, __stack, __autoname, __asked, __made, __mark, __unanswered } = properties;
  const internals = { __urn, __stack, __autoname, __asked, __made, __mark, __unanswered };
  return Object.fromEntries(Object.entries(internals).filter(([, value]) => value !== undefined));
}

/** What a program says, without what podlumi adds to it. */
export function withoutInternals({
  __provider,
  __urn,
  __stack,
  __autoname,
  ...given
}: Properties): Properties {
  return given;
}

/** The state of an object that the program reads but does not declare: as the service answers it. */
export function stateOfFound(observed: Observed): Properties {
  const { id, ...found } = withoutMark(observed);
  return plain(found);
}

/** What the program declared, with the values of the state: the inputs that a refresh gives back. */
export function inputsOf(state: Properties): Properties {
  const inputs = Object.entries(declaration(state)).map(([name, shape]) => [
    name,
    pick(state[name], shape ?? true),
  ]);
  return plain(Object.fromEntries(inputs));
}

/**
 * What the program asks for and anybody may see. A refresh writes what it finds over the inputs, so this is the only word of
 * the program that is left: by it, its own changes are told from the service's.
 */
export function visibleInputs(fields: FieldTable, inputs: Properties): Properties {
  const names = Object.keys(fields).filter((name) => {
    const { writeOnly, sensitive, shared } = fields[name] ?? {};
    return writeOnly !== true && !sensitive && !shared && inputs[name] !== undefined;
  });
  return Object.fromEntries(names.map((name) => [name, inputs[name]]));
}

/** What a change of can cost the object. */
export function isCostly(field: Field | undefined): boolean {
  const { change = "none", writeOnly } = field ?? {};
  return change !== "update" && change !== "none" && writeOnly !== true;
}

/** What is asked of the service in all: the inputs, and what clears the fields that were removed from the program. */
export function wantedInputs(fields: FieldTable, state: Properties, inputs: Properties): Properties {
  const declared = declaration(state);
  const entries = Object.entries(fields).map(([name, field]) => [
    name,
    wanted(field, inputs[name], declared[name]),
  ]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** A create body, or the changed part of one. */
export function body(fields: FieldTable, values: Properties): Properties {
  const sent = Object.entries(values).filter(
    ([name, value]) => value !== undefined && !fields[name]?.notInBody,
  );
  return Object.fromEntries(sent.map(([name, value]) => [name, fields[name]?.wire?.(value) ?? value]));
}

/** A shared map as the service has to get it: what others put there, without what the program removed, and its own. */
export function sharedMap(observed: unknown, value: unknown, declared: Outline | undefined): unknown {
  if (!isRecord(value)) return value;
  const removed = new Set(removedKeys(value, declared));
  const others = Object.entries(isRecord(observed) ? observed : {}).filter(([key]) => !removed.has(key));
  return { ...Object.fromEntries(others), ...value };
}

/** A description that holds podlumi's mark says nothing to people. */
function withoutMark(observed: Observed): Observed {
  return parseMark(observed.description) === undefined ? observed : { ...observed, description: null };
}

function withWriteOnly(field: Field, observed: unknown, input: unknown): unknown {
  if (field.writeOnly === true) return input;
  if (field.writeOnly === undefined || !isRecord(observed) || !isRecord(input)) return observed;
  const kept = field.writeOnly.filter((key) => input[key] !== undefined).map((key) => [key, input[key]]);
  return { ...observed, ...Object.fromEntries(kept) };
}

/** What cannot change in place is not gone because an answer leaves it out or empty, as that of a stopped pod does. */
function withLeftOut(fields: FieldTable, observed: Observed, before: Properties): Observed {
  const leftOut = Object.keys(fields).filter(
    (name) => isCostly(fields[name]) && isBlank(observed[name]) && !isBlank(before[name]),
  );
  return { ...observed, ...Object.fromEntries(leftOut.map((name) => [name, before[name]])) };
}

/** Nothing, however it is written: `{ network: [] }`, too. */
function isBlank(value: unknown): boolean {
  return isEmpty(value) || (isRecord(value) && Object.values(value).every(isBlank));
}

/** The program's own keys: what the platform adds can be a secret of its own (`JUPYTER_PASSWORD`). */
function ownKeys(value: unknown, input: unknown): unknown {
  return isRecord(value) ? pick(value, isRecord(input) ? outline(input) : {}) : value;
}

/** The engine takes plain JSON only. */
function plain(value: Properties): Properties {
  return JSON.parse(JSON.stringify(value)) as Properties;
}
