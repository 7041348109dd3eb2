import { log } from "../../engine/log";
import type { Edit } from "../call";
import type { Comparison } from "../compare/comparison";

/** The fields that an interrupted update has reset, and that this one sets again beside what differs from the state. */
export async function resetFields(
  { kind, run, id, inputs, api }: Edit,
  changes: ReadonlyMap<string, unknown>,
): Promise<string[]> {
  const { reset } = kind.readiness ?? {};
  if (reset === undefined || !changes.has(reset.by)) return [];
  const names = await reset.find(api(), id, inputs, () => run.lists.one(kind, api(), id));
  return names.filter((name) => !changes.has(name));
}

/** Tells of these in the preview. */
export async function tellReset(comparison: Comparison): Promise<void> {
  const { kind, run, urn, fields } = comparison;
  const reset = await run.look(kind, () => resetFields(comparison, fields), []);
  if (reset.length === 0) return;
  const them = reset.length === 1 ? "it" : "them";
  log(urn, `sets ${reset.join(", ")} again, as the program says: an interrupted update has reset ${them}`);
}
