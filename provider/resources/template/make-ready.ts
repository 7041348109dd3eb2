import type { Api } from "../../client/api";
import { ExpectedError, isOpen, undefinedIfExpected } from "../../client/errors";
import { isRetired } from "../../client/graphql";
import { AdoptionError, NotReadyError } from "../../core/errors";
import type { Observed } from "../../core/kind";
import type { Earlier } from "../../core/kind/readiness";
import { unfinishedIn } from "../../core/state/internals";
import type { Failure } from "../../schema/failure";
import type { Change, ChangeRule } from "../../schema/field";
import { covers, isEmpty, isUnknown, keyed, type Properties } from "../../value";
import { type Lacking, lacking, readmeOf, saveReadme, savesReadmes, unset } from "./readme";

/** A readme goes over GraphQL alone. Where that is retired, a new one fails in the preview, and a removal changes only the state. */
export const readmeChange: ChangeRule = async (_from, to, { api }): Promise<Change> => {
  // It may turn out to be the one that the template has.
  if (isUnknown(to) || (await savesReadmes(api))) return "update";
  if (!isEmpty(to)) throw new AdoptionError(`readme: ${noReadmes}`, "PODLUMI-RETIRED");
  api().log("the template keeps its readme: the service has retired GraphQL, which alone removes it");
  return "update";
};

/** The readme that a new template cannot get. */
export async function readmeConflict(api: Api, { readme }: Properties): Promise<Failure | undefined> {
  if (isEmpty(readme) || (await savesReadmes(() => api))) return undefined;
  return { property: "readme", reason: noReadmes, code: "PODLUMI-RETIRED" };
}

const noReadmes =
  "the service has retired GraphQL, which alone saves a readme: take readme out of the program";

/**
 * Saves the readme where it is another one than the state's, and has REST restore what a save has reset: this one, or an earlier one after
 * which that failed. The state then has what is to be restored. Any other difference somebody else has made.
 */
export async function makeReady(
  api: Api,
  id: string,
  wanted: Properties,
  observed: Observed,
  { before, isNew }: Earlier,
): Promise<Observed> {
  const { readme } = wanted;
  const open = unfinishedIn(before).reset ?? {};
  if (readme === undefined && isEmpty(open)) return complete(observed, "");
  const meant = (name: string) => wanted[name] ?? open[name] ?? before[name];
  const present =
    readme === undefined
      ? before.readme
      : await presentReadme(api, id, observed, before).catch((error) =>
          failWith(error, complete(observed, before.readme), open),
        );
  const due = keyed(stillReset(observed, open), meant);
  const untold = keyed(
    lacking.filter((name) => observed[name] == null),
    meant,
  );
  const whole = complete({ ...observed, ...untold, ...due }, readme ?? "");
  const isSaved = readme === undefined || present === readme;
  const lost = isSaved
    ? due
    : await saveReadme(api, id, whole, { isNew }).catch(async (error) => {
        // Nothing can remove it any more, as the preview has said. A gateway's 410 proves nothing: then a look finds readmes.
        if (readme === "" && isRetired(error) && !(await savesReadmes(() => api))) return due;
        // A save without a clear answer may have been done.
        const [last, lost] = isOpen(error) ? [readme || present, all(whole)] : [present, due];
        return failWith(error, complete(observed, last), lost);
      });
  return isEmpty(lost) ? whole : restore(api, id, whole, lost);
}

/** The settings that are as a save has reset them. A read may lag, and show the value from before. Any other somebody has set. */
function stillReset(observed: Observed, open: Properties): readonly Lacking[] {
  return lacking.filter(
    (name) => name in open && (isUnset(name, observed[name]) || covers(observed[name], open[name])),
  );
}

/** Has REST restore what a save has reset. */
async function restore(api: Api, id: string, whole: Observed, lost: Properties): Promise<Observed> {
  const gone = keyed(Object.keys(lost), () => undefined);
  const restored = await api.templates
    .update(id, lost)
    .catch((error) => failWith(error, { ...whole, ...gone }, lost));
  return { ...whole, ...restored };
}

/** Adds `mounts`, which the live service omits when there are none, and the readme, which REST never returns. */
export function complete(observed: Observed, readme: unknown): Observed {
  return { ...observed, mounts: observed.mounts ?? {}, readme };
}

/** The readme that the template has. The state tells it, unless podlumi adopts the template, or a save before failed. */
async function presentReadme(api: Api, id: string, observed: Observed, before: Properties): Promise<unknown> {
  const isKnown = before.readme !== undefined && !unfinishedIn(before).isNotReady;
  return isKnown ? before.readme : (observed.readme ?? readmeOf(api, id));
}

/**
 * Declared settings that a save of the readme has reset, after which the run was killed: the template has the program's new readme
 * already. Nothing tells any other readme, and what the program leaves out, from what a person has set.
 */
export async function resetBySave(
  api: Api,
  id: string,
  { readme = "", ...inputs }: Properties,
  look: () => Promise<Observed | undefined>,
): Promise<string[]> {
  const declared = lacking.filter((name) => !isUnset(name, inputs[name]));
  const seen = declared.length > 0 ? await look() : undefined;
  const reset = declared.filter((name) => seen !== undefined && isUnset(name, seen[name]));
  const isSaved = async () => (await readmeOf(api, id).catch(undefinedIfExpected)) === readme;
  return reset.length > 0 && (await isSaved()) ? reset : [];
}

function isUnset(name: Lacking, value: unknown): boolean {
  return value == null || covers(value, unset[name]);
}

const all = (whole: Properties) => keyed(lacking, (name) => whole[name]);

/** A readme that may have been saved is in the state, so that the edit that drops it removes it. So is what is to be restored. */
function failWith(error: unknown, seen: Observed, left: Properties): never {
  if (!(error instanceof ExpectedError)) throw error;
  throw new NotReadyError(
    error.message,
    error.code,
    seen,
    { cause: error },
    isEmpty(left) ? undefined : left,
  );
}
