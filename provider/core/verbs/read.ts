import type { ReadResult } from "@pulumi/pulumi/dynamic";
import { log } from "../../engine/log";
import type { Properties } from "../../value";
import type { Existing } from "../call";
import type { Observed } from "../kind";
import { internalInputsOf, internalsOf, unfinishedIn, withUnfinished } from "../state/internals";
import { inputsOf, stateOf, withWrittenDefaults } from "../state/state";
import { inputsBeforeRead, unclearAfterRead } from "../state/unclear";
import { goneNote, present } from "./present";

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
