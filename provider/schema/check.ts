import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { filtered, isRecord, isUnknown, mapped, type Properties } from "../value";
import type { Failure } from "./failure";
import type { FieldTable } from "./field";
import { failuresOf } from "./issues";
import { outputsInTexts } from "./output-text";
import { brokenBy, isOpen, type Rule } from "./rule";
import { element, withoutOptional } from "./schemas";

/**
 * Finds what is wrong with inputs. `before` has those in the state; undefined for a resource that has no object yet. A field that is as
 * it was there is no mistake of the program: with `ignoreChanges`, the engine puts in what a refresh found, or takes out what nobody can tell.
 */
export type Checker = (inputs: Properties, before?: Properties) => Failure[];

/** Validates inputs without the service. The schema is built once for all resources of a kind. */
export function checker(fields: FieldTable, rules: readonly Rule[] = []): Checker {
  const schema = z.strictObject(mapped(fields, (field) => field.schema));
  return (inputs, before) => {
    const isAsBefore = (name: string) =>
      before !== undefined && isDeepStrictEqual(inputs[name], before[name]);
    const texts = outputsInTexts(filtered(inputs, (name) => !isAsBefore(name)));
    if (texts.length > 0) return texts;
    const found = (schema.safeParse(inputs).error?.issues ?? []).map((issue) => ({
      field: issue.path[0],
      failures: failuresOf(issue, inputs, fields),
    }));
    // What is unknown has no shape yet, and is no failure.
    const misshapen = new Set(found.flatMap(({ field, failures }) => (failures.length > 0 ? field : [])));
    return [
      ...found
        .filter(({ field }) => field === undefined || !isAsBefore(String(field)))
        .flatMap(({ failures }) => failures),
      ...rules
        .filter(({ needs }) => !needs.every(isAsBefore))
        .filter((one) => !one.needs.some((name) => misshapen.has(name)) && !isOpen(one, inputs))
        .flatMap((one) => brokenBy(one, inputs)),
    ];
  };
}

/** Validates the arguments of a function. No text repeats a value, since any of them may be a secret. */
export function argumentChecker(
  args: Readonly<Record<string, z.ZodType>>,
  rules: readonly Rule[] = [],
): (given: Properties) => Failure[] {
  const fields = mapped(args, (schema) => ({ schema, sensitive: true }) as const);
  const schema = z.strictObject(args);
  return (given) => {
    const { issues } = schema.safeParse(given).error ?? {};
    return issues === undefined
      ? rules.flatMap((one) => brokenBy(one, given))
      : issues.flatMap((issue) => failuresOf(issue, given, fields));
  };
}

/** The texts of arguments that may be any text. */
export function freeTexts(args: Readonly<Record<string, unknown>>, given: Properties): string[] {
  const isFree = (schema: unknown) => (element(schema) ?? withoutOptional(schema)) instanceof z.ZodString;
  return Object.keys(args)
    .filter((name) => isFree(args[name]))
    .flatMap((name) => [given[name]].flat())
    .filter((value) => typeof value === "string");
}

/**
 * The inputs without arguments that are null, and without such keys of objects: a dictionary of Python has them so where it gives none.
 * Variables, and JSON of the program's own, stay as they are.
 */
export function withoutNulls(fields: FieldTable, given: Properties): Properties {
  const filled = (values: Properties, each: (value: unknown, name: string) => unknown) =>
    mapped(
      filtered(values, (_name, value) => value !== null),
      each,
    );
  const within = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(within);
    return isRecord(value) ? filled(value, within) : value;
  };
  const isOwn = (name: string) => fields[name]?.shared || fields[name]?.exact;
  return filled(given, (value, name) => (isOwn(name) ? value : within(value)));
}

/** The inputs with defaults filled in, in the shape of the outputs. */
export function completed(fields: FieldTable, given: Properties): Properties {
  const inputs = { ...given };
  for (const [name, field] of Object.entries(fields)) {
    if (inputs[name] === undefined && field.default !== undefined) inputs[name] = field.default;
    if (field.normalize && inputs[name] !== undefined && !isUnknown(inputs[name])) {
      inputs[name] = field.normalize(inputs[name]);
    }
  }
  return inputs;
}
