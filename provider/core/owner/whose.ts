import { nameInMarks, type State } from "../../engine/export";
import { type Mark, stackDigits, stackNameDigits } from "./mark";

/** What matters here of an object that carries a mark. */
export interface Held {
  readonly object: { readonly id: string };
  readonly mark: Pick<Mark, "digits">;
}

/** The names of the stacks whose programs only read an object (`get`), as marks have them. */
export function readersOf(states: readonly State[], id: string): string[] {
  return states.filter(({ reads }) => reads.has(id)).map(nameInMarks);
}

/** The stack that a mark is of, by its state. Open: one of several stacks, or one of before. Unknown: no state has its provider. */
export type Whose = { readonly of: State } | "open" | "unknown";

/**
 * Returns a function that finds the stack that a mark is of. `stacks` are the names of all stacks, `states` those that were read, `marked`
 * the objects that are known to carry marks.
 *
 * The provider in a mark tells, until `pulumi state move` gives another stack that provider, too. Then the name in the mark tells, unless
 * both stacks were renamed and one has the former name of the other. A name that no stack has is one from before a rename of the stack
 * that alone has the provider, where its objects show it, in the state or by the names in their marks, or show none.
 */
export function stackOfMark(
  states: readonly State[],
  stacks: readonly string[],
  marked: readonly Held[] = [],
): (mark: Pick<Mark, "digits">) => Whose {
  const present = new Set(stacks.map(digitsOfName));
  const all = states.map((state) => {
    const markers = new Set([...state.markers].map(stackDigits));
    // A rename leaves marks as they are. A mark of another provider is one that an import has left.
    const own = marked.filter(
      ({ object, mark }) => state.holders.has(object.id) && markers.has(mark.digits.stack),
    );
    const shown = [
      ...[...state.shownNames].map(stackNameDigits),
      ...own.map(({ mark }) => mark.digits.stackName),
    ];
    return { state, name: digitsOfName(state.name), markers, shown: new Set(shown) };
  });
  return ({ digits: { stack, stackName } }) => {
    const having = all.filter(({ markers }) => markers.has(stack));
    const named = having.find(({ name }) => name === stackName);
    if (named !== undefined) {
      const hadOtherName = [...named.shown].some((name) => name !== stackName);
      const isFormerName = having.some((one) => one !== named && one.shown.has(stackName));
      return hadOtherName && isFormerName ? "open" : { of: named.state };
    }
    const [only, ...more] = having;
    if (only === undefined) return "unknown";
    if (more.length > 0 || present.has(stackName)) return "open";
    return only.shown.size === 0 || only.shown.has(stackName) ? { of: only.state } : "open";
  };
}

function digitsOfName(name: string): string {
  return stackNameDigits(nameInMarks({ name }));
}
