import type { Stated } from "../../engine/export";
import { warn } from "../../engine/log";
import { kindOfType, partsOfUrn } from "../../identity";
import { mayEqual } from "../compare/may-equal";
import type { Kind } from "../kind/definition";
import { withoutInternals } from "../kind/state";
import type { Run } from "../run";
import { describe } from "../telling";
import type { Properties } from "../value";

/** A resource of the program that has no object yet, of a kind whose objects hold data, and of which the account has some. */
export interface Newcomer {
  readonly kind: Kind;
  readonly inputs: Properties;
}

/**
 * At the end of a preview, warns where a new resource has the arguments of one that has left the program: without an alias, a new name
 * deletes the object and its data. After an `up` that has deleted it, the warning would come too late.
 */
export async function warnOfRenames(run: Run): Promise<void> {
  const { newcomers, did } = run;
  const [first] = newcomers;
  if (first === undefined || did.delete || did.fail || run.command.isPartial) return;
  const state = await run.states.before(first.inputs);
  const left = (state?.objects ?? []).filter(({ urn }) => run.notes(urn).checked !== true);
  for (const newcomer of newcomers) {
    const former = left.find((object) => isLike(object, newcomer));
    if (former !== undefined) tell(newcomer, former);
  }
}

/** Whether an object that the same provider serves has the arguments of a new resource, but for the name. */
function isLike(
  { urn, inputs, isGone, isKept, servedBy }: Stated,
  { kind, inputs: news }: Newcomer,
): boolean {
  if (isGone || isKept || servedBy !== news.__stack || kindOfType(partsOfUrn(urn).type) !== kind.type)
    return false;
  const arguments_ = ({ name, ...rest }: Properties) => withoutInternals(rest);
  return mayEqual(arguments_(inputs), arguments_(news));
}

function tell({ kind, inputs: news }: Newcomer, { urn, id, inputs }: Stated): void {
  const [former, next] = [urn, String(news.__urn)].map(partsOfUrn);
  const alias = former?.types === next?.types ? `{ name: "${former?.name}" }` : `"${urn}"`;
  const lost = kind.dataHeld?.(inputs);
  if (lost === undefined) return;
  warn(
    news.__urn,
    `${former?.name} is no longer in the program: its ${describe(kind, { id, name: inputs.name })}, with the same arguments, is deleted, ` +
      `and ${lost} with it. If ${next?.name} is its new name, write aliases: [${alias}] in the options of ${next?.name} to keep it`,
    "PODLUMI-DATA-LOSS",
  );
}
