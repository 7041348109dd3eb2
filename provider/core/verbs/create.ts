import type { CreateResult } from "@pulumi/pulumi/dynamic";
import { ExpectedError } from "../../client/errors";
import { adopts, objectToAdopt } from "../apply/adopt";
import { sendChanges } from "../apply/change";
import { make } from "../apply/make";
import { announceTakeOver, maybeMade } from "../apply/preflight";
import { finish } from "../apply/readiness";
import type { Match } from "../compare/match";
import type { Kind, ServiceObject } from "../kind/definition";
import { wantedInputs, withoutInternals } from "../kind/state";
import type { Written } from "../kind/written";
import { adoptedMeanwhileError, digitsOfOwner, isOfAnother, proofOfMark } from "../owner/another-owner";
import { lateOrphan, orphansOf } from "../owner/orphans";
import { markDigits } from "../owner/ownership";
import type { OpenCreate } from "../owner/twins";
import type { Run } from "../run";
import { explaining, title } from "../telling";
import type { Properties } from "../value";

/** The object that a resource got. */
interface Obtained {
  readonly object: ServiceObject;
  /** Everything that was asked of the service. */
  readonly wanted: Properties;
  /** What was written into an object that existed already. */
  readonly written?: Written | undefined;
  /** The create call, if some of its requests had no clear answer. */
  readonly unanswered?: OpenCreate | undefined;
}

/**
 * Gives a resource its object: the one that the program adopts, an orphan, or a new one. As soon as there is an id, the
 * state keeps the object, even if a later step fails.
 */
export async function create(
  kind: Kind,
  run: Run,
  inputs: Properties,
  timeout?: number,
): Promise<CreateResult> {
  run.states.begins(inputs);
  const { object, wanted, written, unanswered } = await explaining(
    `could not create ${title(kind, inputs)}`,
    kind,
    inputs,
    async () =>
      (await adopt(kind, run, inputs)) ??
      (await takeOverOrphan(kind, run, inputs)) ??
      (await makeNew(kind, run, inputs)),
  );
  return {
    id: object.id,
    outs: await finish(kind, run, object.id, inputs, wanted, object, { written, unanswered, timeout }),
  };
}

/** The object that the program adopts; undefined where it adopts none. */
async function adopt(kind: Kind, run: Run, inputs: Properties): Promise<Obtained | undefined> {
  const match = adopts(run, inputs) ? await objectToAdopt(kind, run, inputs, "now") : undefined;
  return match && takeOver(kind, run, inputs, { ...match, adopted: true });
}

/** The orphan that this resource takes over; undefined when there is none. */
async function takeOverOrphan(kind: Kind, run: Run, inputs: Properties): Promise<Obtained | undefined> {
  const orphans = await orphansOf(kind, run, inputs, "now");
  const match = orphans.match ?? (await lateOrphan(kind, run, inputs));
  if (match !== undefined) announceTakeOver(kind, run, inputs, match);
  return match && takeOver(kind, run, inputs, match);
}

async function makeNew(kind: Kind, run: Run, inputs: Properties): Promise<Obtained> {
  const made = await maybeMade(kind, run, inputs, "now");
  if (made !== undefined) throw new ExpectedError(made.reason, "PODLUMI-MAY-BE-MADE");
  const wanted = withoutAdopt(inputs);
  return { ...(await make(kind, run, inputs, wanted)), wanted };
}

/** Takes over an existing object and changes it into what the program says. */
async function takeOver(
  kind: Kind,
  run: Run,
  inputs: Properties,
  match: Match & { adopted?: boolean },
): Promise<Obtained> {
  run.owners.claim(kind, match.id, inputs);
  run.takenOver.add(match.id);
  const wanted = wantedInputs(kind.fields, match.state, withoutAdopt(inputs));
  const found = { __mark: markDigits(kind, match.observed) };
  const own = kind.mark === undefined ? markDigits(kind, inputs) : digitsOfOwner(inputs);
  const proof = proofOfMark(kind, run, match.id, found, (object) => adoptedMeanwhileError(kind, object), own);
  const { observed, written } = await proof.during(() => sendChanges(kind, run, match, inputs, wanted));
  const object = { ...observed, id: match.id };
  // The state would have that mark for this resource's own.
  if (isOfAnother(kind, found, object, own)) throw adoptedMeanwhileError(kind, object);
  return { object, wanted, written };
}

function withoutAdopt(inputs: Properties): Properties {
  const { adopt, ...wanted } = withoutInternals(inputs);
  return wanted;
}
