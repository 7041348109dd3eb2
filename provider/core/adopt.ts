import * as z from "zod";
import type { Api } from "../client/api";
import { ExpectedError } from "../client/errors";
import { at } from "./check";
import type { Definition, Observed } from "./definition";
import { type Differences, differences } from "./diff";
import { type Field, setting } from "./field";
import { nearestName } from "./missing";
import { stateOf } from "./state";
import { hasUnknown, type Properties } from "./value";

const choice = z.union([z.string().min(1), z.strictObject({ name: z.string().min(1) })]);

/** The argument of every kind of which an account can have several. It comes and goes without an update. */
export const adoptField = setting(
  z
    .unknown()
    .refine((value) => choice.safeParse(value).success, 'must be an id, or a name as in { name: "…" }')
    .optional(),
  "none",
);

/** What a program wants to adopt cannot be had. */
export class AdoptionError extends ExpectedError {}

export function declaredTwice(owner: unknown): string {
  return `it is ${String(owner)} already: a program declares an object once`;
}

/** An object that a resource takes over, and what that comes to. */
export interface Adoption {
  readonly id: string;
  readonly observed: Observed;
  /** The object as the state will hold it when nothing of it is changed. */
  readonly state: Properties;
  readonly changes: Differences;
}

/** Looks at what a program wants to adopt. Fails when it cannot be had; undefined while a value is unknown. */
export async function adoption<Args>(
  definition: Definition<Args>,
  fields: Record<string, Field>,
  api: Api,
  inputs: Properties,
): Promise<Adoption | undefined> {
  const { adopt, ...given } = inputs;
  if (hasUnknown(adopt)) return undefined;
  const id =
    typeof adopt === "string" ? adopt : await idOf(definition, api, String(at({ adopt }, "adopt", "name")));
  const observed = await definition.read(api, id, given);
  if (observed === undefined) {
    throw new AdoptionError(
      `there is no ${definition.noun} with the id "${id}" in this account. Remove adopt to make one`,
    );
  }
  const state = stateOf(fields, observed, given);
  const changes = new Map(await differences(fields, state, given, () => api));
  // A login and a value are set without a restart, so what nobody can read is made sure of.
  for (const [name, field] of Object.entries(fields)) {
    if (field.sensitive && field.writeOnly === true && given[name] !== undefined) changes.set(name, "update");
  }
  // What a preview does not know yet, such as the id of a volume that is adopted too, may turn out to be the same.
  const obstacles = [...changes]
    .filter(([name, change]) => change === "replace" && !hasUnknown(given[name]))
    .map(([name]) => name);
  if (obstacles.length > 0) {
    const told = obstacles.map((name) => `${name} is ${shown(fields, name, observed)} there`);
    throw new AdoptionError(
      `the ${definition.noun} ${id} differs in what cannot be changed: ${told.join(", ")}. Write it so in the program, ` +
        "or remove adopt to make another one",
    );
  }
  return { id, observed, state, changes };
}

/** What a preview says of an adoption: what will change, and what may, since a preview does not know it yet. */
export function told(noun: string, inputs: Properties, { id, observed, changes }: Adoption): string {
  const name = observed.name === undefined ? "" : ` "${String(observed.name)}"`;
  const open = [...changes.keys()].filter((field) => hasUnknown(inputs[field]));
  const certain = [...changes.keys()].filter((field) => !open.includes(field));
  const what = certain.length === 0 ? "as it is" : `and changes ${certain.join(", ")}`;
  const rest = open.length === 0 ? "" : `; ${open.join(", ")} cannot be compared before \`pulumi up\``;
  return `adopts the ${noun}${name} (${id}) ${what}${rest}`;
}

async function idOf<Args>(definition: Definition<Args>, api: Api, name: string): Promise<string> {
  const all = (await definition.list(api)) ?? [];
  const found = all.filter((object) => object.name === name);
  const [one] = found;
  if (found.length === 1 && one !== undefined) return one.id;
  const { noun } = definition;
  throw new AdoptionError(
    found.length === 0
      ? `there is no ${noun} "${name}" in this account${nearestName(name, all) || "."} Remove adopt to make one`
      : `${found.length} ${noun}s are called "${name}": adopt one by its id, ${found.map(({ id }) => id).join(" or ")}`,
  );
}

function shown(fields: Record<string, Field>, name: string, observed: Observed): string {
  const field = fields[name];
  if (field?.sensitive || field?.shared) return "different";
  return observed[name] === undefined || observed[name] === null ? "not set" : JSON.stringify(observed[name]);
}
