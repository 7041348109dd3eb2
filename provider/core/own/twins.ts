import { log } from "../../engine/log";
import type { Existing } from "../call";
import type { Kind, ServiceObject } from "../kind";
import { unfinishedIn } from "../state/unfinished";
import { describe, explaining } from "../telling";
import { standingIn } from "./held";

/** The late effects of an unanswered create beside the object in the state. Nobody was ever told their ids. */
async function twinsOf(existing: Existing): Promise<ServiceObject[]> {
  const { kind, run, state, api } = existing;
  if (unfinishedIn(state).create === undefined) return [];
  const all = (await run.lists.lately(kind, api())) ?? [];
  return all.filter((object) => standingIn(existing, object).is === "twin");
}

/** Deletes them. */
export async function deleteTwins(existing: Existing): Promise<void> {
  const { kind, urn, api } = existing;
  const twins = await twinsOf(existing);
  await Promise.all(
    twins.map(async (twin) => {
      const what = `could not delete ${whatItIs(kind, twin)}`;
      const isDone = await explaining(what, existing, () => kind.delete(api(), twin.id, twin));
      if (isDone) log(urn, `deleted ${whatItIs(kind, twin)}`);
    }),
  );
}

/** Tells what the `up` deletes of them. Returns whether there are any. */
export async function tellTwins(existing: Existing): Promise<boolean> {
  const { kind, run, urn } = existing;
  const twins = await run.look(kind, () => twinsOf(existing), []);
  for (const twin of twins) log(urn, `this update deletes ${whatItIs(kind, twin)}`);
  return twins.length > 0;
}

const whatItIs = (kind: Kind, twin: ServiceObject) =>
  `the ${describe(kind, twin)}: a request without an answer created it beside the one in the state`;
