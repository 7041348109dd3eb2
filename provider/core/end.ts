import { evenIfCancelled } from "../client/cancel";
import { flushed, log } from "../engine/log";
import type { Kind, ServiceObject } from "./definition";
import { ownerOf, stackDigits } from "./mark";
import { copies, describe, markOf } from "./ownership";
import type { Run, UnfinishedCreate } from "./run";
import { deleteTwins, twinsAmong } from "./twins";
import type { Properties } from "./value";

/** Work at the end of a run, also of a cancelled one. The engine leaves a provider a few seconds for it. */
export async function endRun(run: Run): Promise<void> {
  await evenIfCancelled(() =>
    Promise.allSettled([...run.unfinished.map((open) => deleteTwinsOf(run, open)), warnOfOrphans(run)]),
  );
}

/** Milliseconds for the work at the end of a run. The engine interrupts a provider then, and kills it 5 s later. */
const patience = 4_500;

/** Ends the run when the engine interrupts this process. A provider gets no other sign of the end. */
export function endWithProcess(run: Run): void {
  const end = () => {
    setTimeout(() => process.exit(), patience);
    void endRun(run)
      .then(flushed)
      .finally(() => process.exit());
  };
  process.once("SIGINT", end).once("SIGBREAK", end);
}

/** Deletes the twins of an object that this run made. */
async function deleteTwinsOf(run: Run, { kind, made, urn, unanswered }: UnfinishedCreate): Promise<void> {
  const all = (await kind.list(run.api())) ?? [];
  const twins = twinsAmong(all, kind, made.id, unanswered).filter(
    ({ id }) => run.knownOwner(id) === undefined,
  );
  await deleteTwins(run.api(), kind, twins, (text) => log(urn, text));
}

/** The lists in which orphans are looked for: of the kinds in the state, and of every kind that costs money. */
function watched(run: Run): Kind[] {
  return run.kinds.filter((kind) => kind.bills || run.kindsInState.has(kind));
}

/** Begins to look for orphans with the first read of a refresh, so that the refresh takes no longer for it. */
export function watch(run: Run): void {
  for (const kind of watched(run)) {
    const list = async () => kind.list(run.api(), Number.POSITIVE_INFINITY);
    // One that fails is asked for again at the end.
    list().catch(() => undefined);
  }
}

/** After a refresh or a destroy, warns of objects that carry the mark of this stack but are not in its state. */
async function warnOfOrphans(run: Run): Promise<void> {
  const { refresh, delete: deleted, declare } = run.did;
  if (run.anyInputs === undefined || !(refresh || (deleted && !declare))) return;
  const owner = ownerOf(run.anyInputs);
  if (owner === undefined) return;
  const listed = (kind: Kind) => {
    if (!deleted) return kind.list(run.api(), Number.POSITIVE_INFINITY);
    return kind.bills ? kind.list(run.api()) : run.snapshot(kind);
  };
  const marked = async (kind: Kind) => {
    const all = (await listed(kind).catch(() => [])) ?? [];
    return all.flatMap((object) => {
      const mark = markOf(kind, object);
      const { stack, stackName } = owner.digits;
      return mark?.digits.stack === stack || mark?.digits.stackName === stackName
        ? [{ kind, object, mark }]
        : [];
    });
  };
  const named = (await Promise.all(watched(run).map(marked))).flat();
  // Another stack can have the same name, in another backend. So the digits have to be this stack's, of either face.
  const isOther = named.some(({ mark }) => mark.digits.stack !== owner.digits.stack);
  const digits = new Set([
    owner.digits.stack,
    ...(isOther ? (await run.markers(run.anyInputs)).map(stackDigits) : []),
  ]);
  const found = named.filter(({ mark }) => digits.has(mark.digits.stack));
  const objects = found.map(({ object }) => object);
  const inNoState = new Set(await orphansInTime(run, objects, run.anyInputs));
  const orphans = found.filter(({ object }) => inNoState.has(object));
  const isCopy = copies(found.filter((one) => !orphans.includes(one)).map(({ mark }) => mark));
  const isOwn = ({ object, mark }: (typeof orphans)[number]) => !isCopy(mark, object);
  for (const { kind, object } of orphans.filter((one) => !isOwn(one))) {
    log(
      undefined,
      `the ${described(kind, object)} may be a copy that somebody made, by its mark and its name, and is not in the state: podlumi ` +
        "leaves it alone",
    );
  }
  // They are not deleted: somebody may have kept them on purpose, and the mark does not tell.
  const all = orphans.filter(isOwn).map(({ kind, object }) => described(kind, object));
  if (all.length === 0) return;
  const [are, them] = all.length === 1 ? ["is", "it"] : ["are", "them"];
  log(
    undefined,
    `${all.join(" and ")} ${are} of this stack, by the mark, and not in its state: an interrupted run made ${them}, or ` +
      `somebody kept ${them} on purpose (retainOnDelete, \`pulumi state delete\`). \`npx podlumi sweep --stack ` +
      `${owner.readable.stack}\` deletes ${them}, after asking [PODLUMI-ORPHAN]`,
    "WARNING",
  );
}

/** Milliseconds within which all states have to be read: the end of a run leaves no more. */
const statesLimit = 3_000;

/** The objects that no state has. A backend with many stacks is too slow for the end of a run: then only the own state counts. */
async function orphansInTime(
  run: Run,
  objects: readonly ServiceObject[],
  inputs: Properties,
): Promise<ServiceObject[]> {
  const late = run
    .api()
    .clock.sleep(statesLimit)
    .then(() => run.notInState(objects, inputs));
  return Promise.race([run.orphansAmong(objects, inputs), late]);
}

function described(kind: Kind, object: ServiceObject): string {
  const resource = markOf(kind, object)?.readable?.resource;
  return `${describe(kind, object)}${resource === undefined ? "" : `, made for ${resource},`}`;
}
