import type { Api } from "../client/api";
import { undefinedIfExpected } from "../client/errors";
import { didYouMean, oneOf } from "../did-you-mean";
import { inLine } from "../mask";
import { isUnknown, type Properties } from "../value";
import { explain, type Failed } from "./errors";
import type { Kind, ServiceObject } from "./kind";

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

/** A sentence begins with it. */
export function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Acts on behalf of a resource. The message of a failure begins with `what`, and hides what is secret. */
export async function explaining<T>(
  what: string | undefined,
  call: Failed,
  act: () => Promise<T>,
): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw explain(error, what, call);
  }
}
