import type { Kind, ServiceObject } from "./definition";
import { markDigits } from "./ownership";
import type { Run } from "./run";
import type { Properties } from "./value";

/** The object of a state that carries another mark than in that state: another resource has adopted it since. */
export async function anothers(
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
