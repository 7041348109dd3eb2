import { inTime } from "../../client/clock";
import { undefinedIfExpected } from "../../client/errors";
import { longestLag } from "../../client/policy";
import { log, warn } from "../../engine/log";
import { endLimits } from "../end-limits";
import { listedKinds, listOf } from "../end-lists";
import type { Kind, ServiceObject } from "../kind/definition";
import { type Owner, stackDigits } from "../kind/mark";
import { hasOtherDigits, type Marked, markedAmong } from "../kind/ownership";
import type { Run } from "../run";
import { describe } from "../telling";
import { creationTimeOf, type Doubt, doubtsBeside, doubtsByReaders, inWords, noState } from "./doubts";
import { inNoStateInTime, warnOfUnmarked } from "./warn-of-interrupted";

/**
 * After a refresh or a destroy, warns of objects that carry the mark of this stack but are in no state. They are not deleted:
 * somebody may have kept them on purpose, and the mark does not tell.
 */
export async function warnOfOrphans(run: Run): Promise<void> {
  const { refresh, delete: deleted, declare } = run.did;
  const owner = await run.states.anyOwner();
  if (owner === undefined) return;
  const isLast = refresh || (deleted && !declare);
  const lists = new TimedLists();
  const absent = tellAbsent(run, owner, lists);
  const listed = isLast ? await listsOfEnd(run, lists) : [];
  await Promise.all([
    absent,
    isLast ? tellMarked(run, owner, listed) : undefined,
    ...listed.map(({ kind, all }) => warnOfUnmarked(run, kind, all)),
  ]);
  tellMissing(lists.missing, owner);
}

/** Warns of those of the objects that carry the mark of this stack. */
async function tellMarked(run: Run, owner: Owner, listed: readonly Listed[]) {
  const { marked, ours, strange } = await namedAsStack(run, owner, listed);
  const { found, isSure } = await inNoStateInTime(run, [...ours, ...strange]);
  const inNoState = await stillThere(run, found);
  const isThere = ({ object }: Marked) => inNoState.has(object);
  const there = ours.filter(isThere);
  tellStrange(strange.filter(isThere), owner);
  if (!isSure) return tellUnsure(there, owner);
  if (there.length === 0) return;
  const whose = await run.owners.whose(marked);
  const readersOf = await run.owners.stacksThatRead();
  const doubtsAbout = doubtsBeside(ours.filter((one) => !isThere(one)).map(({ mark }) => mark));
  const orphans: Marked[] = [];
  for (const one of there) {
    const doubts = [
      ...doubtsAbout(one.mark, one.object),
      ...doubtsByReaders(readersOf(one.kind, one.object)),
    ];
    if (whose(one.mark) !== "own") tellOthers(one);
    else if (doubts.length > 0) tellDoubts(one, doubts, owner);
    else orphans.push(one);
  }
  tellOrphans(run, orphans, owner);
}

/** Lists at the end of a run. */
class TimedLists {
  /** The kinds whose lists failed or took too long. */
  readonly missing = new Set<Kind>();

  /** What a list shows; nothing where it fails or takes too long. */
  async inTime(kind: Kind, list: Promise<ServiceObject[] | undefined>): Promise<readonly ServiceObject[]> {
    const shown = list.then((all) => all ?? []).catch(undefinedIfExpected);
    const all = await inTime(endLimits.list, shown);
    if (all === undefined) this.missing.add(kind);
    return all ?? [];
  }
}

/** All objects of a kind at the end of a run. */
interface Listed {
  readonly kind: Kind;
  readonly all: readonly ServiceObject[];
}

function listsOfEnd(run: Run, lists: TimedLists): Promise<Listed[]> {
  const looks = listedKinds(run).map(async (kind) => ({
    kind,
    all: await lists.inTime(kind, listOf(run, kind)),
  }));
  return Promise.all(looks);
}

/** Warns of what has left the state since the service did not show it, and what it shows by now. */
async function tellAbsent(run: Run, { readable }: Owner, lists: TimedLists): Promise<void> {
  const kinds = [...new Set(run.atEnd.absent.values())];
  const tell = (kind: Kind, object: ServiceObject) =>
    warn(
      undefined,
      `the ${describe(kind, object)} is there after all: the service answered 404 to its deletion, so it has left the state. Delete it: ` +
        `\`npx podlumi sweep --stack ${readable.stack}\` does if it carries the mark of this stack`,
      "PODLUMI-ORPHAN",
    );
  const looks = kinds.map(async (kind) => {
    const all = await lists.inTime(kind, kind.list(run.api()));
    for (const object of all) if (run.atEnd.absent.has(object.id)) tell(kind, object);
  });
  await Promise.all(looks);
}

/**
 * The objects that this stack has marked, under any of its providers, and those that have its name in a mark that it does not know.
 * The latter are of a stack of that name in another backend, or of a provider that has left this one.
 */
async function namedAsStack(
  run: Run,
  owner: Owner,
  listed: readonly Listed[],
): Promise<{ marked: Marked[]; ours: Marked[]; strange: Marked[] }> {
  const own = new Set([...run.owners.seenMarkers].map(stackDigits));
  const all = listed.flatMap((one) => markedAmong(one.kind, one.all));
  const named = all.filter(({ mark }) => own.has(mark.digits.stack) || hasOtherDigits(mark, owner));
  const asksForMarkers = named.some(({ mark }) => !own.has(mark.digits.stack));
  if (asksForMarkers) for (const id of await run.owners.markers()) own.add(stackDigits(id));
  return {
    marked: all,
    ours: named.filter(({ mark }) => own.has(mark.digits.stack)),
    strange: named.filter(({ kind, mark }) => kind.bills && !own.has(mark.digits.stack)),
  };
}

/**
 * What there is of these objects now: the process of another provider of the program may have deleted some since. Where a kind cannot be
 * listed once more, all of it counts. A list may still show what an earlier run has deleted, so each object is also read by itself.
 */
async function stillThere(run: Run, all: readonly Marked[]): Promise<ReadonlySet<ServiceObject>> {
  const listed = (kind: Kind) => {
    const list = kind.list(run.api()).catch(undefinedIfExpected);
    return inTime(endLimits.lastList, list);
  };
  const lists = new Map([...new Set(all.map(({ kind }) => kind))].map((kind) => [kind, listed(kind)]));
  const looks = all.map(async (one) => {
    const [present, isGone] = await Promise.all([lists.get(one.kind), isReadAsGone(run, one)]);
    return !isGone && (present?.some(({ id }) => id === one.object.id) ?? true) ? [one.object] : [];
  });
  return new Set((await Promise.all(looks)).flat());
}

/** Whether a read finds no such object. That of one that was created a moment ago may lag behind, and does not count. */
async function isReadAsGone(run: Run, one: Marked): Promise<boolean> {
  const { kind, object } = one;
  const isOld = run.now() - creationTimeOf(one) > longestLag;
  if (!isOld || kind.one === undefined) return false;
  const read = kind.one(run.api(), object.id);
  const isGone = read.then((found) => found === undefined).catch(undefinedIfExpected);
  return (await inTime(endLimits.lastList, isGone)) ?? false;
}

/** Tells what the end of a run could not look at. */
function tellMissing(missing: ReadonlySet<Kind>, { readable }: Owner): void {
  if (missing.size === 0) return;
  const kinds = [...missing].map(({ noun }) => `${noun}s`).join(", ");
  log(
    undefined,
    `podlumi could not list the ${kinds} at the end of this run, so it names no orphans of them. ` +
      `\`npx podlumi ls --stack ${readable.stack}\` lists them`,
  );
}

/** Warns of what another stack may have: Pulumi has not told all states in time. */
function tellUnsure(all: readonly Marked[], { readable: { stack } }: Owner): void {
  if (all.length === 0) return;
  const [carry, are, them] = all.length === 1 ? ["carries", "is", "it"] : ["carry", "are", "them"];
  warn(
    undefined,
    `${all.map(described).join(" and ")} ${carry} the mark of this stack and ${are} not in its state. podlumi could not read all ` +
      `states, so another stack may have ${them}: \`npx podlumi ls --stack ${stack}\` tells`,
    "PODLUMI-ORPHAN",
  );
}

/** Warns of an object of which it is not certain that this stack created it. */
function tellDoubts(one: Marked, doubts: readonly Doubt[], { readable }: Owner): void {
  const { why, flags } = inWords(doubts);
  warn(
    undefined,
    `the ${described(one)} carries the mark of this stack and is in ${noState}. But ${why}: podlumi leaves it alone. ` +
      `\`npx podlumi sweep --stack ${readable.stack}${flags}\` deletes it, after asking`,
    "PODLUMI-ORPHAN",
  );
}

function tellOthers(one: Marked): void {
  if (!one.kind.bills) return;
  const stack = one.mark.readable?.stack;
  log(
    undefined,
    `the ${described(one)} carries a mark of a provider of this stack${stack === undefined ? "" : `, and the name ${stack}`}. ` +
      `Another stack may have created it (\`pulumi state move\`, \`pulumi stack rename\`): it is in ${noState}, and podlumi leaves it alone`,
  );
}

/** Tells what costs money, since nothing else does once its provider has left the state. */
function tellStrange([first, ...more]: readonly Marked[], owner: Owner): void {
  if (first === undefined) return;
  const all = `${described(first)}${more.length === 0 ? " has" : ` and ${more.length} more have`}`;
  const { stack } = owner.readable;
  log(
    undefined,
    `the ${all} the name of this stack in a mark that it does not know: of a stack of that name in another backend, or of a ` +
      `provider that has left this one. \`npx podlumi ls --stack ${stack}\` lists what has the name`,
  );
}

function tellOrphans({ command }: Run, orphans: readonly Marked[], owner: Owner): void {
  if (orphans.length === 0) return;
  const [are, them, id] = orphans.length === 1 ? ["is", "it", "its id"] : ["are", "them", "their ids"];
  // The next provider of the stack has other marks.
  const next = command.deletesAll
    ? `Once this destroy has ended well, no \`pulumi up\` takes ${them} over: to keep ${them}, write adopt with ${id}`
    : "The next `pulumi up` takes over what its program still declares";
  warn(
    undefined,
    `${orphans.map(described).join(" and ")} ${are} of this stack, by the mark, and not in its state: an interrupted run created ` +
      `${them}, or somebody kept ${them} on purpose (retainOnDelete, deletedWith, \`pulumi state delete\`). ${next}. ` +
      `\`npx podlumi sweep --stack ${owner.readable.stack}\` deletes ${them}, after asking`,
    "PODLUMI-ORPHAN",
  );
}

function described({ kind, object, mark }: Marked): string {
  const resource = mark.readable?.resource;
  return `${describe(kind, object)}${resource === undefined ? "" : `, made for ${resource},`}`;
}
