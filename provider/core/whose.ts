import { nameInMarks, type State } from "../engine/stacks";
import { type Mark, stackDigits, stackNameDigits } from "./mark";

/**
 * Returns a function that finds the state of the stack that a mark is of; undefined where that is open. `stacks` are the names of all
 * stacks, `states` those that were read.
 *
 * The provider in a mark tells, until `pulumi state move` gives another stack that provider, too. Then the name in the mark tells, unless
 * both stacks were renamed and one has the former name of the other. A name that no stack has is one from before a rename of the stack
 * that alone has the provider, where its objects show it, or show none.
 */
export function stackOfMark(
  states: readonly State[],
  stacks: readonly string[],
): (mark: Pick<Mark, "digits">) => State | undefined {
  const present = new Set(stacks.map(digitsOfName));
  const all = states.map((state) => ({
    state,
    name: digitsOfName(state.name),
    markers: new Set([...state.markers].map(stackDigits)),
    shown: new Set([...state.shownNames].map(stackNameDigits)),
  }));
  return ({ digits: { stack, stackName } }) => {
    const having = all.filter(({ markers }) => markers.has(stack));
    const named = having.find(({ name }) => name === stackName);
    if (named !== undefined) {
      const hadOtherName = [...named.shown].some((name) => name !== stackName);
      const isFormerName = having.some((one) => one !== named && one.shown.has(stackName));
      return hadOtherName && isFormerName ? undefined : named.state;
    }
    const [only, ...more] = having;
    if (only === undefined || more.length > 0 || present.has(stackName)) return undefined;
    return only.shown.size === 0 || only.shown.has(stackName) ? only.state : undefined;
  };
}

function digitsOfName(name: string): string {
  return stackNameDigits(nameInMarks({ name }));
}
