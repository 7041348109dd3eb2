import type { CreateResult } from "@pulumi/pulumi/dynamic";
import { isRecord, mapped, type Properties } from "../../value";
import { type Edit, editOf, onErrand } from "../call";
import { differences } from "../compare/diff";
import { unclearChanges } from "../compare/unclear";
import { explain, HalfDoneError, leaving } from "../errors";
import { withoutMark } from "../mark/carried";
import { proofOf } from "../own/held";
import { deleteTwins } from "../own/twins";
import { sendChanges } from "../send/change";
import { finish } from "../send/finish";
import { resetFields } from "../send/reset";
import { unfinishedIn, withUnfinished } from "../state/internals";
import { wantedInputs } from "../state/state";
import { declaredAfter, unclearAfter, withoutUnclear } from "../state/unclear";
import { title } from "../telling";

/** Changes an object into what the program says. A retry by a hook continues with what the attempt before has left. */
export function update(edit: Edit, timeout?: number): Promise<CreateResult> {
  const { kind, run, record, inputs } = edit;
  const { id, state } = record.left ?? edit;
  return change(editOf(kind, run, id, state, inputs), timeout);
}

/** One attempt of it. */
export async function change(edit: Edit, timeout?: number): Promise<CreateResult> {
  const { kind, run, record, urn, id, state, inputs } = edit;
  run.holders.note(id, urn, state.__urn);
  const wanted = wantedInputs(kind.fields, state, inputs);
  const before = withoutUnclear(state);
  const proof = proofOf(edit);
  const bound = onErrand(edit, { proof });
  try {
    await proof.renew();
    await deleteTwins(bound);
    const changes = await changesOf(bound);
    const sent = await sendChanges({ ...bound, state: before, changes, wanted });
    record.isUpdated = true;
    const outcome = {
      ...edit,
      ...sent,
      origin: "updated",
      state: before,
      wanted,
      timeout,
      sent: changes,
    } as const;
    return { id, outs: await finish(outcome) };
  } catch (error) {
    throw failureOf(edit, error);
  } finally {
    record.isUpdated = true;
  }
}

/** Differences, the fields that an update without a clear answer has sent, and those that an interrupted one has reset. */
async function changesOf(edit: Edit) {
  const { kind, state, inputs, api } = edit;
  const context = { state, inputs, api };
  const unclear = await unclearChanges(kind.fields, context);
  const changes = new Map([...unclear, ...(await differences(kind.fields, context))]);
  for (const name of await resetFields(edit, changes)) changes.set(name, "update");
  return changes;
}

/** The error of an update, with the state that is kept where it has changed something, or may have. */
function failureOf(edit: Edit, error: unknown): Error {
  const { kind, run, id, state, inputs } = edit;
  const what = `could not update ${title(kind, inputs)} (${id})`;
  const explained = explain(error, what, kind.fields, inputs, state);
  if (!(error instanceof HalfDoneError)) return explained;
  const { changed, unclear: fields } = error;
  const left = withoutMark(withParts(state, changed));
  const unclear = unclearAfter(state, fields, run.timestamp()) ?? unfinishedIn(state).unclear;
  const properties = {
    ...left,
    __declared: declaredAfter(left, fields, inputs),
    ...withUnfinished({ ...unfinishedIn(state), unclear }),
    __provider: inputs.__provider,
  };
  return leaving(explained.message, id, properties);
}

/** A state with what requests have changed. Of an object, that is some of its keys. */
function withParts(state: Properties, changed: Properties): Properties {
  const whole = (value: unknown, name: string) =>
    isRecord(value) ? { ...Object(state[name]), ...value } : value;
  return { ...state, ...mapped(changed, whole) };
}
