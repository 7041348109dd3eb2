import * as pulumi from "@pulumi/pulumi";
import { nearestProperty, oneOf } from "../../provider/did-you-mean";
import type { PolicyOptions } from "./define";

const levels = ["advisory", "mandatory", "remediate", "disabled"];

type Form = "number" | "texts" | "textsByKey" | "flag" | "level";

const forms: Record<Form, { readonly text: string; readonly fits: (value: unknown) => boolean }> = {
  number: { text: "a finite number", fits: (value: unknown) => Number.isFinite(value) },
  texts: {
    text: "a list of strings",
    fits: (value: unknown) => Array.isArray(value) && value.every((item) => typeof item === "string"),
  },
  textsByKey: {
    text: "a list of strings for each key",
    fits: (value: unknown) =>
      typeof value === "object" &&
      value !== null &&
      Object.values(value).every((one) => forms.texts.fits(one)),
  },
  flag: { text: "true or false", fits: (value: unknown) => typeof value === "boolean" },
  level: { text: oneOf(levels), fits: (value: unknown) => levels.includes(value as string) },
};

/** The form of each option of a policy or a pack. */
export type FormsOf<Options> = { readonly [Name in keyof Options]?: Form };

/**
 * Returns the options of `owner`, once they are sound. A name that it does not have, or a value of another form, would
 * switch a policy off without a word.
 *
 * @throws `RunError` that names the option.
 */
export function checked<Options extends PolicyOptions>(
  owner: string,
  options: Options,
  required: FormsOf<Options>,
  optional: FormsOf<Options> = {},
): Options {
  const given = Object(options) as Record<string, unknown>;
  const all: Record<string, Form | undefined> = {
    enforcementLevel: "level",
    ...optional,
    ...required,
  };
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(all, name)) continue;
    const nearest = nearestProperty(name, Object.keys(all));
    throw new pulumi.RunError(`${owner} has no option "${name}"${nearest} [PODLUMI-UNKNOWN-PROPERTY]`);
  }
  for (const [name, form] of Object.entries(all)) {
    const value = given[name];
    if (form === undefined || (value === undefined && !(name in required))) continue;
    const { fits, text } = forms[form];
    if (!fits(value))
      throw new pulumi.RunError(`${owner}: ${name} must be ${text}, not ${shown(value)} [PODLUMI-INVALID]`);
  }
  return options;
}

function shown(value: unknown): string {
  return typeof value === "object" || typeof value === "string" ? JSON.stringify(value) : String(value);
}
