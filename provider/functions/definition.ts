import * as z from "zod";
import type { Api } from "../client/api";
import { isTimestamp } from "../client/clock";
import type { KindName } from "../resources";
import { checker } from "../schema/check";
import { checkFailure, printed } from "../schema/failure";
import type { Rule } from "../schema/rule";
import { mapped, type Properties } from "../value";
import type { ArgsOf, FunctionName, ResultOf } from "./signatures";

/** A function that only reads: previews call it, too. */
export interface FunctionDefinition<Args, Result> {
  readonly args: { readonly [Name in keyof Args & string]: z.ZodType<Args[Name]> };
  readonly rules?: readonly Rule[];
  /** The plugin returns only named values, so a list needs a name. */
  readonly list?: string;
  /** The kind of the returned objects. */
  readonly kind?: KindName;
  ask(api: Api, args: Args): Promise<Result>;
}

export type Definitions = {
  readonly [Name in FunctionName]: FunctionDefinition<ArgsOf<Name>, ResultOf<Name>>;
};

/** A result of the plugin or a mock. */
export function asProperties(result: unknown, { list }: { readonly list?: string }): Properties {
  return list === undefined ? (result as Properties) : { [list]: result };
}

/** An id or a name. */
export const text = z.string().min(1);

/** A point in time with its zone (RFC 3339): without it, nothing tells which zone is meant. */
export const time = z
  .string()
  .refine((text) => isTimestamp(text), "must be a time with its zone, such as 2026-06-01T12:00:00Z");

/**
 * A line for each mistake in the arguments of a program. Not every program has been checked by a compiler. No text repeats a value,
 * since any of them may be a secret.
 */
export function wrongArguments(
  { args, rules }: { readonly args: object; readonly rules?: readonly Rule[] },
  values: object,
): string[] {
  const fields = mapped(
    args as Record<string, z.ZodType>,
    (schema) => ({ schema, sensitive: true }) as const,
  );
  const failures = checker(fields, rules)(values as Properties);
  return failures.map((failure) => printed(checkFailure(failure)).reason);
}
