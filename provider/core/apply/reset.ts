import type { Edit } from "../existing";
import { declaration } from "../kind/declared";
import type { Differences } from "../kind/field";
import { unsettled } from "../kind/state";
import { isRecord, outline, type Properties } from "../value";

/** The fields that an interrupted update has reset, and that this one sets again beside what differs from the state. */
export async function resetFields({ kind, run, id, news }: Edit, changes: Differences): Promise<string[]> {
  const { reset } = kind;
  if (reset === undefined || !changes.has(reset.by)) return [];
  const names = await reset.find(run.api(), id, news, () => run.lists.one(kind, id));
  return names.filter((name) => !changes.has(name));
}

/** The fields of which an earlier update sent other values, and had no clear answer: this one sends them again. */
export function unsettledFields(state: Properties): readonly string[] {
  return Array.isArray(state[unsettled]) ? state[unsettled] : [];
}

/** What a state keeps of an update without a clear answer. The object may have what the program gave: it counts as declared. */
export function unsettledIn(state: Properties, open: readonly string[], news: Properties): Properties {
  if (open.length === 0) return {};
  const before = declaration(state);
  const given = open.filter((name) => news[name] !== undefined);
  const declared = given.map((name) => {
    const [was, is] = [before[name], outline(news[name])];
    return [name, isRecord(was) && isRecord(is) ? { ...is, ...was } : (was ?? is)];
  });
  const all = [...new Set([...unsettledFields(state), ...open])];
  return { [unsettled]: all, __declared: { ...before, ...Object.fromEntries(declared) } };
}
