import { isDeepStrictEqual } from "node:util";
import type { Api } from "../../client/api";
import { errorText } from "../../client/errors";
import { Proof } from "../../client/proof";
import { log, warn } from "../../engine/log";
import type { Kind, ServiceObject } from "../kind/definition";
import { type Owner, ownerOf } from "../kind/mark";
import { carries, isUnderItsName, markOf } from "../kind/ownership";
import type { Existing } from "../resource";
import type { Run } from "../run";
import { describe } from "../telling";
import { covers, type Properties } from "../value";
import { isCreatedLate } from "./doubts";
import { type OpenCreate, openCreateIn, type UnfinishedCreate } from "./open-create";
import { StateUnknownError } from "./states";
import { whyTwinsStay } from "./why-twins-stay";

/** What requests without an answer have created beside the object in the state. */
export interface Twins {
  readonly twins: ServiceObject[];
  /** What looks like a twin, and was created so late that it may be a copy. */
  readonly late: ServiceObject[];
}

/**
 * The twins of an object among all objects of its kind: at most one for each request without an answer. Where there are
 * more, some may be copies that somebody made, so none counts. A copy of the object in the state is no twin: it carries
 * the number of the request that was answered.
 */
export function twinsAmong(
  objects: readonly ServiceObject[],
  kind: Kind,
  ownId: string | undefined,
  create: OpenCreate,
): Twins {
  const isUnmarked = create.call === undefined;
  const isLike = (object: ServiceObject) => {
    if (object.id === ownId || create.before.includes(object.id)) return false;
    if (isUnmarked) return object.name === create.name && hasInputs(object, create.asked);
    const mark = markOf(kind, object);
    if (mark?.attempt === undefined || mark.call !== create.call) return false;
    return create.attempts.includes(mark.attempt) && isUnderItsName(mark, object);
  };
  const found = objects.filter(isLike).map((object) => ({ object, mark: markOf(kind, object) }));
  const isLate = ({ object, mark }: (typeof found)[number]) =>
    isCreatedLate(object, mark?.sentAt ?? Date.parse(create.at));
  const inTime = found.filter((one) => !isLate(one));
  const most = isUnmarked ? create.attempts.length : 1;
  const ofRequest = (attempt: unknown) => inTime.filter(({ mark }) => mark?.attempt === attempt);
  return {
    twins: inTime.filter(({ mark }) => ofRequest(mark?.attempt).length <= most).map(({ object }) => object),
    late: found.filter(isLate).map(({ object }) => object),
  };
}

function hasInputs(object: ServiceObject, asked: Properties): boolean {
  return Object.entries(asked).every(([name, value]) => !(name in object) || covers(object[name], value));
}

/**
 * Deletes the twins of an object that an earlier run left: at the end of the run where there is a program, since what it declares later,
 * perhaps under another provider, may adopt or read one of them, also after the object itself has gone, as in a replacement that deletes first.
 */
export async function deleteTwinsInState({ kind, run, id, state }: Existing): Promise<void> {
  const unanswered = openCreateIn(state, run.api().now());
  if (unanswered === undefined) return;
  if (run.hasProgram) {
    // What this run has created itself, a retry by a hook only updates.
    const isOwn = run.atEnd.unfinished.get(state.__urn)?.object?.id === id;
    if (!isOwn)
      run.atEnd.unfinished.set(id, { kind, inputs: state, object: { id }, unanswered, isEarlier: true });
    return;
  }
  const all = (await kind.list(run.api())) ?? [];
  const { twins } = twinsAmong(all, kind, id, unanswered);
  await deleteUnused(kind, run, twins, state);
}

/** Settles a create call at the end of the run: deletes the twins of what it created, or names what a call that failed has created after all. */
export async function settle(
  run: Run,
  { kind, inputs, object, unanswered, isEarlier }: UnfinishedCreate,
): Promise<void> {
  const all = (await kind.list(run.api())) ?? [];
  const { twins } = twinsAmong(all, kind, object?.id, unanswered);
  if (twins.length === 0) return;
  if (object !== undefined) {
    const why = isEarlier && (await whyTwinsStay(kind, run, twins, inputs));
    return deleteUnused(kind, run, twins, inputs, why);
  }
  const owner = ownerOf(inputs);
  for (const one of await run.owners.freeAmong(kind, twins, "now"))
    warn(inputs.__urn, lateNote(kind, one, owner), "PODLUMI-ORPHAN");
}

function lateNote(kind: Kind, object: ServiceObject, owner: Owner | undefined): string {
  const isSure = owner !== undefined && carries(kind, object, owner);
  const [has, next] = isSure
    ? [
        "has",
        `While the resource is in the program, the next \`pulumi up\` takes it over; \`npx podlumi sweep --stack ${owner.readable.stack}\` deletes it`,
      ]
    : ["may have", `If so, write adopt: "${object.id}", or delete it`];
  return `a request without a clear answer of the failed create ${has} created the ${describe(kind, object)}. ${next}`;
}

/** Deletes those of the twins that no state has, and that no program reads: its word comes first. Leaves them where it is told `why`. */
async function deleteUnused(
  kind: Kind,
  run: Run,
  twins: readonly ServiceObject[],
  whose: Properties,
  why?: string,
): Promise<void> {
  const tell = (text: string) => log(whose.__urn, text);
  const unread = twins.filter(({ id }) => !run.readers.has(id));
  const unused = await run.owners.unusedAmong(kind, unread, "now").catch((error) => {
    if (!(error instanceof StateUnknownError)) throw error;
    tell(leavesNote(kind, twins, errorText(error)));
    return [];
  });
  if (why !== undefined && unused.length > 0) return tell(leavesNote(kind, unused, why));
  await deleteTwins(run.api(), kind, unused, tell);
}

/** That twins stay, and why. */
export function leavesNote(kind: Kind, twins: readonly ServiceObject[], why: string): string {
  const all = twins.map((one) => describe(kind, one)).join(", ");
  return `leaves the ${all}, which a request without an answer created: ${why}`;
}

/** Somebody adopted a twin before it was deleted. */
class AdoptedMeanwhile extends Error {}

/** Deletes twins and reports each one. */
export async function deleteTwins(
  api: Api,
  kind: Kind,
  twins: readonly ServiceObject[],
  tell: (text: string) => void,
): Promise<void> {
  const remove = async (twin: ServiceObject) => {
    const prove = async () => {
      const present = await kind.read(api, twin.id, twin);
      const isTaken = present !== undefined && !isDeepStrictEqual(markOf(kind, present), markOf(kind, twin));
      if (isTaken) throw new AdoptedMeanwhile();
    };
    try {
      await new Proof(api.clock, prove, 0).during(() => kind.delete(api, twin.id, twin));
    } catch (error) {
      if (error instanceof AdoptedMeanwhile) return;
      throw error;
    }
    tell(
      `deleted the ${describe(kind, twin)}: a request without an answer had created it in addition to the one in the state`,
    );
  };
  await Promise.all(twins.map(remove));
}
