import type { DiffResult } from "@pulumi/pulumi/dynamic";
import type { Differences } from "../../schema/field";
import { type Edit, impatiently } from "../call";
import { type Comparison, compare, isUnready, showsInInputs } from "../compare/comparison";
import { tellReplacement, tellUpdate } from "../compare/update-notes";
import { guardData, warnOfSpentConfirmation } from "../guard/data-loss";
import { failIfOver, failIfRefused, warnOfTakenName } from "../guard/update";
import { isDeletedFirst } from "../names/naming";
import { tellTwins } from "../own/object";
import { explaining, title } from "../telling";

export interface Difference extends DiffResult {
  /** The fields that differ. */
  readonly fields: Differences;
}

/** Compares the state with the program: what differs, what that needs, and whether the `up` will refuse it. */
export function diff(edit: Edit): Promise<Difference> {
  const { record, run } = edit;
  // A refresh and a deletion compare, too, without a check: they look at nothing.
  return record.isChecked ? run.hearing.unlessSilent(() => differenceOf(edit)) : differenceOf(edit);
}

async function differenceOf(edit: Edit): Promise<Difference> {
  const { kind, run, record, urn, id, state, inputs } = edit;
  // Works without an API key, as long as no field needs the service for the comparison.
  const comparison = await explaining(`cannot compare ${title(kind, inputs)} (${id})`, edit, () => {
    // What a refresh compares, the program may have dropped, so that another resource adopts it.
    if (record.isChecked) run.holders.claim(kind, id, urn, state.__urn);
    return compare(impatiently(edit));
  });
  const { fields, sent, replaces, noted } = comparison;
  const isReplaced = replaces.length > 0;
  record.noteCompared({
    id,
    state,
    changed: [...fields.keys()],
    isReplaced: isReplaced && record.isChecked,
  });
  if (isReplaced) await guardData(comparison);
  const isDue = record.isChecked && (await isUpdateDue(comparison));
  const isOther = sent.size + noted.length > 0 || state.__provider !== inputs.__provider;
  return {
    // `undefined` lets the engine compare the inputs.
    changes: !isDue && showsInInputs(comparison) ? undefined : isOther || isDue,
    replaces: [...replaces],
    fields,
    deleteBeforeReplace: isDeletedFirst(comparison, state.name),
  };
}

/** An update may be due where no field differs. Fails for what it would refuse, and tells what it does beside the fields. */
async function isUpdateDue(comparison: Comparison): Promise<boolean> {
  const { sent, replaces } = comparison;
  await failIfOver(comparison);
  warnOfSpentConfirmation(comparison);
  if (replaces.length > 0) {
    await tellReplacement(comparison);
    return false;
  }
  const waits = isUnready(comparison);
  const hasTwins = await tellTwins(comparison);
  if (waits || sent.size > 0) await failIfRefused(comparison);
  await tellUpdate(comparison);
  await warnOfTakenName(comparison);
  return waits || hasTwins;
}
