import * as z from "zod";
import { at } from "../path";
import { filtered, isRecord, mapped, type Properties } from "../value";
import type { FieldTable } from "./field";
import { element, shapeOf, withoutOptional } from "./schemas";

/**
 * The inputs without the keys that only outputs have: a program may give one resource what another one has, as in `gpu: other.gpu`. `outputs`
 * names the keys of each output.
 */
export function withoutReadOnly(fields: FieldTable, outputs: Properties, given: Properties): Properties {
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
  return mapped(given, (value, name) => within(fields[name]?.schema, value, outputs[name]));
}

/** An object takes a key, or may: what takes no object at all has no keys. */
function isArgument(schema: unknown, key: string): boolean {
  const inner = withoutOptional(schema);
  if (inner instanceof z.ZodUnion) return inner.options.some((option) => isArgument(option, key));
  return !(inner instanceof z.ZodObject) || key in inner.shape;
}
