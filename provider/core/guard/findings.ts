import { warn } from "../../engine/log";
import { completed } from "../../schema/check";
import { type Failure, sentenceOf } from "../../schema/failure";
import { type Checking, impatiently } from "../call";
import { referenceFailures } from "../references";
import { accountFindings, keyFailures, warnOfUncertain } from "./account";
import { catalogWarnings } from "./mistakes";
import { otherAccountFailures } from "./other-account";

/** What the service will refuse of valid inputs. */
export interface Findings {
  /** It refuses that in any case. */
  readonly always: readonly Failure[];
  /** It refuses that of a new object, or a changed one. */
  readonly ofObject: readonly Failure[];
  /** What the catalog does not have: the service will probably refuse it. */
  readonly unlisted: readonly Failure[];
}

/** Looks at service, catalog and account, all at once: none delays another one. */
export async function findingsOf(checking: Checking, uses: unknown): Promise<Findings> {
  const { kind, run, urn, before, first } = checking;
  const hasty = impatiently(checking);
  const isNew = before === undefined;
  const [unlisted, ofAccount, mismatches, elsewhere] = await Promise.all([
    catalogWarnings(hasty, before ?? {}, completed(kind.fields, first)),
    accountFindings(hasty, before, first),
    referenceFailures(hasty, before ?? {}, first, uses),
    isNew ? run.look(kind, () => otherAccountFailures(hasty), []) : [],
  ]);
  const refused = warnOfUncertain(urn, ofAccount);
  return { always: [...keyFailures(run), ...elsewhere], ofObject: [...refused, ...mismatches], unlisted };
}

export function warnOfUnlisted({ urn }: Checking, { unlisted }: Findings): void {
  for (const one of unlisted)
    warn(urn, `${sentenceOf(one)} The service will probably refuse it.`, "PODLUMI-NOT-IN-CATALOG");
}
