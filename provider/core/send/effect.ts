import { isDeepStrictEqual } from "node:util";
import { isUnclear, undefinedIfExpected } from "../../client/errors";
import { longestLag, situations } from "../../client/policy";
import type { FieldTable } from "../../schema/field";
import { covers, filtered, isEmpty, isRecord, type Properties } from "../../value";
import type { Existing } from "../call";
import { HalfDoneError } from "../errors";
import type { Observed } from "../kind";
import { poll } from "../poll";
import { mayLag } from "../state/lag";
import { toSendAgain } from "../state/platform";
import { body } from "../state/state";
import { readThere } from "./look";

/** The object has all that an update sends. A list that may lag behind podlumi's own last update proves nothing. */
export async function isDone({ kind, run, id, state, api }: Existing, patch: Properties): Promise<boolean> {
  if (mayLag(api(), state)) return false;
  return shows(kind.fields, await run.lists.oneLately(kind, api(), id), body(kind.fields, patch));
}

/** A second update would restart the object again. So it is sent again only where the object lacks it once no list can lag any more. */
export async function sendUntilSeen(
  existing: Existing,
  patch: Properties,
  build: () => Promise<Properties>,
  attempt: (patch: Properties) => Promise<Observed>,
): Promise<Observed> {
  const api = existing.api();
  const end = api.clock.now() + situations.unclearRestart.seconds * 1000;
  let latest = patch;
  for (;;) {
    try {
      return await attempt(latest);
    } catch (error) {
      if (!isUnclearAfter(error) || api.clock.now() > end) throw error;
      const look = poll(api, longestLag, effectToAppear, () => seesEffect(existing, latest));
      // By then, no list lags behind an earlier update either.
      const isSeen = await look
        .then((found) => found ?? seesEffect(existing, latest, "for sure"))
        .catch((failed) => {
          undefinedIfExpected(failed);
          throw error;
        });
      if (isSeen) return readDone(existing, latest);
      latest = await build();
    }
  }
}

/** The failed update may have taken effect. */
export const isUnclearAfter = (error: unknown) =>
  isUnclear(error instanceof HalfDoneError ? error.cause : error);

/** The object of which a list shows what an update sends. Its address may lag behind the list. */
export async function readDone(existing: Existing, patch: Properties): Promise<Observed> {
  const api = existing.api();
  const asked = body(existing.kind.fields, patch);
  let last = await readThere(existing);
  const isShown = () => showsSoon(existing.kind.fields, last, asked) || undefined;
  if (isShown()) return last;
  await poll(api, longestLag, effectToAppear, async () => {
    last = await readThere(existing);
    return isShown();
  });
  return last;
}

/** Undefined where the list does not show the effect, or may lag. `for sure`: it cannot lag any more. */
async function seesEffect(
  { kind, run, id, state, api }: Existing,
  patch: Properties,
  when?: "for sure",
): Promise<true | undefined> {
  const mayStillLag = when === undefined && mayLag(api(), state);
  const listed = mayStillLag ? undefined : await run.lists.oneLately(kind, api(), id, 0);
  return showsSoon(kind.fields, listed, body(kind.fields, patch)) || undefined;
}

/** The service may write a value in its own way, except for exact fields. */
function shows(fields: FieldTable, seen: Properties | undefined, asked: Properties): boolean {
  if (!isRecord(seen?.env)) return false;
  const present: Properties = { ...seen, env: toSendAgain(seen.env) };
  return Object.entries(asked).every(([name, value]) => {
    const isExact = fields[name]?.exact || fields[name]?.shared;
    return isExact ? isDeepStrictEqual(present[name], value) : covers(present[name], value);
  });
}

/** Compares only values of the same type: global networking comes back in another form, and later. */
function showsSoon(fields: FieldTable, seen: Properties | undefined, asked: Properties): boolean {
  const alike = filtered(asked, (name, value) => typeof value === typeof seen?.[name]);
  return !isEmpty(alike) && shows(fields, seen, alike);
}

const effectToAppear = () => "what the update changed to appear";
