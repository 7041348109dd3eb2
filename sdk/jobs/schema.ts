/**
 * A schema of any library that follows Standard Schema 1: zod from 3.24, valibot, arktype and others. `Given` is the
 * type of its input, `Made` is the type of its result.
 *
 * @example
 * ```ts
 * const input: Schema<{ prompt: string }> = z.object({ prompt: z.string() });
 * ```
 */
export interface Schema<Given = unknown, Made = unknown> {
  /** The interface that Standard Schema demands. */
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Made> | Promise<SchemaResult<Made>>;
    readonly types?: { readonly input: Given; readonly output: Made } | undefined;
  };
}

/** The result of checking a value: the value that the schema made of it, or what does not fit. */
export type SchemaResult<Made> =
  | { readonly value: Made; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/** One thing that does not fit a schema, and where. */
export interface SchemaIssue {
  /** A sentence about the misfit. */
  readonly message: string;
  /** Where in the value; undefined for the whole of it. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Applies a schema: its result, or one line for each thing that does not fit. Without a schema, every value passes. */
export async function applied<Made>(
  schema: Schema<unknown, Made> | undefined,
  value: unknown,
  name: string,
): Promise<{ made: Made; faults: string[] }> {
  if (schema === undefined) return { made: value as Made, faults: [] };
  const result = await schema["~standard"].validate(value);
  if (result.issues === undefined) return { made: result.value, faults: [] };
  const faults = result.issues.map(
    ({ message, path = [] }) => `${[name, ...path.map(key)].join(".")}: ${message}`,
  );
  return { made: undefined as Made, faults };
}

const key = (segment: PropertyKey | { readonly key: PropertyKey }) =>
  String(typeof segment === "object" ? segment.key : segment);
