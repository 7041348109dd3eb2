import type { CreateResult } from "@pulumi/pulumi/dynamic";
import type { Kind, ServiceObject } from "../definition";
import { make } from "../make";
import type { Match } from "../match";
import { lateOrphan, orphansOf } from "../orphans";
import { adoptable, adopts, announceTakeOver } from "../preflight";
import { finish } from "../readiness";
import type { Run } from "../run";
import { wantedInputs, withoutInternals } from "../state";
import { attempt, title } from "../telling";
import type { OpenCreate } from "../twins";
import type { Properties } from "../value";
import { sendChanges } from "./update";

/** What a resource got, and how. */
interface Obtained {
  readonly made: ServiceObject;
  /** What was asked of the service in all. */
  readonly wanted: Properties;
  /** The open end of the call that made it. */
  readonly unanswered?: OpenCreate | undefined;
}

/** Gives a resource its object: one that the program adopts, one that an interrupted run left, or a new one. */
export async function create(kind: Kind, run: Run, inputs: Properties): Promise<CreateResult> {
  const what = `could not create ${title(kind, inputs)}`;
  const { made, wanted, unanswered } = await attempt(what, kind, inputs, () => obtain(kind, run, inputs));
  if (unanswered !== undefined) run.unfinished.push({ kind, urn: inputs.__urn, made, unanswered });
  return { id: made.id, outs: await finish(kind, run, made.id, inputs, wanted, made, { unanswered }) };
}

async function obtain(kind: Kind, run: Run, inputs: Properties): Promise<Obtained> {
  const api = run.api();
  if (adopts(run, inputs)) {
    const found = await adoptable(kind, run, api, inputs);
    if (found !== undefined) return takeOver(kind, run, inputs, found);
  }
  const lost = await orphansOf(kind, run, api, inputs);
  const found = lost.match ?? (await lateOrphan(kind, run, api, inputs));
  if (found !== undefined) {
    announceTakeOver(kind, run, inputs, found);
    return takeOver(kind, run, inputs, found);
  }
  return { ...(await make(kind, run, inputs)), wanted: withoutAdopt(inputs) };
}

/** Makes an object that exists the resource's own, and changes it into what the program says. */
async function takeOver(kind: Kind, run: Run, inputs: Properties, match: Match): Promise<Obtained> {
  run.noteOwner(match.id, inputs);
  run.takenOver.add(match.id);
  const wanted = wantedInputs(kind.fields, match.state, withoutAdopt(inputs));
  const observed = await sendChanges(kind, run, match, inputs, wanted);
  return { made: { ...observed, id: match.id }, wanted };
}

function withoutAdopt(inputs: Properties): Properties {
  const { adopt, ...wanted } = withoutInternals(inputs);
  return wanted;
}
