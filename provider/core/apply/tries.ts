import type { CreateResult } from "@pulumi/pulumi/dynamic";
import { log, warn } from "../../engine/log";
import { leaving } from "../errors";
import type { Left } from "../owner/notes";
import type { Resource } from "../resource";
import type { Properties } from "../value";

/** The tries that the engine lets a hook have. After the last one, it keeps neither the id of a new object nor the outputs of another. */
const mostTries = 100;

/**
 * Creates or updates an object. A hook of the program can have a failed create or update tried again in the same run (`onError`). The engine
 * tells each try what the state had before the first one, and keeps what the last one leaves: so each gets what those before it have left, and
 * leaves that where it leaves nothing itself.
 */
export async function continuing(
  { run, inputs: { __urn } }: Resource,
  act: (left: Left | undefined) => Promise<CreateResult>,
): Promise<CreateResult> {
  const notes = run.notes(__urn);
  notes.tries = (notes.tries ?? 0) + 1;
  if (run.atEnd.deleted.has(notes.left?.id ?? "")) delete notes.left;
  try {
    return await act(notes.left);
  } catch (error) {
    const { id, properties, message } = error as Error & { id: string; properties?: Properties };
    if (properties !== undefined) notes.left = { id, state: properties };
    // What a replacement has kept for this create is still there.
    const { left = notes.kept, tries } = notes;
    if (left === undefined) throw error;
    if (tries < mostTries) throw leaving(message, left.id, left.state);
    // Otherwise no command could read the state any more, and the object would still cost money.
    log(__urn, message);
    warn(__urn, lastTry, "PODLUMI-NOT-READY");
    return { id: left.id, outs: left.state };
  }
}

const lastTry =
  `a hook has had this tried ${mostTries} times, the most that Pulumi allows: the object stays in the state as it is, and the next \`pulumi up\` ` +
  "continues. Let the hook give up sooner";
