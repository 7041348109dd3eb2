import type { ReadResult } from "@pulumi/pulumi/dynamic";
import { recent } from "../../client/errand";
import { ExpectedError, extended } from "../../client/errors";
import { log } from "../../engine/log";
import type { Existing } from "../call";
import { isReadAgain } from "../state/declared";
import { stateOfFound } from "../state/state";
import { nothingWithId } from "../telling";
import { goneNote, present } from "./read";

/** Reads an object that the program only reads. */
export async function get(existing: Existing): Promise<ReadResult> {
  const { kind, urn, id, state, api } = existing;
  const observed = await present(existing, recent);
  if (observed !== undefined) return { id, props: stateOfFound(kind.fields, observed) };
  if (isReadAgain(state)) {
    log(urn, `${goneNote(existing)}: the next \`pulumi up\` fails while the program reads it (\`get\`)`);
    return {};
  }
  const nothing = new ExpectedError(await nothingWithId(kind, api(), id, recent), "PODLUMI-NOT-FOUND");
  throw extended(nothing, "Give the id of another one, or take the `get` out of the program");
}
