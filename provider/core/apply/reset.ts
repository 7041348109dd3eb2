import type { Differences } from "../kind/field";
import type { Edit } from "../resource";

/** The fields that an interrupted update has reset, and that this one sets again beside what differs from the state. */
export async function resetFields({ kind, run, id, inputs }: Edit, changes: Differences): Promise<string[]> {
  const { reset } = kind;
  if (reset === undefined || !changes.has(reset.by)) return [];
  const names = await reset.find(run.api(), id, inputs, () => run.lists.one(kind, id));
  return names.filter((name) => !changes.has(name));
}
