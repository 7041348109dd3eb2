import type { Edit } from "../existing";
import type { Differences } from "../kind/field";
import { inputsOf, stateOf } from "../kind/state";
import { unsettledFields } from "../kind/unsettled";
import { mayLag } from "../kind/written";
import type { Properties } from "../value";
import { differences } from "./diff";

/**
 * The state with what the list shows of the fields that an update without a clear answer sent, and those of them that only a replacement
 * can bring back, such as the size of a volume that has grown.
 */
export async function seenOfUnsettled(edit: Edit): Promise<{ seen: Properties; lost: Differences }> {
  const { kind, run, id, state, news } = edit;
  const open = run.notes(news.__urn).checked ? unsettledFields(state) : [];
  const look = async () => {
    const object = await run.lists.one(kind, id);
    return mayLag(run, state) ? undefined : object;
  };
  const listed = open.length === 0 ? undefined : await run.look(kind, look);
  if (listed === undefined) return { seen: state, lost: new Map() };
  const present = stateOf(kind.fields, listed, inputsOf(state), state);
  const seen = { ...state, ...Object.fromEntries(open.map((name) => [name, present[name]])) };
  const found = await differences(kind.fields, { state: seen, inputs: news, api: () => run.api() });
  return {
    seen,
    lost: new Map([...found].filter(([name, change]) => open.includes(name) && change === "replace")),
  };
}
