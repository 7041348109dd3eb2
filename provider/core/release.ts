import type { Api } from "../client/api";
import { ServiceError } from "../client/errors";
import { poll } from "./wait";

/**
 * How long a deletion is tried again, in milliseconds. What uses a template, a volume or a credential may be going
 * away at the same time, and a template stays in use for up to two minutes after its last use.
 * (specification, Templates, rule 1)
 */
export const releaseTimeout = 180_000;

/** Deletes what the service refuses to delete (400) while something uses it. */
export async function deleteWhenFree(api: Api, path: string): Promise<void> {
  let refusal: unknown;
  const deleted = await poll(api.clock, releaseTimeout, async () => {
    try {
      await api.rest.delete(path);
      return true;
    } catch (error) {
      if (!(error instanceof ServiceError && error.status === 400)) throw error;
      refusal = error;
      return undefined;
    }
  });
  if (!deleted) throw refusal;
}
