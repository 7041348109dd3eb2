import { warn } from "../../engine/log";
import type { Kind } from "../kind/definition";
import { originOf, unknownOrigin } from "../kind/state";
import type { Edit } from "../resource";
import type { Run } from "../run";
import { isEmpty } from "../value";

/** Notes an object that stays, and that was created from another one than the program names now. */
export function noteOrigin({ kind, run, state, inputs }: Edit): void {
  const { createdFrom } = kind;
  const id = originOf(kind, inputs, state);
  const isKnown = !isEmpty(id) && id !== unknownOrigin;
  if (createdFrom === undefined || !isKnown || inputs[createdFrom] === id) return;
  run.atEnd.origins.push({ kind, property: createdFrom, id: String(id), inputs });
}

/**
 * At the end of a run, warns where the program does not declare any more what an object was created from, or replaces it: as long as the
 * object lives, the service does not delete that. Only then is it clear what the program declares, and what the engine itself replaces.
 */
export async function warnOfOrigins(run: Run): Promise<void> {
  if (run.did.fail) return;
  const warnings = run.atEnd.origins.map(async ({ kind, property, id, inputs }) => {
    if (run.notes(inputs.__urn).checked?.isNew) return;
    const owner = await run.owners.find(id);
    if (owner === undefined) return;
    const { checked } = run.notes(owner);
    const { servedBy = inputs.__stack } = (await run.states.objectWith(id)) ?? {};
    // What another provider serves, another process checks.
    const isUnseen = run.command.isPartial || servedBy !== inputs.__stack;
    const stays = checked === undefined ? isUnseen : !checked.isNew;
    if (stays || (await run.states.isRetained(id))) return;
    warn(
      inputs.__urn,
      heldWarning(kind, property, owner, inputs.__urn, checked !== undefined),
      "PODLUMI-IN-USE",
    );
  });
  await Promise.all(warnings);
}

const heldWarning = ({ noun }: Kind, property: string, owner: string, urn: unknown, isReplaced: boolean) =>
  `${property}: the ${noun} was created from ${owner}, which stays in use, and cannot be deleted, for as long as the ${noun} exists: ` +
  `${isReplaced ? "do not replace it" : "leave it in the program, with aliases if it has another name there by now"}, or replace the ${noun} ` +
  `(\`pulumi up --replace '${String(urn)}'\`)`;
