import * as z from "zod";
import type { Api } from "../client/api";
import { ConfigurationError, NoAnswerError } from "../client/errors";
import { isEmpty, isUnknown, mapped, type Properties } from "../value";
import type { AdoptArgs } from "./arguments";
import { measured } from "./schemas";

/** The effect of a change of a field. */
export type Change = "none" | "update" | "replace";

/** The fields that differ between the state and the program. */
export type Differences = ReadonlyMap<string, Exclude<Change, "none">>;

/** Everything that a change rule may read beside the field's old and new value. */
export interface Context {
  readonly state: Properties;
  readonly inputs: Properties;
  /** Throws a ConfigurationError when the configuration allows no request. */
  api(): Api;
}

/**
 * Decides from the old and the new value. A preview may not know the new value, or a part of it (`isUnknown`), and that may turn out to
 * be missing, too. The rule then returns the most that any value could need.
 */
export type ChangeRule = (from: unknown, to: unknown, context: Context) => Change | Promise<Change>;

/** The rules of one input beside its shape. */
interface FieldOptions {
  /** Sent when the program removes the field. `undefined` means no value. Without this option, removing the field changes nothing. */
  cleared?: unknown;
  /** `cleared` for the keys of an object. */
  clearedKeys?: Readonly<Record<string, unknown>>;
  /** Filled in by check when the program gives no value. */
  default?: unknown;
  /** The service never returns the field, or these keys of it. The state keeps the program's value. */
  writeOnly?: true | readonly string[];
  /** Only these keys of an object are compared. The service may return others. */
  keys?: readonly string[];
  /** A map to which the platform adds keys. Only the program's keys are compared, and an update keeps the others. */
  shared?: true;
  /** Its rule never asks for a replacement. */
  inPlace?: true;
  /** A change in place restarts the container, with all inputs or with these. Its disk does not outlive that. (API: Pods, update) */
  restarts?: true | ((inputs: Properties) => boolean);
  /** A change in place to these inputs stops the container. Its disk does not outlive that. */
  stops?: (inputs: Properties) => boolean;
  /** The keys of an object mean nothing without each other, so an update sends all of them. */
  whole?: true;
  /** Sent when the object is created. An update changes it in the state alone. */
  createOnly?: true;
  /**
   * Reads the value of a write-only field from other properties of an object, in the shape of the field; undefined where they do not
   * tell it. An adopted object is compared by it.
   */
  held?: (object: Properties) => unknown;
  /** Not sent in create and update bodies. Code of the kind, such as `makeReady`, handles it where needed. */
  notInBody?: true;
  /**
   * Nothing empties it in place, so an empty value in a response, such as that for a stopped pod, stands for its earlier value. Always so
   * for a field of `replace`.
   */
  lasting?: true;
  /**
   * The field names an object, such as a template, with values for these settings, or keys of them (`gpu.count`). An update that sends
   * the field sends the program's values for them again.
   */
  givesSettings?: readonly string[];
  /** Where the program sets one of these fields, it also sets this field, such as a template or another form of the setting. */
  givenBy?: readonly string[];
  /** Controls podlumi; not part of the object. */
  setting?: true;
  /** Compared exactly, with every key and in the order of lists: the service never rewrites the value. Empty and unset are the same. */
  exact?: true;
  /** Never shown in a message. */
  sensitive?: true;
  /** Often holds a secret. Where the value comes from a template of another program, it counts as a secret in the state. */
  mayBeSecret?: true;
  /** Converts the program's value to the shape of the output. */
  normalize?: (value: unknown) => unknown;
  /** Converts the shape of the output to the shape of a request. */
  toRequest?: (value: unknown) => unknown;
}

/** One input of a resource: its shape, what a change of it means, and its rules. */
export interface Field extends FieldOptions {
  readonly schema: z.ZodType;
  readonly change: Change | ChangeRule;
}

/** The fields of a kind by their names. */
export type FieldTable = Readonly<Record<string, Field>>;

/** A field for every argument of a resource's class, except those of `AdoptArgs`. */
export type Fields<Args> = { readonly [Name in Exclude<keyof Args, keyof AdoptArgs>]-?: Field };

/** Write-only and not secret: its hash is in the mark. */
export function isHashedInMark({ writeOnly, sensitive, notInBody, held }: Field): boolean {
  return writeOnly !== undefined && !sensitive && !notInBody && held === undefined;
}

/** No message and no copy in the state may show the value: it is secret, or has variables, and any of them may be. */
export function isDiscreet({ sensitive, shared }: Pick<Field, "sensitive" | "shared">): boolean {
  return sensitive === true || shared === true;
}

/** The value is secret in every program, and only the program knows it: a password, or the value of a secret. */
export function isAlwaysSecret({ sensitive, writeOnly, notInBody }: Partial<Field> = {}): boolean {
  return sensitive === true && writeOnly === true && notInBody !== true;
}

/** Nothing clears a field that another one gives. */
export function fieldFor(field: Field, inputs: Properties): Field {
  if (!isGiven(field, inputs)) return field;
  const { cleared, ...rest } = field;
  return rest;
}

/** Another field sets the field's value. An empty one gives nothing. */
export function isGiven(field: Field | undefined, inputs: Properties): boolean {
  return field?.givenBy?.some((giver) => !isEmpty(inputs[giver])) ?? false;
}

/** The variables of containers in these inputs, each with its path. */
export function variablesIn(fields: FieldTable, inputs: Properties): { path: string[]; value: unknown }[] {
  return Object.keys(fields)
    .filter((name) => fields[name]?.shared)
    .flatMap((name) =>
      Object.entries(Object(inputs[name])).map(([key, value]) => ({ path: [name, key], value })),
    );
}

export function isLasting({ change, lasting }: Field): boolean {
  return change === "replace" || lasting === true;
}

/** Changed in place. */
export function update(schema: z.ZodType, options: FieldOptions = {}): Field {
  return { schema, change: "update", ...options };
}

/** These fields, each with more rules. */
export function each<Table extends FieldTable>(fields: Table, rules: Partial<Field>): Table {
  return mapped(fields, (field) => ({ ...field, ...rules })) as Table;
}

/** Immutable: a change replaces the object. */
export function replace(schema: z.ZodType, options: FieldOptions = {}): Field {
  return { schema, change: "replace", ...options };
}

/** The rule decides between an update and a replacement. */
export function change(schema: z.ZodType, rule: ChangeRule, options: FieldOptions = {}): Field {
  return { schema, change: rule, ...options };
}

/** Storage grows in place. The service shrinks none. (API: Network volumes, update) */
export function resized(from: unknown, to: unknown): Change {
  return isUnknown(to) || Number(to) < Number(from) ? "replace" : "update";
}

/** In place where the service can, otherwise by replacement. Without a key or an answer, it assumes the public service, which can. */
export function inPlaceWhere(able: (api: Api) => Promise<boolean>): ChangeRule {
  return async (_from, _to, { api }) => {
    try {
      return (await able(api())) ? "update" : "replace";
    } catch (error) {
      if (error instanceof ConfigurationError || error instanceof NoAnswerError) return "update";
      throw error;
    }
  };
}

/** The most seconds to wait: up to a day. */
export function timeout(least: 0 | 1 = 1): Field {
  return setting(measured("seconds", z.int().min(least).max(86_400)).optional());
}

/** Controls podlumi, not the service. A change updates the state only. */
export function setting(schema: z.ZodType, change: Change = "update"): Field {
  return { schema, change, setting: true, cleared: undefined, writeOnly: true, notInBody: true };
}
