import type { CreateResult } from "@pulumi/pulumi/dynamic";
import { adopted, adopts, announce } from "../beginning";
import type { Kind, Made } from "../definition";
import { make } from "../make";
import type { Match } from "../match";
import type { Run } from "../run";
import { wantedInputs, withoutInternals } from "../state";
import { lateObject, lostObjects } from "../take-over";
import { doing, titled } from "../telling";
import type { Unanswered } from "../twins";
import type { Properties } from "../value";
import { ensured } from "./ensure";
import { sendChanges } from "./update";

/** What a resource got, and how. */
interface Begun {
  readonly made: Made;
  /** What was asked of the service in all. */
  readonly wanted: Properties;
  /** The open end of the call that made it. */
  readonly unanswered?: Unanswered | undefined;
}

/** Gives a resource its object: one that the program adopts, one that an interrupted run left, or a new one. */
export async function create(kind: Kind, run: Run, inputs: Properties): Promise<CreateResult> {
  const what = `could not create ${titled(kind, inputs)}`;
  const { made, wanted, unanswered } = await doing(what, kind, inputs, () => begun(kind, run, inputs));
  if (unanswered !== undefined) run.open.push({ kind, urn: inputs.__urn, made, unanswered });
  return { id: made.id, outs: await ensured(kind, run, made.id, inputs, wanted, made, { unanswered }) };
}

async function begun(kind: Kind, run: Run, inputs: Properties): Promise<Begun> {
  const api = run.api();
  if (adopts(run, inputs)) {
    const found = await adopted(kind, run, api, inputs);
    if (found !== undefined) return taken(kind, run, inputs, found);
  }
  const lost = await lostObjects(kind, run, api, inputs);
  const found = lost.found ?? (await lateObject(kind, run, api, inputs));
  if (found !== undefined) {
    announce(kind, run, inputs, found);
    return taken(kind, run, inputs, found);
  }
  return { ...(await make(kind, run, inputs)), wanted: asked(inputs) };
}

/** Makes an object that exists the resource's own, and changes it into what the program says. */
async function taken(kind: Kind, run: Run, inputs: Properties, match: Match): Promise<Begun> {
  run.own(match.id, inputs);
  run.taken.add(match.id);
  const wanted = wantedInputs(kind.fields, match.state, asked(inputs));
  const observed = await sendChanges(kind, run, match, inputs, wanted);
  return { made: { ...observed, id: match.id }, wanted };
}

function asked(inputs: Properties): Properties {
  const { adopt, ...wanted } = withoutInternals(inputs);
  return wanted;
}
