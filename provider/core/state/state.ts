import { type Field, type FieldTable, fieldFor, isDiscreet, isLasting } from "../../schema/field";
import {
  asWritten,
  covers,
  defined,
  filtered,
  isBlank,
  isRecord,
  mapped,
  type Outline,
  outline,
  type Properties,
  pick,
} from "../../value";
import { type Observed, setElsewhere } from "../kind";
import { withoutMark } from "../mark/carried";
import { declaration, toClear, wanted } from "./declared";
import { expiryOutputs } from "./expiry";
import { only } from "./internals";

/**
 * The state: everything observed, the program's values of write-only fields, and the outline of its inputs. Equal values have the program's
 * form. `settled` tells what of a field goes into the state. Default: all of it.
 */
export function stateOf(
  fields: FieldTable,
  observed: Observed,
  inputs: Properties,
  before: Properties = {},
  settled = (_name: string, present: unknown) => present,
): Properties {
  const seen = withLeftOut(fields, withTimeLimit(fields, observed, before), before);
  const { id, ...state } = withoutMark(seen);
  const declared: Record<string, Outline> = {};
  for (const [name, field] of Object.entries(fields)) {
    const input = inputs[name];
    if (input !== undefined) declared[name] = outline(input);
    const present = withWriteOnly(fieldFor(field, inputs), state[name], input, before[name]);
    const value = settled(name, present);
    const isExact = field.exact && !isBlank(value);
    state[name] = field.shared ? ownKeys(value, input) : isExact ? value : asWritten(value, input);
  }
  return plain({ ...state, __declared: declared });
}

/** The state of an object that the program reads but does not declare: the service's response. */
export function stateOfFound(fields: FieldTable, observed: Observed): Properties {
  const { id, ...found } = withoutMark(withTimeLimit(fields, observed));
  return plain(found);
}

/** The inputs that a refresh returns: what the program declared, with the values of the state. */
export function inputsOf(state: Properties): Properties {
  return plain(mapped(declaration(state), (shape, name) => pick(state[name], shape ?? true)));
}

/** Adds defaults that the program has written out since the last change: no update has told the state of them, so only the engine's inputs do. */
export function withWrittenDefaults(
  fields: FieldTable,
  state: Properties,
  inputs: Properties,
  ofEngine: Properties,
): Properties {
  const more = Object.entries(fields).flatMap(([name, { cleared, clearedKeys = {} }]) => {
    const [input, own] = [ofEngine[name], inputs[name]];
    const isDefault = (value: unknown, to: unknown, given: unknown) =>
      given !== undefined && to !== undefined && covers(value ?? to, given);
    if (own === undefined) return isDefault(state[name], cleared, input) ? [[name, input]] : [];
    if (!isRecord(input) || !isRecord(own)) return [];
    const isWritten = (key: string) =>
      !(key in own) && isDefault(Object(state[name])[key], clearedKeys[key], input[key]);
    return [[name, { ...own, ...filtered(input, isWritten) }]];
  });
  return { ...inputs, ...Object.fromEntries(more) };
}

/** Inputs that the service returns and that are not secret. By this copy in `__asked`, a diff tells a change of the program from drift. */
export function visibleInputs(fields: FieldTable, inputs: Properties): Properties {
  const visible = filtered(fields, (_name, field) => field.writeOnly !== true && !isDiscreet(field));
  return only(Object.keys(visible), inputs);
}

/** Write-only fields do not count. */
export function mayReplace(field: Field | undefined): boolean {
  const { change = "none", writeOnly } = field ?? {};
  return change !== "update" && change !== "none" && writeOnly !== true;
}

/** Removed from the program, and still in the object: it stays declared until an update clears it. */
export function uncleared(fields: FieldTable, state: Properties, before: Properties): Properties {
  return filtered(declaration(before), (name) => {
    const field = fields[name] && fieldFor(fields[name], inputsOf(state));
    return field !== undefined && "cleared" in field && !covers(state[name], field.cleared);
  });
}

/** Everything to ask of the service: the inputs, and values that clear the fields that the program removed. */
export function wantedInputs(fields: FieldTable, state: Properties, inputs: Properties): Properties {
  const declared = toClear(fields, state, inputs);
  const all = mapped(fields, (field, name) => wanted(fieldFor(field, inputs), inputs[name], declared[name]));
  return defined(all);
}

/** The body of a create, or of an update with only the changed fields. */
export function body(fields: FieldTable, values: Properties): Properties {
  const sent = filtered(values, (name, value) => value !== undefined && !fields[name]?.notInBody);
  return mapped(sent, (value, name) => fields[name]?.toRequest?.(value) ?? value);
}

/** Adds the time limit. It stands in the variables, so a response without them does not tell it. */
function withTimeLimit(fields: FieldTable, observed: Observed, before: Properties = {}): Observed {
  if (!("expiresAfter" in fields)) return observed;
  const limit = expiryOutputs(observed);
  const isTold = isRecord(observed.env) || limit.expiresAt !== undefined;
  const { expiresAfter, expiresAt } = isTold ? limit : before;
  return { ...observed, expiresAfter, expiresAt };
}

function withWriteOnly(field: Field, observed: unknown, input: unknown, before: unknown): unknown {
  // Without a value in the state, the next up sends the program's.
  if (observed === setElsewhere) return undefined;
  // Leaving it out changes nothing, so the object still has it.
  if (field.writeOnly === true && input === undefined && isLasting(field) && !("cleared" in field))
    return before;
  if (field.writeOnly === true) return input;
  if (field.writeOnly === undefined || !isRecord(observed) || !isRecord(input)) return observed;
  return { ...observed, ...only(field.writeOnly, input) };
}

/** Keeps earlier values of lasting fields that a response leaves out or empty, and of maps that it leaves out. */
function withLeftOut(fields: FieldTable, observed: Observed, before: Properties): Observed {
  const isLeftOut = (field: Field, value: unknown) =>
    (isLasting(field) && isBlank(value)) || (field.shared === true && !isRecord(value));
  const kept = filtered(before, (name, value) => {
    const field = fields[name];
    const isKept = field !== undefined && field.writeOnly !== true && isLeftOut(field, observed[name]);
    return isKept && !isBlank(value);
  });
  return { ...observed, ...kept };
}

/** Only the program's own keys of a map: a key that the platform adds can be secret (`JUPYTER_PASSWORD`). */
function ownKeys(value: unknown, input: unknown): unknown {
  if (!isRecord(value)) return isRecord(input) ? {} : value;
  return pick(value, isRecord(input) ? outline(input) : {});
}

/** The engine takes plain JSON only. */
function plain(value: Properties): Properties {
  return JSON.parse(JSON.stringify(value)) as Properties;
}
