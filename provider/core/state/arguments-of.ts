import type { z } from "zod";
import type { Api } from "../../client/api";
import type { Field } from "../../schema/field";
import { covers, defined, filtered, isEmpty, isRecord, mapped, type Properties } from "../../value";
import type { Kind, Observed } from "../kind";
import { markOf } from "../mark/carried";
import type { Mark } from "../mark/mark";

/** An object with everything that a program could declare of it, and the mark that it carries, which no program declares. */
export interface Whole {
  readonly object: Observed;
  /** The service's answer, also what `object` has in another form. */
  readonly observed: Observed;
  readonly mark: Mark | undefined;
}

/** Reads an object as a whole; undefined when there is none. */
export async function readWhole(kind: Kind, api: Api, id: string): Promise<Whole | undefined> {
  const observed = await kind.read(api, id, {}, { isWhole: true });
  if (observed === undefined) return undefined;
  return { object: await withWritten(kind, api, id, observed), observed, mark: markOf(kind, observed) };
}

/** An object with the values of arguments that the service returns elsewhere. */
export async function withWritten(kind: Kind, api: Api, id: string, observed: Observed): Promise<Observed> {
  return { ...observed, ...(await kind.outputs.written?.(observed, api, id)) };
}

/** The arguments that declare an object: every value that is not a default, in the shape that a program writes. */
export function argumentsOf({ fields }: Kind, whole: Observed): Properties {
  return defined(mapped(fields, (field, name) => argument(field, whole[name])));
}

function argument(field: Field, observed: unknown): unknown {
  if (field.change === "none") return undefined;
  if (isEmpty(observed)) return mustBeGiven(field) ? fitted(field.schema, observed) : undefined;
  // A variable or a tag with an empty text is set, too.
  if (field.shared || field.exact) return fitted(field.schema, observed);
  if ("cleared" in field && covers(observed, field.cleared)) return undefined;
  const written = field.normalize && field.toRequest ? field.toRequest(observed) : observed;
  if (written === field.default) return undefined;
  const value = withoutDefaults(field, written);
  return isEmpty(value) ? undefined : fitted(field.schema, value);
}

const mustBeGiven = ({ schema }: Field) => !schema.safeParse(undefined).success;

/** An object without the keys that have their default value. */
function withoutDefaults({ clearedKeys = {} }: Field, value: unknown): unknown {
  if (!isRecord(value)) return value;
  return filtered(
    value,
    (key, item) => !isEmpty(item) && !(key in clearedKeys && covers(item, clearedKeys[key])),
  );
}

/** A value without the keys that no program can write; undefined when no program can write the value at all. */
function fitted(schema: z.ZodType, value: unknown): unknown {
  const fit = structuredClone({ value });
  for (const issue of schema.safeParse(value).error?.issues ?? []) {
    if (issue.code !== "unrecognized_keys") return undefined;
    const holder = issue.path.reduce<unknown>((inner, key) => (inner as Properties)[String(key)], fit.value);
    for (const key of issue.keys) delete (holder as Properties)[key];
  }
  return schema.safeParse(fit.value).success ? fit.value : undefined;
}
