import type { Api } from "../client/api";
import { ExpectedError, isNotFound, undefinedIfExpected } from "../client/errors";
import type { Kind } from "../core/kind";
import { nothingWithId } from "../core/telling";

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
