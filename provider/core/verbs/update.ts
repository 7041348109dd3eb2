import type { UpdateResult } from "@pulumi/pulumi/dynamic";
import { sendChanges } from "../apply/change";
import { finish } from "../apply/readiness";
import { resetFields } from "../apply/reset";
import { differences } from "../compare/diff";
import { explain, HalfDoneError, leaving } from "../errors";
import type { Kind } from "../kind/definition";
import { wantedInputs } from "../kind/state";
import { anotherOwnerError, failIfHeld, failIfHeldTwice, proofOfMark } from "../owner/another-owner";
import { deleteTwinsInState } from "../owner/twins";
import type { Run } from "../run";
import { explaining, title } from "../telling";
import { isRecord, type Properties } from "../value";

/** Changes an object into what the program says. */
export async function update(
  kind: Kind,
  run: Run,
  id: string,
  state: Properties,
  news: Properties,
  timeout?: number,
): Promise<UpdateResult> {
  run.owners.note(id, news);
  const wanted = wantedInputs(kind.fields, state, news);
  const proof = proofOfMark(kind, run, id, state, (object) =>
    anotherOwnerError(kind, run, object, news.__urn),
  );
  const act = async () => {
    // The comparison may have had no answer in time, and without a difference it does not look.
    await proof.renew();
    await failIfHeldTwice(kind, run, id, state, news);
    await deleteTwinsInState(kind, run, id, state);
    const changes = new Map(await differences(kind.fields, state, news, () => run.api()));
    for (const name of await resetFields(kind, run, id, news, changes)) changes.set(name, "update");
    if (changes.has("name")) await failIfHeld(kind, run, id, state, news, "now");
    const done = await sendChanges(kind, run, { id, state, changes }, news, wanted);
    return { ...done, sent: changes };
  };
  const what = `could not update ${title(kind, news)} (${id})`;
  const done = await explaining(what, kind, news, () => proof.during(act).catch(orHalfDone), state).finally(
    () => {
      run.notes(news.__urn).updated = true;
    },
  );
  if (done instanceof HalfDoneError) {
    const { message } = explain(done, what, kind.fields, news, state);
    throw leaving(message, id, { ...withParts(state, done.changed), __provider: news.__provider });
  }
  const { observed, written, sent } = done;
  const context = { oldState: state, sent, written, timeout };
  return { outs: await finish(kind, run, id, news, wanted, observed, context) };
}

function orHalfDone(error: unknown): HalfDoneError {
  if (error instanceof HalfDoneError) return error;
  throw error;
}

/** A state with what requests have changed. Of an object, that is some of its keys. */
function withParts(state: Properties, changed: Properties): Properties {
  const entries = Object.entries(changed).map(([name, value]) => [
    name,
    isRecord(value) ? { ...Object(state[name]), ...value } : value,
  ]);
  return { ...state, ...Object.fromEntries(entries) };
}
