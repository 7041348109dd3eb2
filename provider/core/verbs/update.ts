import type { CreateResult } from "@pulumi/pulumi/dynamic";
import { onBehalfOf } from "../../engine/log";
import { sendChanges } from "../apply/change";
import { finish } from "../apply/readiness";
import { resetFields } from "../apply/reset";
import { continuing } from "../apply/tries";
import { differences } from "../compare/diff";
import { unsettledChanges } from "../compare/seen";
import { explain, HalfDoneError, leaving } from "../errors";
import { wantedInputs } from "../kind/state";
import { unsettledIn, withoutUnsettled } from "../kind/unsettled";
import { anotherOwnerError, proofOfMark } from "../owner/another-owner";
import { failIfHeld, failIfHeldTwice } from "../owner/held-elsewhere";
import { deleteTwinsInState } from "../owner/twins";
import type { Edit } from "../resource";
import { title } from "../telling";
import { isRecord, mapped, type Properties } from "../value";

/** Changes an object into what the program says. A retry by a hook continues with what the attempt before has left. */
export function update(edit: Edit, timeout?: number): Promise<CreateResult> {
  return continuing(edit, (left) => change({ ...edit, ...left }, timeout));
}

/** One attempt of it. */
export async function change(edit: Edit, timeout?: number): Promise<CreateResult> {
  const { kind, run, id, state, inputs } = edit;
  run.owners.note(id, inputs);
  const wanted = wantedInputs(kind.fields, state, inputs);
  const proof = proofOfMark(edit, (object) => anotherOwnerError(edit, object));
  const act = async () => {
    // The comparison may have had no answer in time, and without a difference it does not look.
    await proof.renew();
    await failIfHeldTwice(edit, "change");
    await deleteTwinsInState(edit);
    const context = { state, inputs, api: () => run.api() };
    const open = await unsettledChanges(kind.fields, context);
    const changes = new Map([...open, ...(await differences(kind.fields, context))]);
    for (const name of await resetFields(edit, changes)) changes.set(name, "update");
    if (changes.has("name")) await failIfHeld(edit, "now");
    const before = withoutUnsettled(state);
    const sent = await sendChanges({ ...edit, state: before, changes, wanted });
    return { ...sent, state: before, sent: changes };
  };
  const done = await onBehalfOf(inputs.__urn, () => proof.during(act))
    .catch((error) => {
      throw failureOf(edit, error);
    })
    .finally(() => {
      run.notes(inputs.__urn).updated = true;
    });
  return { id, outs: await finish({ ...edit, wanted, timeout, ...done }) };
}

/** The error of an update, with the state that is kept where it has changed something, or may have. */
function failureOf(edit: Edit, error: unknown): Error {
  const { kind, id, state, inputs } = edit;
  const what = `could not update ${title(kind, inputs)} (${id})`;
  const explained = explain(error, what, kind.fields, inputs, state);
  if (!(error instanceof HalfDoneError)) return explained;
  return leaving(explained.message, id, { ...leftBy(error, edit), __provider: inputs.__provider });
}

/** The state that a failed update leaves. */
export function leftBy({ changed, open }: HalfDoneError, { run, state, inputs }: Edit): Properties {
  const left = withParts(state, changed);
  return { ...left, ...unsettledIn(run, left, open, inputs) };
}

/** A state with what requests have changed. Of an object, that is some of its keys. */
function withParts(state: Properties, changed: Properties): Properties {
  const whole = (value: unknown, name: string) =>
    isRecord(value) ? { ...Object(state[name]), ...value } : value;
  return { ...state, ...mapped(changed, whole) };
}
