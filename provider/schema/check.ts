import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { at, type Path } from "../path";
import { filtered, isRecord, isUnknown, mapped, type Properties } from "../value";
import { type Failure, invalid } from "./failure";
import type { FieldTable } from "./field";
import { type Checked, failuresOf } from "./issues";
import { brokenBy, isOpen, type Rule } from "./rule";
import { element, shapeOf, withoutOptional } from "./schemas";

/**
 * `before` has the inputs in the state; undefined for a resource without an object. A field that is as before is no mistake of the
 * program: with `ignoreChanges`, the engine puts in values of a refresh, or takes out values that the service never returns.
 */
export type Checker = (inputs: Properties, before?: Properties) => Failure[];

/** Validates inputs of a resource, or arguments of a function, without the service. */
export function checker(fields: Readonly<Record<string, Checked>>, rules: readonly Rule[] = []): Checker {
  const schema = z.strictObject(mapped(fields, (field) => field.schema));
  return (inputs, before) => {
    const isAsBefore = (name: string) =>
      before !== undefined && isDeepStrictEqual(inputs[name], before[name]);
    const texts = outputsInTexts(filtered(inputs, (name) => !isAsBefore(name)));
    if (texts.length > 0) return texts;
    const invalid = (schema.safeParse(inputs).error?.issues ?? []).map((issue) => ({
      field: issue.path[0],
      failures: failuresOf(issue, inputs, fields),
    }));
    // Unknown values have no shape yet, and no failures.
    const misshapen = new Set(invalid.flatMap(({ field, failures }) => (failures.length > 0 ? field : [])));
    return [
      ...invalid
        .filter(({ field }) => field === undefined || !isAsBefore(String(field)))
        .flatMap(({ failures }) => failures),
      ...rules
        .filter(({ needs, ofObject }) => ofObject !== "only" && !needs.every(isAsBefore))
        .filter((rule) => !rule.needs.some((name) => misshapen.has(name)) && !isOpen(rule, inputs))
        .flatMap((rule) => brokenBy(rule, inputs)),
    ];
  };
}

/** The values of arguments that take any text. */
export function freeTexts(args: Readonly<Record<string, unknown>>, values: Properties): string[] {
  const isFree = (schema: unknown) => (element(schema) ?? withoutOptional(schema)) instanceof z.ZodString;
  return Object.keys(args)
    .filter((name) => isFree(args[name]))
    .flatMap((name) => [values[name]].flat())
    .filter((value) => typeof value === "string");
}

/** Pulumi's libraries for JavaScript and Python write this into a text in place of an output. */
const placeholder = /Calling \S+ on an \[?Output\WT\W+is not supported/;

const outputInText =
  "an output has no value in a text: use pulumi.interpolate, pulumi.jsonStringify or apply; " +
  "in Python, pulumi.Output.format, pulumi.Output.json_dumps or apply";

/** The texts, at any depth, into which the program has put an output. */
function outputsInTexts(value: unknown, path: Path = []): Failure[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => outputsInTexts(item, [...path, index]));
  if (isRecord(value))
    return Object.entries(value).flatMap(([name, item]) => outputsInTexts(item, [...path, name]));
  const hasOutput = typeof value === "string" && placeholder.test(value);
  return hasOutput ? [invalid(path, outputInText)] : [];
}

/** A dictionary of Python has null for what it leaves out. Null values of variables, and of the program's own JSON, stay. */
export function withoutNulls(fields: FieldTable, inputs: Properties): Properties {
  const filled = (values: Properties, each: (value: unknown, name: string) => unknown) =>
    mapped(
      filtered(values, (_name, value) => value !== null),
      each,
    );
  const within = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(within);
    return isRecord(value) ? filled(value, within) : value;
  };
  const isOfProgram = (name: string) => fields[name]?.shared || fields[name]?.exact;
  return filled(inputs, (value, name) => (isOfProgram(name) ? value : within(value)));
}

/** With defaults, in the shape of the outputs. */
export function completed(fields: FieldTable, inputs: Properties): Properties {
  const complete = { ...inputs };
  for (const [name, field] of Object.entries(fields)) {
    if (complete[name] === undefined && field.default !== undefined) complete[name] = field.default;
    if (field.normalize && complete[name] !== undefined && !isUnknown(complete[name])) {
      complete[name] = field.normalize(complete[name]);
    }
  }
  return complete;
}

/**
 * Without keys that only outputs have: a program may pass an output of another resource, as in `gpu: other.gpu`. `outputs` names the
 * keys of each output.
 */
export function withoutReadOnly(fields: FieldTable, outputs: Properties, inputs: Properties): Properties {
  const within = (schema: unknown, value: unknown, output: unknown): unknown => {
    if (Array.isArray(value)) return value.map((item) => within(element(schema), item, output));
    if (!isRecord(value)) return value;
    const shape = shapeOf(schema, value);
    const isReadOnly = (key: string) => isRecord(output) && key in output && !isArgument(schema, key);
    // In `placements`, each place has arguments of the pod.
    return mapped(
      filtered(value, (key) => !isReadOnly(key)),
      (item, key) => (key in shape ? within(shape[key], item, at(output, key) ?? outputs[key]) : item),
    );
  };
  return mapped(inputs, (value, name) => within(fields[name]?.schema, value, outputs[name]));
}

/** True also for a schema that takes no object: it has no keys to compare with. */
function isArgument(schema: unknown, key: string): boolean {
  const inner = withoutOptional(schema);
  if (inner instanceof z.ZodUnion) return inner.options.some((option) => isArgument(option, key));
  return !(inner instanceof z.ZodObject) || key in inner.shape;
}
