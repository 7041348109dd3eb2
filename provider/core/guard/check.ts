import { warn } from "../../engine/log";
import { partsOfUrn } from "../../identity";
import { type Failure, sentenceOf } from "../../schema/failure";
import type { Properties } from "../../value";
import { type Checking, impatiently } from "../call";
import { autonamingOf, inputsToValidate, isNamedLater } from "../names/naming";
import { withoutInternals } from "../state/internals";
import { accountFindings, keyFailures, warnOfUncertain } from "./account";
import { catalogWarnings, warnOfOddities, withMistake } from "./mistakes";
import { otherAccountFailures } from "./other-account";
import { referenceFailures } from "./references";

/** Faults that show without a look at the service: in the configuration, in the inputs, and what the program has twice. */
export async function faultsIn(checking: Checking): Promise<readonly Failure[]> {
  const { kind, run, before, provisional } = checking;
  const faults = kind.faults(withoutInternals(inputsToValidate(checking)), before);
  const wrong = await withMistake(checking, faults);
  const twice = isNamedLater(checking) ? [] : claimName(checking, provisional);
  return [...run.faults(), ...wrong.map((failure) => withNaming(checking, failure)), ...twice];
}

/** Fails where the program asks twice for a unique name, or for the only object of a kind. */
export function claimName({ kind, run }: Checking, inputs: Properties): Failure[] {
  return run.names.claim(kind, inputs, (urn) => run.record(urn).before?.name);
}

/** Explains the failure of a name that the program does not give: `pulumi:autonaming` is disabled, or it is made up of what no name may hold. */
function withNaming(checking: Checking, failure: Failure): Failure {
  const { urn, inputs } = checking;
  if (inputs.name !== undefined || failure.property !== "name") return failure;
  const { mode } = autonamingOf(checking);
  const { name } = partsOfUrn(urn);
  const reason =
    mode === "disabled"
      ? "is required, since pulumi:autonaming is disabled: give it in the program"
      : `${failure.reason}: it is made up of the resource's name ${JSON.stringify(name)}, so give the argument name`;
  return { ...failure, reason };
}

/** Refusals to expect for valid inputs. */
export interface Findings {
  /** Refused for any resource. */
  readonly always: readonly Failure[];
  /** Refused for an object that is created or changed. */
  readonly ofObject: readonly Failure[];
  /** Probably refused: the catalog does not have it. */
  readonly unlisted: readonly Failure[];
}

/** Looks at service, catalog and account, all at once: none delays another one. */
export async function findingsOf(checking: Checking): Promise<Findings> {
  const { kind, run, urn, before, provisional } = checking;
  const hasty = impatiently(checking);
  const [unlisted, ofAccount, mismatches, elsewhere] = await Promise.all([
    catalogWarnings(hasty),
    accountFindings(hasty),
    referenceFailures({ ...hasty, inputs: provisional }),
    before === undefined ? run.look(kind, () => otherAccountFailures(hasty), []) : [],
  ]);
  const refused = warnOfUncertain(urn, ofAccount);
  return { always: [...keyFailures(run), ...elsewhere], ofObject: [...refused, ...mismatches], unlisted };
}

/** Warns of what is probably not meant, and, where nothing is wrong, of what the catalog does not have. */
export function warnOf(checking: Checking, unlisted: readonly Failure[]): void {
  const { urn } = checking;
  warnOfOddities(checking);
  for (const one of unlisted)
    warn(urn, `${sentenceOf(one)} The service will probably refuse it.`, "PODLUMI-NOT-IN-CATALOG");
}
