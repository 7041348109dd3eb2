import type { ReadResult } from "@pulumi/pulumi/dynamic";
import { isWrongKey } from "../../client/allowance";
import { ExpectedError } from "../../client/errors";
import { log } from "../../engine/log";
import { covers, type Properties } from "../../value";
import type { Existing } from "../call";
import type { Run } from "../call/run";
import { onceShown } from "../call/wait";
import { failIfOfOtherAccount } from "../guard/other-account";
import type { Kind, Observed } from "../kind";
import { isDeclared } from "../state/declared";
import { internalInputsOf, internalsOf, unfinishedIn, withUnfinished } from "../state/internals";
import { inputsOf, stateOf, withWrittenDefaults } from "../state/state";
import { inputsBeforeRead, unclearAfterRead } from "../state/unclear";
import { describe, explaining, title } from "../telling";

/** `ofEngine` has the inputs in the state, where the engine tells them. An empty result tells the engine that the object is gone. */
export async function refresh(existing: Existing, ofEngine: Properties = {}): Promise<ReadResult> {
  const { kind, run, urn, id, state: before } = existing;
  run.holders.note(id, urn);
  // Any answer of this run will do, so that one list serves all resources of a kind.
  const observed = await present(existing, Number.POSITIVE_INFINITY);
  if (observed === undefined) {
    log(urn, goneNote(kind, id, before));
    return {};
  }
  const asked = inputsBeforeRead(kind.fields, before);
  const state = { ...stateOf(kind.fields, observed, asked, before), ...keptOf(existing, observed) };
  kind.advice?.copies?.tellDrift(kind, before, state);
  const inputs = withWrittenDefaults(kind.fields, state, inputsOf(state), ofEngine);
  return { id, props: state, inputs: { ...inputs, ...internalInputsOf(before) } };
}

/** podlumi's own keys after a read, which may show that the object has become ready, and what an unclear update has done. */
function keptOf({ kind, state, api }: Existing, observed: Observed): Properties {
  const { __unfinished, ...kept } = internalsOf(state);
  const left = unfinishedIn(state);
  const isReady = kind.readiness?.isSeen?.(observed) === true;
  return {
    ...kept,
    ...withUnfinished({
      ...left,
      isNotReady: isReady ? undefined : left.isNotReady,
      unclear: unclearAfterRead(api(), kind.fields, state),
    }),
  };
}

/** The object as it is, at most `oldest` milliseconds ago; undefined where the service does not have it. */
export function present(existing: Existing, oldest: number): Promise<Observed | undefined> {
  const { kind, run, id, state, api } = existing;
  return explaining(`could not read ${title(kind, state)} (${id})`, existing, async () => {
    const found = await kind.read(api(), id, state, { age: oldest }).catch((error) => failOnce(run, error));
    const shown = found ?? (await onceShown(existing));
    // Another account has its single object, too.
    const differs = (name: string) => !covers(shown?.[name], state[name]);
    const isOthers = kind.single && isDeclared(state) && Object.keys(kind.fields).some(differs);
    if (shown === undefined || isOthers) await failIfOfOtherAccount(existing);
    return shown;
  });
}

/** A refresh continues after an error. So only the first resource tells the whole of what each of them would. */
function failOnce(run: Run, error: unknown): never {
  if (!isWrongKey(error)) throw error;
  const [first, code] = [run.wrongKey === undefined, error.code];
  run.wrongKey ??= error;
  throw first ? error : new ExpectedError("the service refuses the API key, as for another resource", code);
}

export function goneNote(kind: Kind, id: string, { name }: Properties): string {
  return `the ${describe(kind, { id, name })} is not in this account any more, so it leaves the state`;
}
