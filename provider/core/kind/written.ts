import { longestLag } from "../../client/policy";
import type { Existing } from "../resource";
import type { Run } from "../run";
import { covers, isRecord, type Properties } from "../value";
import { untilListed } from "../wait";
import type { Kind, Observed } from "./definition";
import { hasOtherMark } from "./ownership";
import { withoutPlatform } from "./platform";
import { inputsOf, stateOf, unrestored } from "./state";
import { unsettledAt } from "./unsettled";

/** When podlumi last wrote into an object that existed, and the names of the variables that the object had after that. The state keeps it. */
export interface Written {
  readonly at: string;
  readonly variables: readonly string[];
}

/** What the state keeps of a write, by the service's response to it. */
export function writtenNow(run: Run, response: Observed): Written {
  return { at: run.timestamp(), variables: variablesOf(response) };
}

/** The same of what `makeReady` wrote after a create or an update; undefined where it left the fields as they were. */
export function writtenBetween(
  run: Run,
  { fields }: Kind,
  before: Observed,
  after: Observed,
): Written | undefined {
  const isWritten = Object.keys(fields).some((name) => !covers(after[name], before[name]));
  return isWritten ? writtenNow(run, after) : undefined;
}

/**
 * Reads an object of which an update keeps parts. A read may lag behind podlumi's own last write, and what it returns then would be
 * sent again. So as long as it may, a read counts when it has what the state has. Later, a difference is drift.
 */
export async function readBeyondLag(
  { kind, run, state }: Existing,
  parts: readonly string[],
  read: () => Promise<Observed>,
): Promise<Observed> {
  let last = await read();
  const isUsable = () => showsWritten(kind, state, parts, last);
  if (isUsable()) return last;
  await untilListed(run.api(), writtenAt(state), "what the last update wrote to appear", async () => {
    last = await read();
    return isUsable() || undefined;
  });
  return last;
}

/** Whether a response may be from before podlumi's last write. */
export function mayLag(run: Run, state: Properties): boolean {
  const last = Math.max(writtenAt(state) ?? 0, unsettledAt(state));
  return run.api().now() - last < longestLag;
}

/** When podlumi last wrote into the object, in milliseconds since the epoch. */
function writtenAt({ __written }: Properties): number | undefined {
  return isRecord(__written) ? Date.parse(String(__written.at)) : undefined;
}

function showsWritten(kind: Kind, state: Properties, parts: readonly string[], seen: Observed): boolean {
  const asState = stateOf(kind.fields, seen, inputsOf(state), state);
  const { variables } = Object(state.__written) as Partial<Written>;
  // The state does not have what a failure left reset.
  const isReset = (name: string) => name in Object(state[unrestored]);
  return (
    !hasOtherMark(kind, state, seen) &&
    [...parts, "env", "expiresAt"].every((name) => isReset(name) || covers(asState[name], state[name])) &&
    covers(variablesOf(seen), variables)
  );
}

/** The names of the variables that people and programs have set. */
function variablesOf({ env }: Observed): string[] {
  return Object.keys(withoutPlatform(env)).sort();
}
