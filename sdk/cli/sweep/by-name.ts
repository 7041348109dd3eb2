import { type Listed, markIn } from "../kinds";
import { statesShown } from "../states/pulumi";
import { digitsOf, nameInMarks, type State } from "../states/state";
import { maybeCreated, readersOf, whyHeld, whyMaybeCreated } from "../states/uses";

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
  const [created] = maybeCreated(states, [one]);
  const [reader] = readersOf(states, one);
  return whyHeld(states, one) ?? reader?.why ?? (created && whyMaybeCreated(created));
}

function byMark(states: readonly State[], one: Listed): string | undefined {
  const mark = markIn(one);
  if (mark === undefined) return undefined;
  const state = states.find((one) => digitsOf([one]).has(mark.digits.stack));
  const stack = state === undefined ? mark.readable?.stack : nameInMarks(state);
  const sweep = `\`npx podlumi sweep --stack ${stack ?? "project/stack"}\` deletes it if no state has it`;
  return `it carries the mark of ${stack ?? "a stack"}: ${sweep}`;
}
