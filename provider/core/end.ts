import { remark } from "../engine/log";
import type { Kind, Made } from "./definition";
import { ownerOf } from "./mark";
import { copies, markOf, toldObject } from "./ownership";
import type { OpenCreation, Run } from "./run";
import { deleteTwins, twinsAmong } from "./twins";

/** What a run still has to do when the engine has done its part: it leaves a provider a few seconds for that. */
export async function endRun(run: Run): Promise<void> {
  await Promise.allSettled([...run.open.map((open) => endTwinsOf(run, open)), tellLost(run)]);
}

/** Deletes what a create call of this run has made beside the object that the engine was told of. */
async function endTwinsOf(run: Run, { kind, made, urn, unanswered }: OpenCreation): Promise<void> {
  const all = (await kind.list(run.api())) ?? [];
  const twins = twinsAmong(all, kind, made.id, unanswered).filter(({ id }) => run.ownerOf(id) === undefined);
  await deleteTwins(run.api(), kind, twins, (text) => remark(urn, text));
}

/** Tells of everything that carries the mark of this stack and is not in its state: after a refresh, and after a destroy. */
async function tellLost(run: Run): Promise<void> {
  const { refresh, delete: deleted, declare } = run.did;
  if (run.anyone === undefined || !(refresh || (deleted && !declare))) return;
  const owner = ownerOf(run.anyone);
  if (owner === undefined) return;
  const age = deleted ? 0 : Number.POSITIVE_INFINITY;
  const marked = async (kind: Kind) => {
    const all = (await kind.list(run.api(), age).catch(() => [])) ?? [];
    return all.flatMap((object) => {
      const mark = markOf(kind, object);
      return mark?.stack === owner.digits.stack ? [{ kind, object, mark }] : [];
    });
  };
  const found = (await Promise.all(run.kinds.map(marked))).flat();
  const strangers = new Set(
    await run.strangers(
      found.map(({ object }) => object),
      run.anyone,
    ),
  );
  const lost = found.filter(({ object }) => strangers.has(object));
  const isCopy = copies(found.filter((one) => !lost.includes(one)).map(({ mark }) => mark));
  const isOwn = ({ object, mark }: (typeof lost)[number]) => !isCopy(mark, object);
  for (const { kind, object } of lost.filter((one) => !isOwn(one))) {
    remark(
      undefined,
      `the ${described(kind, object)} may be a copy that somebody made, by its mark and its name, and is not in the state: podlumi ` +
        "leaves it alone",
    );
  }
  const told = lost.filter(isOwn).map(({ kind, object }) => described(kind, object));
  if (told.length === 0) return;
  const [are, them] = told.length === 1 ? ["is", "it"] : ["are", "them"];
  remark(
    undefined,
    `${told.join(", ")} ${are} of this stack, by the mark, and not in its state: an interrupted run made ${them}, or ` +
      `somebody kept ${them} on purpose (retainOnDelete, \`pulumi state delete\`). \`npx podlumi sweep --stack ` +
      `${owner.stack}\` deletes ${them}, after asking [PODLUMI-ORPHAN]`,
    "WARNING",
  );
}

function described(kind: Kind, object: Made): string {
  const resource = markOf(kind, object)?.told?.resource;
  return `${toldObject(kind, object)}${resource === undefined ? "" : `, made for ${resource},`}`;
}
