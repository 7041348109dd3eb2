import { partsOfUrn } from "../../identity";
import type { Failure } from "../../schema/failure";
import type { Properties } from "../../value";
import type { Checking } from "../call";
import { inputsToValidate, isNamedLater } from "../names/inputs";
import { nameToValidate } from "../names/naming";
import { withoutInternals } from "../state/internals";
import { withMistake } from "./mistakes";

/** What is wrong with inputs without a look at what there is: the configuration, they themselves, and what the program has twice. */
export async function faultsIn(checking: Checking): Promise<readonly Failure[]> {
  const { kind, run, inputs, before, first } = checking;
  const named = inputsToValidate(checking, nameToValidate(checking));
  const wrong = await withMistake(checking, inputs, kind.faults(withoutInternals(named), before));
  const twice = isNamedLater(checking) ? [] : claimName(checking, first);
  return [...run.faults(), ...wrong.map((failure) => withNaming(checking, failure)), ...twice];
}

/** What the program has twice: a name that is unique in the account, or the only object of a kind. */
export function claimName({ kind, run }: Checking, inputs: Properties): Failure[] {
  return run.names.claim(kind, inputs, (urn) => run.record(urn).before?.name);
}

/** Explains the failure of a name that the program does not give: `pulumi:autonaming` is disabled, or it is made up of what no name may hold. */
function withNaming({ run, record, urn, inputs }: Checking, failure: Failure): Failure {
  if (inputs.name !== undefined || failure.property !== "name") return failure;
  const { mode } = record.naming ?? run.naming;
  const { name } = partsOfUrn(urn);
  const reason =
    mode === "disabled"
      ? "is required, since pulumi:autonaming is disabled: give it in the program"
      : `${failure.reason}: it is made up of the resource's name ${JSON.stringify(name)}, so give the argument name`;
  return { ...failure, reason };
}
