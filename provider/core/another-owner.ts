import { ExpectedError } from "../client/errors";
import type { Kind, ServiceObject } from "./definition";
import { markDigits, markOf } from "./ownership";
import type { Run } from "./run";
import type { Properties } from "./value";

/** The object of a state that carries another mark than in that state: another resource has adopted it since. */
export async function objectOfAnother(
  kind: Kind,
  run: Run,
  id: string,
  { __mark }: Properties,
): Promise<ServiceObject | undefined> {
  if (typeof __mark !== "string") return undefined;
  const object = (await run.snapshot(kind))?.find((one) => one.id === id);
  const mark = object && markDigits(kind, object);
  return mark === undefined || mark === __mark ? undefined : object;
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
