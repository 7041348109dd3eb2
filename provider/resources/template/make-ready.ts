import type { Api } from "../../client/api";
import { ExpectedError, isOpen } from "../../client/errors";
import { isRetired } from "../../client/graphql";
import { AdoptionError, NotReadyError } from "../../core/errors";
import type { Observed } from "../../core/kind";
import type { Earlier } from "../../core/kind/readiness";
import { unfinishedIn } from "../../core/state/internals";
import type { Failure } from "../../schema/failure";
import type { Change, ChangeRule } from "../../schema/field";
import { covers, isEmpty, isUnknown, keyed, type Properties, without } from "../../value";
import { lacking, readmeOf, saveReadme, savesReadmes, unset } from "./readme";

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
 * Saves the readme where it is another one than the state's, and has REST restore what the save has reset. Where that fails, the state lacks
 * these settings, so that the next update sends the program's.
 */
export async function makeReady(
  api: Api,
  id: string,
  wanted: Properties,
  observed: Observed,
  { before, isNew }: Earlier,
): Promise<Observed> {
  const { readme } = wanted;
  if (readme === undefined) return complete(observed, "");
  const present = await presentReadme(api, id, observed, before).catch((error) =>
    failWith(error, complete(observed, before.readme)),
  );
  const untold = keyed(
    lacking.filter((name) => observed[name] == null),
    (name) => wanted[name] ?? before[name],
  );
  const seen = complete({ ...observed, ...untold }, readme);
  if (present === readme) return seen;
  // As an earlier save has left them, after which the run was killed.
  const reset = lacking.filter((name) => wanted[name] !== undefined && covers(observed[name], unset[name]));
  const whole = { ...seen, ...keyed(reset, (name) => wanted[name]) };
  const lost = await saveReadme(api, id, whole, { isNew }).catch(async (error) => {
    // Nothing can remove it any more, as the preview has said. A gateway's 410 proves nothing: then a look finds readmes.
    if (readme === "" && isRetired(error) && !(await savesReadmes(() => api))) return {};
    // A save without a clear answer may have been done. A readme that may have been saved is in the state, so that an edit removes it.
    const last = isOpen(error) ? without(lacking, observed) : observed;
    return failWith(error, complete(last, isOpen(error) ? readme || present : present));
  });
  return isEmpty(lost) ? whole : restore(api, id, whole, lost);
}

async function restore(api: Api, id: string, whole: Observed, lost: Properties): Promise<Observed> {
  const restored = await api.templates
    .update(id, lost)
    .catch((error) => failWith(error, without(Object.keys(lost), whole)));
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

function failWith(error: unknown, seen: Observed): never {
  if (!(error instanceof ExpectedError)) throw error;
  throw new NotReadyError(error.message, error.code, seen, { cause: error });
}
