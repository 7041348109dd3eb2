import * as z from "zod";

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
