import { ExpectedError } from "../client/errors";
import type { Kind, ServiceObject } from "./definition";
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
  if (typeof state.__mark !== "string") return undefined;
  const listed = (await run.lately(kind))?.find((one) => one.id === id);
  if (listed === undefined || !hasOtherMark(kind, listed, state)) return undefined;
  const read = await kind.read(run.api(), id, state);
  return read !== undefined && hasOtherMark(kind, read, state) ? { ...read, id } : undefined;
}

function hasOtherMark(kind: Kind, object: Properties, { __mark }: Properties): boolean {
  const mark = markDigits(kind, object);
  return mark !== undefined && mark !== __mark;
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
