import * as z from "zod";
import type { Api } from "../client/api";
import { isTimestamp } from "../client/clock";
import { definitions, type KindName } from "../resources";
import { argumentChecker, outputsInTexts } from "../schema/check";
import { checkFailure, printed } from "../schema/failure";
import type { Rule } from "../schema/rule";
import type { Properties } from "../value";
import { aboutObject } from "./about-object";

/** A function that only reads: previews call it, too. */
export interface FunctionDefinition<Args, Result> {
  /** The shape of each argument. */
  readonly args: { readonly [Name in keyof Args & string]: z.ZodType<Args[Name]> };
  /** Rules between arguments. */
  readonly rules?: readonly Rule[];
  /** The name of a list in a response of the plugin, which has only named values. */
  readonly list?: string;
  /** The kind of the objects that it finds. */
  readonly kind?: KindName;
  ask(api: Api, args: Args): Promise<Result>;
}

/** A definition for each function of an interface. */
export type Definitions<Signatures extends Record<keyof Signatures, (args: never) => unknown>> = {
  readonly [Name in keyof Signatures]: FunctionDefinition<
    Parameters<Signatures[Name]>[0],
    ReturnType<Signatures[Name]>
  >;
};

/** A result with named values, as the plugin and mocks return it: a list gets the name that the service has for it. */
export function asProperties(result: unknown, { list }: { readonly list?: string }): Properties {
  return list === undefined ? (result as Properties) : { [list]: result };
}

/** The call of a function about one object, which may be none of this account, or about a part of it, which it may not have. */
export function about<Args, Result>(
  kind: KindName,
  idOf: (args: Args) => string,
  ask: (api: Api, args: Args) => Promise<Result>,
  part?: (args: Args) => string,
) {
  return (api: Api, args: Args): Promise<Result> =>
    aboutObject(definitions[kind], api, idOf(args), () => ask(api, args), part?.(args));
}

/** A worker in an error. */
export const workerInWords = (id: string) =>
  `worker "${id}", or no longer: getWorkers tells which workers it has`;

/** An id or a name: any text that is not empty. */
export const text = z.string().min(1);

/** A point in time, with its zone (RFC 3339): nothing tells which one would be meant without. */
export const time = z
  .string()
  .refine((text) => isTimestamp(text), "must be a time with its zone, such as 2026-06-01T12:00:00Z");

/** What is wrong with the arguments of a program, one line each. Both faces ask, since a compiler has not checked every program. */
export function wrongArguments(
  { args, rules }: { readonly args: object; readonly rules?: readonly Rule[] },
  given: object,
): string[] {
  const texts = outputsInTexts(given);
  const failures =
    texts.length > 0 ? texts : argumentChecker(args as Record<string, z.ZodType>, rules)(given as Properties);
  return failures.map((failure) => printed(checkFailure(failure)).reason);
}
