import { ExpectedError } from "../../client/errors";
import { warn } from "../../engine/log";
import { isRecord } from "../../value";
import { type Checking, resourceOf } from "../call";
import { traceOf } from "../errors";
import { askAccount, isListedAtFirst } from "../guard/account";

/** Begins the looks of all kinds when the first resource is new: the engine checks one after the other, and each kind would wait for its own. */
export function lookAhead(checking: Checking): void {
  const { run, inputs, kinds } = checking;
  if (!isRecord(kinds)) return;
  for (const kind of run.kinds) {
    const given = kinds[kind.type];
    if (kind.single || !Array.isArray(given)) continue;
    const { api } = resourceOf(kind, run, inputs);
    if (isListedAtFirst(kind, inputs)) startLook(() => run.lists.atFirst(kind, api().impatient()));
    if (kind.account?.takes !== undefined) startLook(() => askAccount(checking));
    for (const name of given) startLook(async () => kind.advice?.warnings?.lists[name]?.(api().impatient()));
  }
}

/** A failed look is repeated where it is needed. A defect is told, since the look may be needed nowhere. */
function startLook(look: () => Promise<unknown>): void {
  Promise.resolve()
    .then(look)
    .catch((error) => {
      if (error instanceof ExpectedError) return;
      warn(undefined, `podlumi could not look ahead: ${traceOf(error)}`, "PODLUMI-DEFECT");
    });
}
