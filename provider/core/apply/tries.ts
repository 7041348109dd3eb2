import { leaving } from "../errors";
import type { Left } from "../owner/notes";
import type { Run } from "../run";
import type { Properties } from "../value";

/**
 * Creates or updates an object. A hook of the program can have a failed create or update tried again in the same run (`onError`). The engine
 * tells each try what the state had before the first one, and keeps what the last one leaves: so each gets what those before it have left, and
 * leaves that where it leaves nothing itself.
 */
export async function goingOn<T>(
  run: Run,
  { __urn }: Properties,
  act: (left: Left | undefined) => Promise<T>,
): Promise<T> {
  const notes = run.notes(__urn);
  const left = run.deleted.has(notes.left?.id ?? "") ? undefined : notes.left;
  try {
    return await act(left);
  } catch (error) {
    const { id, properties } = error as { id: string; properties?: Properties };
    if (properties !== undefined) notes.left = { id, state: properties };
    else if (left !== undefined) throw leaving((error as Error).message, left.id, left.state);
    throw error;
  }
}
