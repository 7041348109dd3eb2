import { situations } from "../../client/policy";
import { hasOtherMark } from "../owner/ownership";
import type { Run } from "../run";
import { covers, isRecord, type Properties } from "../value";
import { untilListed } from "../wait";
import type { Kind, Observed } from "./definition";
import { withoutPlatform } from "./platform";
import { inputsOf, stateOf } from "./state";

/** When an update wrote into an object, and the names of the variables that the object had after that. The state keeps it. */
export interface Written {
  readonly at: string;
  readonly variables: readonly string[];
}

/** What the state keeps of an update. `answer` is the service's answer to it. */
export function writtenNow(run: Run, answer: Observed): Written {
  return { at: new Date(run.api().now()).toISOString(), variables: variablesOf(answer) };
}

/**
 * Reads an object of which an update keeps parts. A read may lag behind podlumi's own last update, and what it answers then would be
 * sent again. So as long as it may, a read counts when it has what the state has. Later, a difference is drift.
 */
export async function readBeyondLag(
  run: Run,
  kind: Kind,
  state: Properties,
  parts: readonly string[],
  read: () => Promise<Observed>,
): Promise<Observed> {
  let last = await read();
  const isUsable = () => showsWritten(kind, state, parts, last);
  if (!isRecord(state.__written) || isUsable()) return last;
  await untilWritten(run, state, async () => {
    last = await read();
    return isUsable() || undefined;
  });
  return last;
}

/** Looks until the service has to show what the last update wrote; undefined at once after one of long ago. */
export function untilWritten<T>(
  run: Run,
  state: Properties,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  return untilListed(run.api(), writtenAt(state), "what the last update wrote to appear", look);
}

/** Whether an answer may be from before the last update. */
export function mayLag(run: Run, state: Properties): boolean {
  return run.api().now() - (writtenAt(state) ?? 0) < situations.unseen.seconds * 1000;
}

/** When the last update wrote into the object, in milliseconds since the epoch. */
function writtenAt({ __written }: Properties): number | undefined {
  return isRecord(__written) ? Date.parse(String(__written.at)) : undefined;
}

function showsWritten(kind: Kind, state: Properties, parts: readonly string[], seen: Observed): boolean {
  const asState = stateOf(kind.fields, seen, inputsOf(state), state);
  const { variables } = Object(state.__written) as Partial<Written>;
  return (
    !hasOtherMark(kind, state, seen) &&
    [...parts, "env", "expiresAt"].every((name) => covers(asState[name], state[name])) &&
    covers(variablesOf(seen), variables)
  );
}

/** The names of the variables that people and programs have set. */
function variablesOf({ env }: Observed): string[] {
  return Object.keys(withoutPlatform(env)).sort();
}
