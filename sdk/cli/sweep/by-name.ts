import { stackNameDigits } from "../../../provider/core/kind/mark";
import { markOf } from "../../../provider/core/kind/ownership";
import { doubtsByUsers } from "../../../provider/core/owner/doubts";
import { type Use, usersOf } from "../../../provider/core/owner/whose";
import { nameInMarks, type State } from "../../../provider/engine/export";
import { definitionOf, type Listed } from "../kinds";
import { maybeCreated } from "../maybe-created";
import { statesShown } from "../states";

/** Returns a function that tells why its name is not enough to delete an object: a stack has to do with it. Undefined for others. */
export async function stacksNow(): Promise<(one: Listed) => string | undefined> {
  const { states, unread } = await statesShown();
  return (one) => byStates(states, one) ?? byMark(states, one) ?? byUnread(unread);
}

function byUnread(unread: readonly string[]): string | undefined {
  return unread.length === 0
    ? undefined
    : `the state of ${unread.join(", ")} cannot be read, and may have it`;
}

function byStates(states: readonly State[], one: Listed): string | undefined {
  const stacksThat = (use: Use) => usersOf(states, definitionOf(one.kind), one.object, use);
  const having = stacksThat("has");
  if (having.length > 0) return `it is in the state of ${having.join(" and ")}`;
  const [doubt] = doubtsByUsers(stacksThat);
  if (doubt !== undefined) return doubt.why;
  const [created] = maybeCreated(states, [one]);
  return (
    created &&
    `a run that is under way, or was interrupted, is creating ${created.urn}, and may have created it`
  );
}

function byMark(states: readonly State[], { kind, object }: Listed): string | undefined {
  const mark = markOf(definitionOf(kind), object);
  if (mark === undefined) return undefined;
  const named = states.map(nameInMarks).find((name) => stackNameDigits(name) === mark.digits.stackName);
  const stack = mark.readable?.stack ?? named;
  const sweep = `\`npx podlumi sweep --stack ${stack ?? "project/stack"}\` deletes it if no state has it`;
  return `it carries the mark of ${stack ?? "a stack"}: ${sweep}`;
}
