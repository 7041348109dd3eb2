import type { CreateResult } from "@pulumi/pulumi/dynamic";
import { objectToAdopt } from "../apply/adopt";
import { sendChanges } from "../apply/change";
import { announceTakeOver, maybeCreated } from "../apply/preflight";
import { finish, type Outcome } from "../apply/readiness";
import { sendCreate } from "../apply/send-create";
import { continuing } from "../apply/tries";
import type { Match } from "../compare/match";
import { HalfDoneError, UnprovenError } from "../errors";
import type { ServiceObject } from "../kind/definition";
import { markDigits, markToGet } from "../kind/ownership";
import { wantedInputs, withoutInternals } from "../kind/state";
import { adoptedMeanwhileError, isOfAnother, proofOfMark, untilMarkShows } from "../owner/another-owner";
import type { OpenCreate } from "../owner/open-create";
import { lateOrphan, orphansOf } from "../owner/orphans";
import type { Resource } from "../resource";
import { explaining, title } from "../telling";
import type { Properties } from "../value";
import { change, leftBy } from "./update";

/** The object that a resource got. */
interface Obtained extends Pick<Outcome, "wanted" | "written" | "untilMarkShows"> {
  readonly observed: ServiceObject;
}

/**
 * Gives a resource its object: the one that the program adopts, an orphan, or a new one. As soon as there is an id, the
 * state keeps the object, even if a later step fails. A retry by a hook creates no other one: it updates what the first attempt has left.
 */
export function create(resource: Resource, timeout?: number): Promise<CreateResult> {
  resource.run.states.begins(resource.inputs);
  return continuing(resource, (left) =>
    left === undefined ? createFirst(resource, timeout) : change({ ...resource, ...left }, timeout),
  );
}

async function createFirst(resource: Resource, timeout?: number): Promise<CreateResult> {
  const { kind, run, inputs } = resource;
  // The state is to have the account: asked for at once, its response delays nothing.
  void run.account();
  const obtained = await explaining(
    `could not create ${title(kind, inputs)}`,
    kind,
    inputs,
    async () => (await adopt(resource)) ?? (await takeOverOrphan(resource)) ?? (await createNew(resource)),
  );
  const { id } = obtained.observed;
  const unanswered = noteTwins(resource, obtained.observed);
  return { id, outs: await finish({ ...resource, id, state: {}, timeout, ...obtained, unanswered }) };
}

/**
 * Notes that what requests without an answer may have created as well are twins of the object, and returns the call for the state. Of a unique
 * name, there are none.
 */
function noteTwins({ kind, run, inputs }: Resource, object: ServiceObject): OpenCreate | undefined {
  const { __urn } = inputs;
  const open = run.atEnd.unfinished.get(__urn);
  if (open !== undefined && !kind.uniqueName) {
    open.object = object;
    return open.unanswered;
  }
  run.atEnd.unfinished.delete(__urn);
  return undefined;
}

/** The object that the program adopts; undefined where it adopts none. */
async function adopt(resource: Resource): Promise<Obtained | undefined> {
  const match = resource.run.adopts(resource.inputs) ? await objectToAdopt(resource, "now") : undefined;
  return match && takeOver(resource, { ...match, adopted: true });
}

/** The orphan that this resource takes over; undefined when there is none. */
async function takeOverOrphan(resource: Resource): Promise<Obtained | undefined> {
  const orphans = await orphansOf(resource, "now");
  const match = orphans.match ?? (await lateOrphan(resource));
  if (match !== undefined) await announceTakeOver(resource, match);
  return match && takeOver(resource, match);
}

async function createNew(resource: Resource): Promise<Obtained> {
  const { run, inputs } = resource;
  const failure = await maybeCreated(resource, "now");
  if (failure !== undefined) throw new UnprovenError(failure.reason);
  const notes = run.notes(inputs.__urn);
  if (notes.unproven !== undefined) throw notes.unproven;
  const wanted = withoutAdopt(inputs);
  const observed = await sendCreate(resource, wanted).catch((error) => {
    if (error instanceof UnprovenError) notes.unproven = error;
    throw error;
  });
  return { observed, wanted };
}

/** Takes over an existing object and changes it into what the program says. */
async function takeOver(resource: Resource, match: Match & { adopted?: boolean }): Promise<Obtained> {
  const { kind, run, inputs } = resource;
  run.owners.claim(kind, match.id, inputs);
  run.notes(inputs.__urn).found = match.id;
  const { id } = match;
  const wanted = wantedInputs(kind.fields, match.state, withoutAdopt(inputs));
  const found = { __mark: markDigits(kind, match.observed) };
  const own = markToGet(kind, inputs);
  const error = (object: ServiceObject) => adoptedMeanwhileError(kind, object);
  const proof = proofOfMark({ kind, run, id, state: found }, error, own);
  const sent = await proof
    .during(() => sendChanges({ ...resource, wanted, ...match }))
    .catch((failure) => {
      const notes = run.notes(inputs.__urn);
      if (notes.kept !== undefined && failure instanceof HalfDoneError)
        notes.kept = { id, state: leftBy(failure, { ...resource, ...notes.kept }) };
      throw failure;
    });
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
