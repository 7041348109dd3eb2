import type { Api } from "../client/api";
import { ExpectedError, isNotFound, undefinedIfExpected } from "../client/errors";
import type { Kind } from "../core/kind";
import { nothingWithId } from "../core/telling";
import { definitions, type KindName } from "../resources";

/** Deletes a pod. One that is gone already is no failure. Throws where a pod has the id as its name: probably that one is meant. */
export async function terminatePod(api: Api, id: string): Promise<void> {
  const { noun, list, delete: remove }: Kind = definitions.Pod;
  if (await remove(api, id, {})) return;
  const all = (await list(api).catch(undefinedIfExpected)) ?? [];
  if (!all.some(({ name }) => name === id)) return;
  const text = await nothingWithId({ noun, list: async () => all }, api, id);
  throw new ExpectedError(text, "PODLUMI-NOT-FOUND");
}

/** Says after a 404 which object may be meant, or which `part` of the object is missing, such as a build. */
export async function aboutObject<T>(
  kind: KindName,
  api: Api,
  id: string,
  ask: () => Promise<T>,
  part?: string,
): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const text = await missing(definitions[kind], api, id, part).catch(undefinedIfExpected);
    if (text === undefined) throw error;
    throw new ExpectedError(text, "PODLUMI-NOT-FOUND", { cause: error });
  }
}

async function missing(
  { noun, list, read }: Kind,
  api: Api,
  id: string,
  part: string | undefined,
): Promise<string | undefined> {
  if ((await read(api, id, {})) !== undefined) return part && `the ${noun} ${id} has no ${part}`;
  const all = await list(api);
  return nothingWithId({ noun, list: async () => all }, api, id);
}

/** The part of an endpoint that a worker is. */
export const workerInWords = (id: string) =>
  `worker "${id}", or no longer: getWorkers tells which workers it has`;
