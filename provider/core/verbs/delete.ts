import { remark } from "../../engine/log";
import type { Kind } from "../definition";
import { markDigits, toldObject } from "../ownership";
import type { Run } from "../run";
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
    if (!(await isAnothers(kind, run, id, props))) await kind.delete(run.api(), id, props);
  });
}

/** Whether an object carries another mark than it had here: another stack has adopted it since. */
async function isAnothers(kind: Kind, run: Run, id: string, { __urn, __mark }: Properties): Promise<boolean> {
  if (typeof __mark !== "string") return false;
  const all = await run.before(kind).catch(() => undefined);
  const object = all?.find((one) => one.id === id);
  const mark = object && markDigits(kind, object);
  if (object === undefined || mark === undefined || mark === __mark) return false;
  remark(
    __urn,
    `keeps the ${toldObject(kind, object)}: by its mark it is another resource's by now, which adopted it [PODLUMI-ANOTHERS]`,
    "WARNING",
  );
  return true;
}
