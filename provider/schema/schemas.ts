import * as z from "zod";

export type Unit = "GB" | "seconds" | "milliseconds";

/** A number of a unit, which messages name. */
export function measured<T extends z.ZodType>(unit: Unit, schema: T): T {
  return schema.describe(unit);
}

export function unitOf(schema: unknown): Unit | undefined {
  const inner = withoutOptional(schema);
  return inner instanceof z.ZodNumber ? (inner.description as Unit | undefined) : undefined;
}

export function withoutOptional(schema: unknown): unknown {
  return schema instanceof z.ZodOptional ? withoutOptional(schema.unwrap()) : schema;
}

export function element(schema: unknown): unknown {
  const list = withoutOptional(schema);
  return list instanceof z.ZodArray ? list.element : undefined;
}

/** The properties of an object schema. For a union, those of the option that matches the `type` of the value. */
export function shapeOf(schema: unknown, value: unknown): Record<string, unknown> {
  const inner = withoutOptional(schema);
  if (inner instanceof z.ZodObject) return inner.shape;
  if (!(inner instanceof z.ZodUnion)) return {};
  const chosen = inner.options.find(
    (option) => z.looseObject({ type: shapeOf(option, value).type as z.ZodType }).safeParse(value).success,
  );
  return shapeOf(chosen, value);
}
