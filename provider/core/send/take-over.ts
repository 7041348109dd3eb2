import type { Resource } from "../call";
import type { Match } from "../compare/match";
import type { ServiceObject } from "../kind";
import { markDigits, markToGet } from "../mark/carried";
import { provenByNow } from "../own/object";
import { internalInputsOf, withoutAdopt } from "../state/internals";
import { wantedInputs } from "../state/state";
import { sendChanges } from "./change";
import type { Obtained } from "./finish";

/** Takes an existing object, and changes it into what the program says. */
export async function takeOver(resource: Resource, match: Match): Promise<Obtained<ServiceObject>> {
  const { kind, run, record, urn, inputs } = resource;
  const { id } = match;
  run.holders.claim(kind, id, urn);
  record.noteFound(id);
  const wanted = wantedInputs(kind.fields, match.state, withoutAdopt(inputs));
  const found = { ...internalInputsOf(inputs), ...match.state, __mark: markDigits(kind, match.observed) };
  const call = provenByNow({ ...resource, ...match, state: found });
  const sent = await sendChanges({ ...call, wanted });
  const isReMarked = match.rewritesMark && markToGet(kind, inputs) !== found.__mark;
  return { ...sent, origin: "found", observed: { ...sent.observed, id }, wanted, isReMarked };
}
