import * as z from "zod";
import type { Api } from "../client/api";
import { ExpectedError } from "../client/errors";
import { nearestName } from "../did-you-mean";
import type { Kind, Observed } from "./definition";
import { type FieldTable, isDiscreet, setting } from "./field";
import { type Match, matchOf } from "./match";
import { at } from "./path";
import { hasUnknown, type Properties } from "./value";

const choice = z.union([z.string().min(1), z.strictObject({ name: z.string().min(1) })]);

/** The argument `adopt` of every kind that is not single. Adding or removing it causes no update. */
export const adoptField = setting(
  z
    .unknown()
    .refine((value) => choice.safeParse(value).success, 'must be an id, or a name as in { name: "…" }')
    .optional(),
  "none",
);

/** The program cannot adopt the object that it names. */
export class AdoptionError extends ExpectedError {}

/** The error for an object that another resource has already. */
export function declaredTwice(owner: unknown, what = "it"): AdoptionError {
  const why = "a program declares an object once, and aliases make one resource out of another";
  return new AdoptionError(`${what} is ${String(owner)} already: ${why}`, "PODLUMI-DECLARED-TWICE");
}

/** Finds the object to adopt and compares it. Throws when it cannot be adopted; undefined while `adopt` is unknown. */
export async function findAndCompare(kind: Kind, api: Api, inputs: Properties): Promise<Match | undefined> {
  const { adopt, ...given } = inputs;
  if (hasUnknown(adopt)) return undefined;
  const id =
    typeof adopt === "string"
      ? adopt
      : await idOf(kind, api, String(at({ adopt }, "adopt", "name")), given.name);
  const observed = await kind.read(api, id, given);
  if (observed === undefined) {
    throw new AdoptionError(
      `there is no ${kind.noun} with the id "${id}" in this account. Remove adopt to make one`,
      "PODLUMI-ADOPT",
    );
  }
  const match = await matchOf(kind, api, given, { ...observed, id });
  if (match.replaces.length > 0) {
    const told = match.replaces.map((name) => `${name} is ${shown(kind.fields, name, observed)} there`);
    throw new AdoptionError(
      `the ${kind.noun} ${id} differs in what cannot be changed: ${told.join(", ")}. Write it so in the program, ` +
        "or remove adopt to make another one",
      "PODLUMI-ADOPT-DIFFERS",
    );
  }
  return match;
}

async function idOf(kind: Kind, api: Api, name: string, newName: unknown): Promise<string> {
  const all = (await kind.list(api)) ?? [];
  const found = all.filter((object) => object.name === name);
  const [one] = found;
  if (found.length === 1 && one !== undefined) return one.id;
  const { noun } = kind;
  // An interrupted adoption may have renamed the object already.
  const renamed = found.length === 0 ? all.find((object) => object.name === newName) : undefined;
  if (renamed !== undefined) {
    throw new AdoptionError(
      `there is no ${noun} "${name}" in this account, but the ${noun} ${renamed.id} has the name that this resource is to get. ` +
        `If it is the one, write adopt: "${renamed.id}"`,
      "PODLUMI-ADOPT",
    );
  }
  throw new AdoptionError(
    found.length === 0
      ? `there is no ${noun} "${name}" in this account${nearestName(name, all) || "."} Remove adopt to make one`
      : `${found.length} ${noun}s are called "${name}": adopt one by its id, ${found.map(({ id }) => id).join(" or ")}`,
    "PODLUMI-ADOPT",
  );
}

function shown(fields: FieldTable, name: string, observed: Observed): string {
  const field = fields[name];
  if (field !== undefined && isDiscreet(field)) return "different";
  return observed[name] === undefined || observed[name] === null ? "not set" : JSON.stringify(observed[name]);
}
