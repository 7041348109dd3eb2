import * as z from "zod";
import type { Api } from "../client/api";
import { ConfigurationError, NoAnswerError } from "../client/errors";
import { isEmpty, isUnknown, mapped, type Properties } from "../value";
import type { AdoptArgs } from "./arguments";
import { measured } from "./schemas";

/** What a change of a field costs: nothing, an update in place, or a replacement. */
export type Change = "none" | "update" | "replace";

/** The fields that differ between the state and the program, and what each difference needs. */
export type Differences = ReadonlyMap<string, Exclude<Change, "none">>;

/** What a change rule may look at beside the field's old and new value. */
export interface Context {
  /** What the state holds of the object. */
  readonly state: Properties;
  readonly inputs: Properties;
  /** The service, to ask what it can do. Throws a ConfigurationError when the configuration does not allow it. */
  api(): Api;
}

/**
 * Decides from the old and the new value. A preview may not know the new one, or a part of it (`isUnknown`), which may turn out to
 * be missing, too. The rule then returns the most that one of its values could need.
 */
export type ChangeRule = (from: unknown, to: unknown, context: Context) => Change | Promise<Change>;

/** The rules of one input beside its shape. */
export interface FieldOptions {
  /**
   * The value of an unset field at the service. It is sent when the program removes the field. `undefined` means no
   * value. Without this option, removing the field changes nothing.
   */
  cleared?: unknown;
  /** The same for the keys of an object. */
  clearedKeys?: Readonly<Record<string, unknown>>;
  /** The value that check fills in when the program gives none. */
  default?: unknown;
  /** The service never returns the field, or these keys of it. The state keeps the program's value. */
  writeOnly?: true | readonly string[];
  /** The only keys of an object that count. Others, which the service may return, make no difference. */
  keys?: readonly string[];
  /** A map to which the platform adds keys. Only the program's keys are compared, and an update keeps the others. */
  shared?: true;
  /** Its rule never asks for a replacement. */
  inPlace?: true;
  /** A change in place restarts what runs, with all inputs or with these. The disk of its container does not outlive that. */
  restarts?: true | ((inputs: Properties) => boolean);
  /** A change in place to these inputs stops what runs, which loses the same. */
  stops?: (inputs: Properties) => boolean;
  /** The keys of an object mean nothing without each other, so an update sends all of them. */
  whole?: true;
  /** Sent when the object is created. An update changes it in the state alone. */
  createOnly?: true;
  /**
   * What an object has in place of a field that the service never returns, in the shape of the field; undefined where it does not
   * tell. An object that is adopted or taken over is compared by the field's rule then.
   */
  held?: (object: Properties) => unknown;
  /** Not sent in create and update bodies. Code of the kind, such as `makeReady`, handles it where needed. */
  notInBody?: true;
  /**
   * Nothing empties it in place, so where a response leaves it out or empty, as that for a stopped pod does, it has its earlier
   * value. Always so for what `replace` makes.
   */
  lasting?: true;
  /**
   * What it names, such as a template, gives the object these settings, or keys of them (`gpu.count`), also where the program does not
   * declare them. Where an update sends the field, it sends the program's own of them again.
   */
  givesSettings?: readonly string[];
  /**
   * Where the program gives one of these fields, an unset one gets its value from there: from a template, or from the same setting in
   * another form. So nothing clears it, and it stays as that has it.
   */
  givenBy?: readonly string[];
  /** Controls podlumi; not part of the object. */
  setting?: true;
  /** Compared exactly, with every key and in the order of lists: the service never rewrites the value. Empty and unset are the same. */
  exact?: true;
  /** Never shown in a message. */
  sensitive?: true;
  /** Often holds a secret, so it is one in the state where nobody tells: what a template of another program gives. */
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

/** A message or a copy in the state must not show the value: it is secret, or has variables, any of which may be. */
export function isDiscreet({ sensitive, shared }: Pick<Field, "sensitive" | "shared">): boolean {
  return sensitive === true || shared === true;
}

/** The value is secret in every program, and only the program knows it: a password, or the value of a secret. */
export function isAlwaysSecret({ sensitive, writeOnly, notInBody }: Partial<Field> = {}): boolean {
  return sensitive === true && writeOnly === true && notInBody !== true;
}

/** The field for these inputs: without a value that clears it, where what the program gives sets it. */
export function fieldFor(field: Field, inputs: Properties): Field {
  if (!isGiven(field, inputs)) return field;
  const { cleared, ...rest } = field;
  return rest;
}

/** What the program gives sets the field, which then has no value of its own. Something empty gives nothing. */
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

/** Nothing empties the field in place. */
export function isLasting({ change, lasting }: Field): boolean {
  return change === "replace" || lasting === true;
}

/** Changed in place. */
export function update(schema: z.ZodType, options: FieldOptions = {}): Field {
  return { schema, change: "update", ...options };
}

/** The same fields, of which each change in place restarts what runs. */
export function restarting<Table extends FieldTable>(fields: Table): Table {
  return mapped(fields, (field) => ({ ...field, restarts: true })) as Table;
}

/** Immutable: a change replaces the object. */
export function replace(schema: z.ZodType, options: FieldOptions = {}): Field {
  return { schema, change: "replace", ...options };
}

/** A rule decides what a change costs. */
export function change(schema: z.ZodType, rule: ChangeRule, options: FieldOptions = {}): Field {
  return { schema, change: rule, ...options };
}

/** Storage grows in place. The service reduces none. */
export function resized(from: unknown, to: unknown): Change {
  return isUnknown(to) || Number(to) < Number(from) ? "replace" : "update";
}

/**
 * In place where the service can, otherwise by replacement. Without a key or an answer, it assumes what the public
 * service does: in place.
 */
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

/** Seconds to wait at most, as an argument: a day at the longest. */
export function timeout(least: 0 | 1 = 1): Field {
  return setting(measured("seconds", z.int().min(least).max(86_400)).optional());
}

/** Controls podlumi, not the service. A change updates the state only; no request sends it. */
export function setting(schema: z.ZodType, change: Change = "update"): Field {
  return { schema, change, setting: true, cleared: undefined, writeOnly: true, notInBody: true };
}
