import type { z } from "zod";
import type { Api } from "../client/api";
import { ConfigurationError, NoAnswerError } from "../client/errors";
import type { AdoptArgs } from "./arguments";
import type { Properties } from "./value";

/** What a change of a field costs: an update, another object, or nothing at all. */
export type Change = "none" | "update" | "replace";

/** What a rule may look at beside the field's own values. */
export interface Context {
  /** What the state holds of the object. */
  readonly state: Properties;
  readonly inputs: Properties;
  /** The service, to ask what it can do. Throws a ConfigurationError when the configuration does not allow it. */
  api(): Api;
}

/** Decides from the old and the new value. */
export type ChangeRule = (from: unknown, to: unknown, context: Context) => Change | Promise<Change>;

/** The rules of one input beside its shape. */
export interface FieldOptions {
  /**
   * What the service holds when the field is removed from the program: clearing sends it. `undefined` means
   * "nothing". Without this option a removal changes nothing.
   */
  cleared?: unknown;
  /** The same for the keys of an object. */
  clearedKeys?: Readonly<Record<string, unknown>>;
  /** What check fills in when the program does not say. */
  default?: unknown;
  /** The service never answers it (or, in an object, these keys of it): the state keeps what the program says. */
  writeOnly?: true | readonly string[];
  /** A map that the platform adds keys to: only the program's keys are compared, and an update keeps the others. */
  shared?: true;
  /** Not part of create and update bodies: the resource's `ensure` brings it about. */
  notInBody?: true;
  /** Says how podlumi goes about it: no part of the object. */
  setting?: true;
  /** Compared as it is, to the last key and in its order: the program's own word, which no service writes its way. */
  exact?: true;
  /** Never repeated in a message. */
  sensitive?: true;
  /** Turns what the program writes into the shape of the output. */
  normalize?: (value: unknown) => unknown;
  /** Turns the output's shape into that of a request. */
  wire?: (value: unknown) => unknown;
}

/** One input of a resource: its shape, what a change of it means, and its rules. */
export interface Field extends FieldOptions {
  readonly schema: z.ZodType;
  readonly change: Change | ChangeRule;
}

/** The table of a resource: a field for every argument of its class, but for those that all kinds have. */
export type Fields<Args> = { readonly [Name in Exclude<keyof Args, keyof AdoptArgs>]-?: Field };

/** Changed in place. */
export function update(schema: z.ZodType, options: FieldOptions = {}): Field {
  return { schema, change: "update", ...options };
}

/** Immutable: a change makes another object. */
export function replace(schema: z.ZodType, options: FieldOptions = {}): Field {
  return { schema, change: "replace", ...options };
}

/** Depends on the old and the new value. */
export function change(schema: z.ZodType, rule: ChangeRule, options: FieldOptions = {}): Field {
  return { schema, change: rule, ...options };
}

/**
 * In place where the service can, else by replacement. A preview that cannot reach the service, or has no key, says
 * what the public service does.
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

/** Steers podlumi, not the service: a change of it is one of the state alone, and no request sends it. */
export function setting(schema: z.ZodType, change: Change = "update"): Field {
  return { schema, change, setting: true, cleared: undefined, writeOnly: true, notInBody: true };
}
