import { describe } from "../../../provider/core/telling";
import { tell } from "../output";
import { statesShown } from "../states/pulumi";
import type { Found } from "./observe";

/** Leaves out what a stack has or has created, and tells of it. */
export async function withoutOthers(existing: readonly Found[]): Promise<readonly Found[]> {
  const stacks = await stacksThatHave();
  const others = existing.filter(({ id, mark }) => mark !== undefined || stacks.has(id));
  for (const stack of new Set(others.map(({ id }) => stacks.get(id)))) {
    const its = others.filter(({ id }) => stacks.get(id) === stack);
    const which = its.map(({ kind, id, name }) => describe({ noun: kind }, { id, name })).join(", ");
    tell(
      stack === undefined
        ? `podlumi: left out, with the mark of a stack of podlumi: ${which}. --marked takes them`
        : `podlumi: left out, in the state of ${stack}: ${which}. Take them out of that state first (\`pulumi state delete\`)` +
            // It takes what every other stack has created, too.
            (its.some(({ mark }) => mark !== undefined) ? ", then --marked takes those of podlumi" : ""),
    );
  }
  return existing.filter((found) => !others.includes(found));
}

/** The stacks of the backend by the ids of the objects in their states. */
async function stacksThatHave(): Promise<ReadonlyMap<string, string>> {
  const { states, unread } = await statesShown();
  if (unread.length > 0)
    tell(
      `podlumi: the state of ${unread.join(", ")} cannot be read. Of what a stack has, only what carries a mark is left out`,
    );
  return new Map(states.flatMap(({ name, holders }) => [...holders.keys()].map((id) => [id, name] as const)));
}
