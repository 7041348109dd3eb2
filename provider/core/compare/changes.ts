import type { Edit } from "../call";
import { differences } from "./diff";
import { unclearChanges } from "./unclear";

/** All that an update sends: what differs, what one without a clear answer has sent, and what an interrupted one has reset. */
export async function changesOf(edit: Edit): Promise<Map<string, "update" | "replace">> {
  const { kind, state, inputs, api } = edit;
  const context = { state, inputs, api };
  const unclear = await unclearChanges(kind.fields, context);
  const changes = new Map([...unclear, ...(await differences(kind.fields, context))]);
  for (const name of await resetFields(edit, changes)) changes.set(name, "update");
  return changes;
}

/** The fields that an interrupted update has reset, and that this one sets again beside what differs from the state. */
export async function resetFields(
  { kind, run, id, inputs, api }: Edit,
  changes: ReadonlyMap<string, unknown>,
): Promise<string[]> {
  const { reset } = kind.readiness ?? {};
  if (reset === undefined || !changes.has(reset.by)) return [];
  const names = await reset.find(api(), id, inputs, () => run.lists.oneAtFirst(kind, api(), id));
  return names.filter((name) => !changes.has(name));
}
