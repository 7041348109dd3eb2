import type { ReadResult } from "@pulumi/pulumi/dynamic";
import { anyAge } from "../../client/errand";
import { log } from "../../engine/log";
import { covers, type Properties } from "../../value";
import type { Existing } from "../call";
import { tellDriftOfCopied } from "../compare/copied";
import { failIfOfOtherAccount } from "../guard/other-account";
import { isDeclared } from "../state/declared";
import { internalInputsOf } from "../state/internals";
import { readShown } from "../state/lag";
import { inputsOf, stateOf, withWrittenDefaults } from "../state/state";
import { inputsBeforeRead, internalsAfterRead } from "../state/unfinished";
import { describe, explaining, title } from "../telling";

/** `ofEngine` has the inputs in the state, where the engine tells them. An empty result tells the engine that the object is gone. */
export async function refresh(existing: Existing, ofEngine: Properties = {}): Promise<ReadResult> {
  const { kind, urn, id, state: before } = existing;
  const observed = await present(existing, anyAge);
  if (observed === undefined) {
    log(urn, goneNote(existing));
    return {};
  }
  const asked = inputsBeforeRead(kind.fields, before);
  const state = {
    ...stateOf(kind.fields, observed, asked, before),
    ...internalsAfterRead(existing, observed),
  };
  tellDriftOfCopied(kind, before, state);
  const inputs = withWrittenDefaults(kind.fields, state, inputsOf(state), ofEngine);
  return { id, props: state, inputs: { ...inputs, ...internalInputsOf(before) } };
}

/** The object, at most `age` milliseconds old; undefined where the service does not have it. */
export function present(existing: Existing, age: number) {
  const { kind, id, state } = existing;
  return explaining(`could not read ${title(kind, state)} (${id})`, existing, async () => {
    const shown = await readShown(existing, { age });
    // Another account has its single object, too.
    const differs = (name: string) => !covers(shown?.[name], state[name]);
    const isOthers = kind.single && isDeclared(state) && Object.keys(kind.fields).some(differs);
    if (shown === undefined || isOthers) await failIfOfOtherAccount(existing);
    return shown;
  });
}

export function goneNote({ kind, id, state: { name } }: Existing): string {
  return `the ${describe(kind, { id, name })} is not in this account any more, so it leaves the state`;
}
