import { ExpectedError } from "../client/errors";
import { HalfDoneError } from "../core/errors";
import type { Observed, ServiceObject } from "../core/kind";
import { outline, type Properties, pick } from "../value";
import { changedBefore } from "../words/requests";

/** A request of an update. `done` says for the error of a later one what it did. */
export interface Step {
  readonly body: Properties;
  readonly done?: string;
}

/** Sends the requests of an update in turn. The error of a later one has what the earlier ones changed, for the state. */
export async function sendInTurn(
  steps: readonly Step[],
  send: (body: Properties) => Promise<ServiceObject>,
): Promise<Observed> {
  let observed: Observed = {};
  const changed: Properties = {};
  const before: string[] = [];
  for (const { body, done } of steps) {
    observed = await send(body).catch((error) => failHalfDone(error, changed, before));
    for (const [name, value] of Object.entries(body)) changed[name] = pick(observed[name], outline(value));
    if (done !== undefined) before.push(done);
  }
  return observed;
}

/** The state has to know what was changed, so that the next up sets what the program says then. */
function failHalfDone(error: unknown, changed: Properties, before: readonly string[]): never {
  if (!(error instanceof ExpectedError) || before.length === 0) throw error;
  const told = changedBefore(before);
  throw new HalfDoneError(`${error.message.replace(/\.?$/, ".")} ${told}`, error.code, changed, {
    cause: error,
  });
}
