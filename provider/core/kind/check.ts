import { isDeepStrictEqual } from "node:util";
import type { CheckFailure } from "@pulumi/pulumi/dynamic";
import * as z from "zod";
import { withCode } from "../../codes";
import { filtered, hasUnknown, isRecord, isUnknown, mapped, type Properties } from "../value";
import type { FieldTable } from "./field";
import { failuresOf } from "./issues";
import { outputsInTexts } from "./output-text";
import { element, withoutOptional } from "./schemas";

/** An invalid property, and a sentence that says how to fix it. */
export interface Failure {
  property: string;
  reason: string;
  /** The code of its entry in docs/troubleshooting.md. Default: `PODLUMI-INVALID`. */
  code?: string;
}

/** A failure as the engine takes it. */
export function checkFailure({ property, reason, code = "PODLUMI-INVALID" }: Failure): CheckFailure {
  return { property, reason: withCode(reason, code) };
}

/**
 * A failure with its path in the text. Beside a property of its own, the engine prints the program's value, even a secret one, and
 * `{<nil>}` for all that is nested.
 */
export function printed({ property, reason }: CheckFailure): CheckFailure {
  return { property: "", reason: property === "" ? reason : `${property}: ${reason}` };
}

/** A failure as a sentence with its path. */
export function sentenceOf(failure: Failure): string {
  const { reason } = printed(failure);
  return reason.endsWith("?") ? reason : `${reason}.`;
}

/** A rule between fields. It is skipped while a field in `needs` is unknown or invalid. */
export interface Rule {
  readonly needs: readonly string[];
  readonly check: (inputs: Properties) => Failure | readonly Failure[] | undefined;
  /**
   * It holds for the whole object: also for what the program leaves to others, or for that only, since podlumi sees to the program's own.
   * Without it, a rule is about what a program may say.
   */
  readonly ofObject?: "too" | "only";
  /** It is about the names in its fields, so it also holds while their values are unknown. */
  readonly ofNames?: true;
}

export function rule(needs: readonly string[], check: Rule["check"]): Rule {
  return { needs, check };
}

export function namesRule(needs: readonly string[], check: Rule["check"]): Rule {
  return { needs, check, ofNames: true };
}

export function objectRule(ofObject: "too" | "only", needs: readonly string[], check: Rule["check"]): Rule {
  return { needs, check, ofObject };
}

/** What a rule finds wrong. */
export function brokenBy({ check }: Rule, inputs: Properties): readonly Failure[] {
  return [check(inputs) ?? []].flat();
}

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
    const issues = schema.safeParse(inputs).error?.issues ?? [];
    const misshapen = new Set(issues.map(({ path }) => path[0]));
    return [
      ...issues
        .filter(({ path: [name] }) => name === undefined || !isAsBefore(String(name)))
        .flatMap((issue) => failuresOf(issue, [], inputs, fields)),
      ...rules
        .filter(({ needs, ofObject }) => ofObject !== "only" && !needs.every(isAsBefore))
        .filter(({ needs, ofNames }) => {
          const isOpen = ofNames ? isUnknown : hasUnknown;
          return !needs.some((name) => misshapen.has(name) || isOpen(inputs[name]));
        })
        .flatMap((one) => brokenBy(one, inputs)),
    ];
  };
}

/** Validates the arguments of a function. No text repeats a value, since any of them may be a secret. */
export function argumentChecker(args: Readonly<Record<string, z.ZodType>>): (given: Properties) => Failure[] {
  const fields = mapped(args, (schema) => ({ schema, sensitive: true }) as const);
  const schema = z.strictObject(args);
  return (given) =>
    (schema.safeParse(given).error?.issues ?? []).flatMap((issue) => failuresOf(issue, [], given, fields));
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
