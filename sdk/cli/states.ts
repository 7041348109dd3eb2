import { ExpectedError } from "../../provider/client/errors";
import { readableOf, stackDigits } from "../../provider/core/kind/mark";
import { nameInMarks, type State } from "../../provider/engine/export";
import { pulumi, states as statesIn } from "../../provider/engine/stacks";
import type { Listed } from "./kinds";

/** All stacks that Pulumi knows here. Without them, live objects cannot be told from orphans. */
export async function stackNames(): Promise<string[]> {
  const names = await pulumi.stacks();
  if (names !== undefined) return names;
  throw new ExpectedError(
    "`pulumi stack ls --all` failed, so podlumi cannot tell what is live. Run this where `pulumi` is installed and logged " +
      "in to the backend of the stack",
    "PODLUMI-STATE-UNKNOWN",
  );
}

/** The states of stacks. Throws where one of them cannot be read. */
export function statesOf(names: readonly string[]): Promise<State[]> {
  return statesIn(pulumi, names, (name) => {
    throw new ExpectedError(
      `Pulumi has a stack ${name}, and \`pulumi stack export --stack ${name}\` failed: podlumi cannot tell what of it is live`,
      "PODLUMI-STATE-UNKNOWN",
    );
  });
}

/** The states of all stacks that Pulumi shows here, and the stacks whose states cannot be read. */
export async function statesShown(): Promise<{
  readonly states: readonly State[];
  readonly unread: readonly string[];
}> {
  const names = await pulumi.stacks();
  const unread = names === undefined ? ["any stack"] : [];
  const states = await statesIn(pulumi, names ?? [], (stack) => unread.push(stack));
  return { states, unread };
}

/** The state that has an object. */
function holding(states: readonly State[], { id }: Listed): State | undefined {
  return states.find(({ holders }) => holders.has(id));
}

/** Whether a resource has an object. */
export function isIn(states: readonly State[], one: Listed): boolean {
  return holding(states, one) !== undefined;
}

/** The name of the stack of that state, as `--stack` takes it. */
export function holderStack(states: readonly State[], one: Listed): string | null {
  const state = holding(states, one);
  return state === undefined ? null : nameInMarks(state);
}

/** The URN of the resource that has an object, by the states. */
export function holderOf(states: readonly State[], one: Listed): string | undefined {
  return holding(states, one)?.holders.get(one.id);
}

/** That resource in words: the mark of a volume or a template has no room for it. */
export function resourceIn(states: readonly State[], one: Listed): string | null {
  const urn = holderOf(states, one);
  return urn === undefined ? null : readableOf(urn).resource;
}

/** Whether a state has objects under the provider that a mark comes from, or the provider itself. */
export function hasMark({ markers }: State, digits: string): boolean {
  return [...markers].some((id) => stackDigits(id) === digits);
}
