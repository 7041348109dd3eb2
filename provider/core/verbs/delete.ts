import { remark } from "../../progress";
import type { Run } from "../../run";
import type { Kind } from "../definition";
import { doing, titled } from "../telling";
import type { Properties } from "../value";
import { endTwins } from "./update";

/** Deletes an object of the state, and what its create call made beside it. */
export async function remove(kind: Kind, run: Run, id: string, props: Properties): Promise<void> {
  run.did.delete = true;
  run.own(id, props);
  Object.assign(run.of(props.__urn), { name: props.name, existed: true });
  // A replacement by hand begins anew without a word of what there was: it has just taken this very object.
  if (run.taken.has(id)) return remark(props.__urn, `keeps the ${kind.noun} ${id}, which it has taken over`);
  await doing(`could not delete ${titled(kind, props)} (${id})`, kind, props, async () => {
    await endTwins(kind, run, id, props);
    await kind.delete(run.api(), id, props);
  });
}
