import { type Field, type FieldTable, isGiven } from "../../schema/field";
import { filtered, isRecord, mapped, type Outline, type Properties } from "../../value";

type Declared = Record<string, Outline | undefined>;

/** The outline of the program's last inputs, from the state. */
export function declaration(state: Properties): Declared {
  return isRecord(state.__declared) ? (state.__declared as Record<string, Outline>) : {};
}

/** False for an object that the program only reads (`get`). */
export function isDeclared({ __declared }: Properties): boolean {
  return __declared !== undefined;
}

/** A refresh of an object that the program only reads passes the outputs in the state; the program passes the id alone. */
export function isReadAgain(state: Properties): boolean {
  return !isDeclared(state) && Object.keys(state).some((name) => !name.startsWith("__"));
}

/** The program's last inputs, and what they gave to other fields and give no longer, as `cmd` in place of `args`: nothing else clears that. */
export function toClear(fields: FieldTable, state: Properties, inputs: Properties): Declared {
  const declared = declaration(state);
  const given = filtered(fields, (_name, { givenBy = [] }) =>
    givenBy.some((giver) => declared[giver] !== undefined && isGiven(fields[giver], inputs)),
  );
  return { ...mapped(given, () => true as const), ...declared };
}

/** The value to ask for: the program's own, or, for what the program removed, the value that clears it. */
export function wanted(field: Field, input: unknown, declared: Outline | undefined): unknown {
  if (input === undefined) return declared === undefined ? undefined : field.cleared;
  if (!isRecord(input) || !isRecord(declared) || field.clearedKeys === undefined) return input;
  return { ...filtered(field.clearedKeys, (key) => key in declared), ...input };
}
