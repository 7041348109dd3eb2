import { ExpectedError } from "../../client/errors";
import { confirmDataLoss } from "../../config";
import { warn } from "../../engine/log";
import { isDiscreet } from "../../schema/field";
import { hasUnknown, isRecord, type Properties } from "../../value";
import {
  confirmationIsSpent,
  dataIsLost,
  dataLoss,
  dataLossUnknown,
  replaceByCommand,
} from "../../words/data";
import type { Edit } from "../call";
import type { Comparison } from "../compare/comparison";
import { changeOf } from "../compare/diff";
import { capitalized, explaining, title } from "../telling";
import { type Cause, reasonOf } from "./reason";

const code = "PODLUMI-DATA-LOSS";

/** Values of a switch, which `confirmDataLoss` is not. */
const noId = /^(?:true|false|yes|no)$/i;

/**
 * Throws before a replacement that loses data, unless the program changes it and the user has confirmed that. While values are unknown, a preview
 * only warns. What an unanswered update has set counts, as the list shows it.
 */
export async function guardData({ seen: state, replaces, ...comparison }: Comparison): Promise<void> {
  const edit = { ...comparison, state };
  const { kind, id, inputs } = edit;
  if (kind.data === undefined) return;
  const what = `will not replace ${title(kind, { name: state.name ?? inputs.name })} (${id})`;
  await explaining(what, edit, () => failUnlessConfirmed(edit, replaces));
}

/** Warns of a confirmation that nothing needs any more. */
export function warnOfSpentConfirmation({ kind, run, urn, id, fields }: Comparison): void {
  if (kind.data === undefined || fields.size > 0 || !run.confirmed.includes(id)) return;
  warn(urn, confirmationIsSpent(confirmDataLoss, id), code);
}

async function failUnlessConfirmed(edit: Edit, changed: readonly string[]): Promise<void> {
  const { kind, run, record, id, state, inputs } = edit;
  const asked = isRecord(state.__asked) ? state.__asked : undefined;
  const causes = await Promise.all(changed.map((property) => causeOf(edit, property, asked)));
  // A refresh compares, too, but without a check, and it replaces nothing.
  const areUnknown = causes.every(({ by }) => by === "unknown");
  if (!record.isChecked && !areUnknown) return;
  const lost = await dataIn(edit, asked);
  if (lost === undefined) return;
  const isDrift = causes.some(({ by }) => by === "service" || by === "either");
  const names = changed.join(", ");
  const { confirmed } = run;
  if (!isDrift && [id, "all"].some((one) => confirmed.includes(one)))
    return warn(inputs.__urn, dataIsLost(names, kind.noun, id, lost), code);
  const confirm = isDrift ? replaceByCommand : confirming(confirmed, id);
  // Without a check, the engine asks what it deletes with something else, and deletes that at once: a warning would come too late.
  if (record.isChecked && areUnknown)
    return warn(inputs.__urn, dataLossUnknown(names, kind.noun, lost, confirm), code);
  const reasons = causes.map((cause) => reasonOf(edit, cause, asked, causes.length === 1));
  const keep = reasons.flatMap((reason) => reason.keep ?? []).join(" and ");
  const told = reasons.map((reason) => reason.told);
  throw new ExpectedError(dataLoss(told, lost, capitalized(keep), confirm), code);
}

/** The command that confirms an object beside those that are confirmed already. */
function confirming(confirmed: readonly string[], id: string): string {
  const kept = confirmed.filter((word) => !noId.test(word));
  return `run \`pulumi config set ${confirmDataLoss} ${[...kept, id].join(",")}\``;
}

/** The data of the object in words: by the state, by the last inputs, since an odd response can hide it, or by a look. */
async function dataIn({ kind, run, id, state, inputs, api }: Edit, asked: Properties = {}) {
  const shown = kind.data?.held(state) ?? kind.data?.held(asked);
  const wanted = kind.data?.held(inputs);
  if (shown !== undefined || wanted === undefined) return shown;
  const look = async () => kind.data?.held((await kind.read(api(), id, state)) ?? {});
  return run.look(kind, look, wanted);
}

async function causeOf(
  { kind, state, inputs, api }: Edit,
  property: string,
  asked: Properties | undefined,
): Promise<Cause> {
  if (hasUnknown(inputs[property])) return { property, by: "unknown" };
  const field = kind.fields[property];
  if (field === undefined) return { property, by: "program" };
  if (asked === undefined) return { property, by: "either" };
  // A first declaration changes what the object has, as from its template.
  const isFirst = asked[property] === undefined && inputs[property] !== undefined && !isDiscreet(field);
  const from = field.writeOnly === true || isFirst ? state[property] : asked[property];
  const changed = JSON.stringify(from) !== JSON.stringify(inputs[property]);
  const context = { state: { ...state, ...asked }, inputs, api };
  const change = await changeOf(field, from, inputs[property], context);
  return { property, by: changed && change === "replace" ? "program" : "service", edited: changed };
}
