import { ExpectedError } from "../../client/errors";
import type { Failure } from "../../schema/failure";
import { gone } from "../../words/requests";
import { goneInOtherAccount, newInOtherAccount } from "../../words/whose";
import type { Existing, Resource } from "../call";

const code = "PODLUMI-OTHER-ACCOUNT";

/** The failure of what would be created in another account than that of its stack, whose state would then have objects of both. */
export async function otherAccountFailures({ run, api }: Resource): Promise<Failure[]> {
  const found = await run.accounts.other(run.lists, api());
  if (found === undefined) return [];
  return [{ property: "", reason: newInOtherAccount(found.own, found.other), code }];
}

export async function failIfInOtherAccount(resource: Resource): Promise<void> {
  const [failure] = await otherAccountFailures(resource);
  if (failure !== undefined) throw new ExpectedError(failure.reason, code);
}

/** Fails where an object is gone, or differs, in another account than that in which podlumi created it: it would leave the state. */
export async function failIfOfOtherAccount({ run, state, api }: Existing): Promise<void> {
  const { __account: other } = state;
  if (other === undefined) return;
  const own = await run.accounts.ownForCertain(api());
  if (own === undefined || own === other) return;
  throw new ExpectedError(goneInOtherAccount(own, String(other)), code);
}

/** Fails for an object that is gone. */
export async function failAsGone(existing: Existing): Promise<never> {
  await failIfOfOtherAccount(existing);
  throw new ExpectedError(gone, "PODLUMI-GONE");
}
