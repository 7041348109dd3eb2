import { nameInMarks, type State } from "../../engine/export";
import { kindOfUrn } from "../../identity";
import type { Kind } from "../kind/definition";
import { type Mark, stackDigits, stackNameDigits } from "../kind/mark";
import { holdsSecret } from "../kind/secret-value";
import { isRecord } from "../value";

/** What matters here of an object that carries a mark. */
export interface Held {
  readonly object: { readonly id: string };
  readonly mark: Pick<Mark, "digits">;
}

/**
 * What a stack does with an object: a resource has it, a run is adopting it, a replacement that deletes first has kept it, for its create to
 * adopt it again, or the program only reads it (`get`).
 */
export type Use = "has" | "adopts" | "keeps" | "reads";

/**
 * What a stack does with an object of a kind, by its state; undefined for nothing. The engine writes what a run is creating into the
 * state before it asks podlumi to create it, so that of two runs one at least sees the other. It stays there when the run is interrupted.
 * What the resource `but` adopts does not count.
 */
export function useOf(
  { holders, adopting, objects, reads }: State,
  { type }: Pick<Kind, "type">,
  { id, name }: { readonly id: string; readonly name?: unknown },
  but?: unknown,
): Use | undefined {
  if (holders.has(id)) return "has";
  // What is adopted by its name may have the next one by now. What the program keeps secret, a state does not tell: it may be this one.
  const isName = (one: unknown) => holdsSecret(one) || (name !== undefined && one === name);
  const mayBe = ({ adopt, name: next }: State["adopting"][number]) =>
    holdsSecret(adopt) || (isRecord(adopt) && (isName(adopt.name) || isName(next)));
  // An id is this object's, whatever package adopts it.
  const isThis = (one: State["adopting"][number]) =>
    one.adopt === id || (kindOfUrn(one.urn) === type && mayBe(one));
  if (adopting.some((one) => one.urn !== but && isThis(one))) return "adopts";
  // What is there and stands in a state as deleted was kept.
  if (objects.some((one) => one.isGone && one.id === id)) return "keeps";
  return reads.has(id) ? "reads" : undefined;
}

/** The names of the stacks that make such a use of an object of a kind, as marks have them. */
export function usersOf(
  states: readonly State[],
  kind: Pick<Kind, "type">,
  object: { readonly id: string; readonly name?: unknown },
  use: Use,
): string[] {
  return states.filter((state) => useOf(state, kind, object) === use).map(nameInMarks);
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
