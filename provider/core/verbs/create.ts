import type { CreateResult } from "@pulumi/pulumi/dynamic";
import { inTime } from "../../client/clock";
import { objectToAdopt } from "../apply/adopt";
import { sendChanges } from "../apply/change";
import { announceTakeOver, maybeCreated } from "../apply/preflight";
import { finish, type Outcome } from "../apply/readiness";
import { sendCreate } from "../apply/send-create";
import { continuing } from "../apply/tries";
import type { Match } from "../compare/match";
import { UnprovenError } from "../errors";
import type { Kind, ServiceObject } from "../kind/definition";
import { markDigits } from "../kind/ownership";
import { wantedInputs, withoutInternals } from "../kind/state";
import {
  adoptedMeanwhileError,
  digitsOfOwner,
  isOfAnother,
  proofOfMark,
  untilMarkShows,
} from "../owner/another-owner";
import { lateOrphan, orphansOf } from "../owner/orphans";
import type { OpenCreate } from "../owner/twins";
import type { Run } from "../run";
import { explaining, title } from "../telling";
import type { Properties } from "../value";
import { change } from "./update";

/** Milliseconds that a finished create waits for the account. The state has the object's id only after that. */
const patience = 3_000;

/** The object that a resource got. */
interface Obtained extends Pick<Outcome, "wanted" | "written" | "untilMarkShows"> {
  readonly observed: ServiceObject;
}

/**
 * Gives a resource its object: the one that the program adopts, an orphan, or a new one. As soon as there is an id, the
 * state keeps the object, even if a later step fails. A retry by a hook creates no other one: it updates what the first attempt has left.
 */
export function create(kind: Kind, run: Run, inputs: Properties, timeout?: number): Promise<CreateResult> {
  run.states.begins(inputs);
  return continuing(run, inputs, (left) =>
    left === undefined
      ? createFirst(kind, run, inputs, timeout)
      : change({ kind, run, ...left, inputs }, timeout),
  );
}

async function createFirst(
  kind: Kind,
  run: Run,
  inputs: Properties,
  timeout?: number,
): Promise<CreateResult> {
  // A refresh and a destroy with another account's key find nothing. By this, they know why.
  const account = run.account();
  const obtained = await explaining(
    `could not create ${title(kind, inputs)}`,
    kind,
    inputs,
    async () =>
      (await adopt(kind, run, inputs)) ??
      (await takeOverOrphan(kind, run, inputs)) ??
      (await createNew(kind, run, inputs)),
  );
  const { id } = obtained.observed;
  const unanswered = noteTwins(kind, run, inputs, obtained.observed);
  const outcome = {
    kind,
    run,
    id,
    state: {},
    inputs,
    timeout,
    ...obtained,
    unanswered,
    account: await inTime(patience, account),
  };
  return { id, outs: await finish(outcome) };
}

/**
 * Notes that what requests without an answer may have created as well are twins of the object, and returns the call for the state. Of a unique
 * name, there are none.
 */
function noteTwins(
  kind: Kind,
  run: Run,
  { __urn }: Properties,
  object: ServiceObject,
): OpenCreate | undefined {
  const open = run.atEnd.unfinished.get(__urn);
  if (open !== undefined && !kind.uniqueName) {
    open.object = object;
    return open.unanswered;
  }
  run.atEnd.unfinished.delete(__urn);
  return undefined;
}

/** The object that the program adopts; undefined where it adopts none. */
async function adopt(kind: Kind, run: Run, inputs: Properties): Promise<Obtained | undefined> {
  const match = run.adopts(inputs) ? await objectToAdopt(kind, run, inputs, "now") : undefined;
  return match && takeOver(kind, run, inputs, { ...match, adopted: true });
}

/** The orphan that this resource takes over; undefined when there is none. */
async function takeOverOrphan(kind: Kind, run: Run, inputs: Properties): Promise<Obtained | undefined> {
  const orphans = await orphansOf(kind, run, inputs, "now");
  const match = orphans.match ?? (await lateOrphan(kind, run, inputs));
  if (match !== undefined) await announceTakeOver(kind, run, inputs, match);
  return match && takeOver(kind, run, inputs, match);
}

async function createNew(kind: Kind, run: Run, inputs: Properties): Promise<Obtained> {
  const failure = await maybeCreated(kind, run, inputs, "now");
  if (failure !== undefined) throw new UnprovenError(failure.reason);
  const notes = run.notes(inputs.__urn);
  if (notes.unproven !== undefined) throw notes.unproven;
  const wanted = withoutAdopt(inputs);
  const observed = await sendCreate(kind, run, inputs, wanted).catch((error) => {
    if (error instanceof UnprovenError) notes.unproven = error;
    throw error;
  });
  return { observed, wanted };
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
  const { id } = match;
  const wanted = wantedInputs(kind.fields, match.state, withoutAdopt(inputs));
  const found = { __mark: markDigits(kind, match.observed) };
  const own = kind.mark === undefined ? markDigits(kind, inputs) : digitsOfOwner(inputs);
  const error = (object: ServiceObject) => adoptedMeanwhileError(kind, object);
  const proof = proofOfMark({ kind, run, id, state: found }, error, own);
  const sent = await proof.during(() => sendChanges({ kind, run, inputs, wanted, ...match }));
  const observed = { ...sent.observed, id };
  // The state would have that mark for this resource's own.
  if (isOfAnother(kind, found, observed, own)) throw error(observed);
  const obtained = { observed, wanted, written: sent.written };
  if (!(match.adopted && match.rewritesMark)) return obtained;
  return { ...obtained, untilMarkShows: () => untilMarkShows(kind, run, id, own) };
}

function withoutAdopt(inputs: Properties): Properties {
  const { adopt, ...wanted } = withoutInternals(inputs);
  return wanted;
}
