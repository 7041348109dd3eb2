import { ExpectedError } from "../client/errors";
import type { Kind, ServiceObject } from "./definition";
import { ownerOf } from "./mark";
import { markDigits, markOf } from "./ownership";
import type { Run } from "./run";
import type { Properties } from "./value";

/**
 * The object of a state that carries another mark than in that state: another resource has adopted it since. A list can lag behind
 * an adoption by this very resource, so a read has to agree.
 */
export async function objectOfAnother(
  kind: Kind,
  run: Run,
  id: string,
  state: Properties,
): Promise<ServiceObject | undefined> {
  const own = markInState(kind, state);
  if (own === undefined) return undefined;
  const isOther = (object: Properties) => (markDigits(kind, object) ?? own) !== own;
  const listed = (await run.lately(kind))?.find((one) => one.id === id);
  if (listed === undefined || !isOther(listed)) return undefined;
  const read = await kind.read(run.api(), id, state);
  return read !== undefined && isOther(read) ? { ...read, id } : undefined;
}

/** The digits of the mark that the object of a state has. An older state does not tell them: then those that podlumi gave it. */
function markInState(kind: Kind, state: Properties): string | undefined {
  if (typeof state.__mark === "string") return state.__mark;
  if (kind.mark === undefined) return markDigits(kind, { name: state.__autoname });
  const { digits } = ownerOf(state) ?? {};
  return digits && `${digits.stack}-${digits.resource}`;
}

/** The same after an update, which never takes the mark of another resource for its own. It writes none but that in a new name. */
export function markAfterUpdate(kind: Kind, state: Properties, { name }: Properties): string | undefined {
  return markDigits(kind, { name }) ?? markInState(kind, state);
}

/** The error for a change of such an object. */
export function anotherOwnerError(kind: Kind, object: ServiceObject): ExpectedError {
  const { readable } = markOf(kind, object) ?? {};
  const whose = readable === undefined ? "" : `, ${readable.resource} of ${readable.stack}`;
  return new ExpectedError(
    `by its mark it is another resource's by now${whose}, which adopted it. Take it out of this stack (\`pulumi state delete\`)`,
    "PODLUMI-ANOTHERS",
  );
}
