import { ExpectedError } from "../client/errors";
import type { Session } from "./handler";

/**
 * Deletes what interrupted runs of a stack made and what nobody takes over: nothing else would, since no state knows
 * of it. What cannot be told apart, or not be deleted, is told, and stays noted for the next run.
 */
export async function removeLeftovers(
  session: Pick<Session, "api" | "journal" | "makers">,
  stack: string,
  unwanted: (urn: string) => boolean,
  tell: (text: string) => void,
): Promise<void> {
  const journal = session.journal();
  const entries = journal.leftovers(stack).filter(({ urn }) => unwanted(urn));
  const remove = async (entry: (typeof entries)[number]) => {
    try {
      const removed = await session.makers.get(entry.noun)?.remove(session.api(), journal, entry);
      if (removed !== undefined) tell(`podlumi deleted the ${removed}, which an interrupted run had made`);
    } catch (error) {
      if (!(error instanceof ExpectedError)) throw error;
      tell(`podlumi could not tidy up after an interrupted run (${entry.urn}): ${error.message}`);
    }
  };
  await Promise.all(entries.map(remove));
}
