import { isDeepStrictEqual } from "node:util";
import type { DiffResult } from "@pulumi/pulumi/dynamic";
import { confirmDataLoss } from "../../config";
import { log, warn } from "../../engine/log";
import { declaredTwice } from "../adopt";
import { guardData } from "../data-loss";
import type { Kind, ServiceObject } from "../definition";
import { type Differences, differences } from "../diff";
import { failIfExpired } from "../expiry";
import { describe } from "../ownership";
import { provisionalName } from "../preflight";
import type { Run } from "../run";
import { inputsOf } from "../state";
import { explaining, title } from "../telling";
import { openCreateIn, twinsAmong } from "../twins";
import type { Properties } from "../value";

/** What differs between the state and the program. */
export interface Difference extends DiffResult {
  /** The fields that differ. */
  readonly fields: Differences;
}

/** Compares the state with the program: what differs, and what that costs. Guards data against a replacement. */
export async function diff(
  kind: Kind,
  run: Run,
  id: string,
  olds: Properties,
  news: Properties,
): Promise<Difference> {
  // Works without an API key, as long as no field needs the service for the comparison.
  const found = await explaining(`cannot compare ${title(kind, news)} (${id})`, kind, news, async () => {
    failIfDeclaredTwice(run, id, olds, news);
    return differences(kind.fields, olds, news, () => run.api());
  });
  run.noteOwner(id, news);
  const notes = run.notes(news.__urn);
  // A refresh, and a deletion, compare too, but without a check.
  if (notes.checked && "expiresAfter" in kind.fields)
    await explaining(`will not go on with ${title(kind, news)} (${id})`, kind, news, async () =>
      failIfExpired(olds, news, found, run.now(), async () => {
        // Any answer tells the service's time.
        await kind.read(run.api(), id, olds);
        return run.now();
      }),
    );
  Object.assign(notes, { name: olds.name, existed: true, formerUrn: olds.__urn });

  const replaces = [...found].filter(([, change]) => change === "replace").map(([name]) => name);
  if (kind.dataHeld && found.size === 0 && run.confirmed(id))
    warn(news.__urn, spentWarning(id), "PODLUMI-DATA-LOSS");
  if (replaces.length > 0) await guardData(kind, run, id, olds, news, { by: "podlumi", changed: replaces });
  else notes.compared = { id, olds, changed: [...found.keys()] };
  const twins = await openTwins(kind, run, id, olds);
  for (const twin of twins) log(news.__urn, twinNote(kind, twin));

  const before = notes.inputs ?? inputsOf(olds);
  const edited = [...found.keys()].some((name) => !isDeepStrictEqual(before[name], news[name]));
  const inPlace = replaces.length === 0 && found.size > 0;
  // With `changes` undefined, the engine compares the inputs itself: it shows changes and applies replaceOnChanges.
  const open = twins.length === 0 && (inPlace || edited);
  return {
    changes: open ? undefined : found.size + twins.length > 0 || olds.__provider !== news.__provider,
    replaces,
    fields: found,
    deleteBeforeReplace: kind.uniqueName === true && nameOfReplacement(kind, run, news) === olds.name,
  };
}

/** An object belongs to one resource. After a resource is renamed, its state still has the old URN, which is fine. */
function failIfDeclaredTwice(run: Run, id: string, olds: Properties, news: Properties): void {
  const owner = run.knownOwner(id) ?? news.__urn;
  if (owner !== news.__urn && owner !== olds.__urn) throw declaredTwice(owner);
}

/** The twins of this object that an earlier run left. */
async function openTwins(kind: Kind, run: Run, id: string, olds: Properties): Promise<ServiceObject[]> {
  if (olds.__unanswered === undefined) return [];
  return run.lookOr(kind, async () => {
    const unanswered = openCreateIn(olds, run.api().now());
    if (unanswered === undefined) return [];
    const twins = twinsAmong((await run.snapshot(kind)) ?? [], kind, id, unanswered);
    return run.notInState(twins, olds);
  }, []);
}

const spentWarning = (id: string) =>
  `${confirmDataLoss} has ${id}, of which nothing is to be replaced: take it out, or it confirms a later change, too`;

const twinNote = (kind: Kind, twin: ServiceObject) =>
  `deletes the ${describe(kind, twin)}: a request without an answer made it beside the one that is in the state`;

/** The name of a replacement. Where podlumi makes it up, it is a new one. */
function nameOfReplacement(kind: Kind, run: Run, news: Properties): unknown {
  if (run.notes(news.__urn).nameGiven !== false) return news.name;
  return provisionalName(kind, run, { ...news, name: undefined });
}
