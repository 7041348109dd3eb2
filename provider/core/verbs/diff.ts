import { isDeepStrictEqual } from "node:util";
import type { DiffResult } from "@pulumi/pulumi/dynamic";
import { confirmDataLoss } from "../../config";
import { remark, warn } from "../../engine/log";
import { declaredTwice } from "../adopt";
import { provisionalName } from "../beginning";
import type { Kind, Made } from "../definition";
import { differences } from "../diff";
import { guardData } from "../loss";
import { toldObject } from "../ownership";
import type { Run } from "../run";
import { inputsOf } from "../state";
import { doing, titled } from "../telling";
import { twinsAmong, unansweredIn } from "../twins";
import type { Properties } from "../value";

/** Says what differs between the state and the program, what that costs, and what a replacement loses. */
export async function diff(
  kind: Kind,
  run: Run,
  id: string,
  olds: Properties,
  news: Properties,
): Promise<DiffResult> {
  // Without a key, what takes no look at the service is compared all the same.
  const found = await doing(`cannot compare ${titled(kind, news)} (${id})`, kind, news, async () => {
    mustBeFree(run, id, olds, news);
    return differences(kind.fields, olds, news, () => run.api());
  });
  run.own(id, news);
  const told = run.of(news.__urn);
  Object.assign(told, { name: olds.name, existed: true });

  const replaces = [...found].filter(([, change]) => change === "replace").map(([name]) => name);
  if (kind.lost && found.size === 0 && run.confirmed(id))
    warn(news.__urn, toldSpent(id), "PODLUMI-DATA-LOSS");
  if (replaces.length > 0) await guardData(kind, run, id, olds, news, { by: "podlumi", changed: replaces });
  else told.compared = { id, olds, changed: [...found.keys()] };
  const twins = await openTwins(kind, run, id, olds);
  for (const twin of twins) remark(news.__urn, toldTwin(kind, twin));

  const before = told.inputs ?? inputsOf(olds);
  const edited = [...found.keys()].some((name) => !isDeepStrictEqual(before[name], news[name]));
  const inPlace = replaces.length === 0 && found.size > 0;
  // Left open, the engine finds by itself which inputs changed: it shows them, and heeds replaceOnChanges.
  const open = twins.length === 0 && (inPlace || edited);
  return {
    changes: open ? undefined : found.size + twins.length > 0 || olds.__provider !== news.__provider,
    replaces,
    deleteBeforeReplace: kind.uniqueName === true && nameOfReplacement(kind, run, news) === olds.name,
  };
}

/** An object is one resource's; a state keeps the URN that a resource had before it was renamed. */
function mustBeFree(run: Run, id: string, olds: Properties, news: Properties): void {
  const owner = run.ownerOf(id) ?? news.__urn;
  if (owner !== news.__urn && owner !== olds.__urn) throw declaredTwice(owner);
}

/** What an open create call of an earlier run has made beside this object. */
async function openTwins(kind: Kind, run: Run, id: string, olds: Properties): Promise<Made[]> {
  if (olds.__unanswered === undefined) return [];
  return run.lookOrElse(kind, async () => {
    const unanswered = unansweredIn(olds, run.api().now());
    if (unanswered === undefined) return [];
    const twins = twinsAmong((await run.before(kind)) ?? [], kind, id, unanswered);
    return run.strangers(twins, olds);
  }, []);
}

const toldSpent = (id: string) =>
  `${confirmDataLoss} has ${id}, of which nothing is to be replaced: take it out, or it confirms a later change, too`;

const toldTwin = (kind: Kind, twin: Made) =>
  `deletes the ${toldObject(kind, twin)}: a request without an answer made it beside the one that is in the state`;

/** The name that a replacement will have: another one where podlumi makes it up. */
function nameOfReplacement(kind: Kind, run: Run, news: Properties): unknown {
  if (run.of(news.__urn).named !== false) return news.name;
  return provisionalName(kind, run, { ...news, name: undefined });
}
