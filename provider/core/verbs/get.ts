import type { ReadResult } from "@pulumi/pulumi/dynamic";
import { recent as age } from "../../client/errand";
import { ExpectedError, extended } from "../../client/errors";
import { log } from "../../engine/log";
import type { Properties } from "../../value";
import type { Existing } from "../call";
import type { Observed } from "../kind";
import { argumentsOf, withWritten } from "../state/arguments-of";
import { isDeclared } from "../state/declared";
import { stateOfFound } from "../state/state";
import { explaining, nothingWithId } from "../telling";
import { goneNote, present } from "./present";

/** Reads an object that the program only reads. */
export async function get(existing: Existing): Promise<ReadResult> {
  const { kind, urn, id, state, api } = existing;
  const observed = await present(existing, age);
  if (observed !== undefined) return { id, props: stateOfFound(kind.fields, observed) };
  if (isReadAgain(state)) {
    log(
      urn,
      `${goneNote(kind, id, state)}: the next \`pulumi up\` fails while the program reads it (\`get\`)`,
    );
    return {};
  }
  const nothing = new ExpectedError(await nothingWithId(kind, api(), id, age), "PODLUMI-NOT-FOUND");
  throw extended(nothing, "Give the id of another one, or take the `get` out of the program");
}

/** A refresh of an object that the program only reads passes the outputs in the state; the program passes the id alone. */
export function isReadAgain(state: Properties): boolean {
  return !isDeclared(state) && Object.keys(state).some((name) => !name.startsWith("__"));
}

/** The arguments that would declare an object that was only read. */
export function argumentsOfFound({ kind, id, urn, api }: Existing, observed: Observed): Promise<Properties> {
  return explaining(`could not read ${kind.noun} ${id}`, { kind, urn }, async () =>
    argumentsOf(kind, await withWritten(kind, api(), id, observed)),
  );
}
