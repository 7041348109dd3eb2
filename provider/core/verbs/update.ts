import type { CreateResult } from "@pulumi/pulumi/dynamic";
import type { Edit } from "../call";
import { changesOf } from "../compare/comparison";
import { deleteTwins, proven } from "../own/object";
import { sendChanges } from "../send/change";
import { failedUpdate, finish } from "../send/finish";
import { wantedInputs } from "../state/state";
import { withoutUnclear } from "../state/unfinished";

/** Changes an object into what the program says. */
export async function update(edit: Edit, timeout?: number): Promise<CreateResult> {
  const { kind, run, record, urn, id, state, inputs } = edit;
  run.holders.note(id, urn, state.__urn);
  const wanted = wantedInputs(kind.fields, state, inputs);
  const before = withoutUnclear(state);
  try {
    const call = await proven(edit);
    await deleteTwins(call);
    const changes = await changesOf(call);
    const sent = await sendChanges({ ...call, state: before, changes, wanted });
    // What it gives up is free from now on, though it may take long to become ready.
    record.isUpdateOver = true;
    const asked = { state: before, wanted, timeout, changes };
    return { id, outs: await finish({ ...edit, ...sent, ...asked, origin: "updated" }) };
  } catch (error) {
    throw failedUpdate(edit, error);
  } finally {
    record.isUpdateOver = true;
  }
}
