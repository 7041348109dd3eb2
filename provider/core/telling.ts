import type { Api } from "../client/api";
import { ExpectedError, isNotFound, undefinedIfExpected } from "../client/errors";
import { didYouMean, oneOf } from "../did-you-mean";
import { onBehalfOf } from "../engine/log";
import { inLine } from "../mask";
import { explain } from "./errors";
import type { Kind, ServiceObject } from "./kind/definition";
import { isUnknown, type Properties } from "./value";

/** A resource in words: `pod "web"`. */
export function title({ noun }: Kind, { name }: Properties): string {
  return typeof name === "string" && !isUnknown(name) ? `${noun} "${name}"` : noun;
}

/** An object for people: `pod "web" (7h9k2m4n6p)`. */
export function describe({ noun }: Pick<Kind, "noun">, { id, name }: ServiceObject): string {
  return typeof name === "string" ? `${noun} "${inLine(name)}" (${id})` : `${noun} ${id}`;
}

/** That no object has an id, and which one may be meant: it can be a name. */
export async function nothingWithId(
  { noun, list }: Pick<Kind, "noun" | "list">,
  api: Api,
  id: string,
  age?: number,
): Promise<string> {
  const all = (await list(api, age).catch(undefinedIfExpected)) ?? [];
  const named = all.filter(({ name }) => name === id).map((one) => one.id);
  const next =
    named.length > 0
      ? `, but one of that name, with the id ${oneOf(named)}`
      : didYouMean(id, all) || ": `npx podlumi ls` lists what there is";
  return `there is no ${noun} with the id "${id}" in this account${next}`;
}

/** Throws where an object has the id as its name: it is the one that is meant, and nothing has happened to it. */
export async function mustBeNoName(
  { noun, list }: Pick<Kind, "noun" | "list">,
  api: Api,
  id: string,
): Promise<void> {
  const all = (await list(api).catch(undefinedIfExpected)) ?? [];
  if (all.some(({ name }) => name === id))
    throw new ExpectedError(
      await nothingWithId({ noun, list: async () => all }, api, id),
      "PODLUMI-NOT-FOUND",
    );
}

/**
 * Asks something about an object, or about a part of it, such as a build. If the account does not have the object, the error says which
 * one may be meant. If the object has no such part, it says so. A failure stays as it is if nobody knows what is missing.
 */
export async function aboutObject<T>(
  kind: Pick<Kind, "noun" | "list" | "read">,
  api: Api,
  id: string,
  ask: () => Promise<T>,
  part?: string,
): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const text = await missing(kind, api, id, part).catch(undefinedIfExpected);
    if (text === undefined) throw error;
    throw new ExpectedError(text, "PODLUMI-NOT-FOUND", { cause: error });
  }
}

async function missing(
  { noun, list, read }: Pick<Kind, "noun" | "list" | "read">,
  api: Api,
  id: string,
  part: string | undefined,
): Promise<string | undefined> {
  if ((await read(api, id, {})) !== undefined) return part && `the ${noun} ${id} has no ${part}`;
  const all = await list(api);
  return nothingWithId({ noun, list: async () => all }, api, id);
}

/** That the account does not have what the state has. A refresh with the key of another account would take it out of the state. */
export const notInAccount = (object: string) =>
  `the account does not have the ${object}. If somebody deleted it, run \`pulumi refresh\`. Otherwise the API key is of another account`;

/** Beside what has left the program: an error of the program or of another provider, or a plan, can end a run, and no provider sees that. */
export const unlessEnded = " (unless an error has ended it early)";

/** A sentence begins with it. */
export function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Acts on behalf of a resource. The message of a failure begins with `what`, and hides what is secret. */
export async function explaining<T>(
  what: string,
  kind: Kind,
  properties: Properties,
  act: () => Promise<T>,
): Promise<T> {
  try {
    return await onBehalfOf(properties.__urn, act);
  } catch (error) {
    throw explain(error, what, kind.fields, properties);
  }
}
