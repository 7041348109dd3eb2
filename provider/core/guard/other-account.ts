import { ExpectedError } from "../../client/errors";
import type { Failure } from "../../schema/failure";
import type { Existing, Resource } from "../call";
import { gone } from "../errors";

const code = "PODLUMI-OTHER-ACCOUNT";

/** The failure of what would be created in another account than that of its stack, whose state would then have objects of both. */
export async function otherAccountFailures({ run, api }: Resource): Promise<Failure[]> {
  const found = await run.accounts.other(run.lists, api());
  if (found === undefined) return [];
  const reason = `${otherKey(found.own, found.other)}, where this stack has its objects. Set the key of that one again`;
  return [{ property: "", reason, code }];
}

export async function failIfInOtherAccount(resource: Resource): Promise<void> {
  const [failure] = await otherAccountFailures(resource);
  if (failure !== undefined) throw new ExpectedError(failure.reason, code);
}

/** Fails where an object is gone, or differs, in another account than that in which podlumi created it: it would leave the state. */
export async function failIfOfOtherAccount({ run, state, api }: Existing): Promise<void> {
  const { __account: other } = state;
  if (other === undefined) return;
  const own = await run.accounts.own(api());
  if (own === undefined || own === other) return;
  const next =
    "Set the key of that one again. If you are a member of the same organization and somebody really deleted it, `pulumi state delete` takes " +
    "it out of the state";
  throw new ExpectedError(`${otherKey(own, String(other))}, which has it. ${next}`, code);
}

/** Fails for an object that is gone. */
export async function failAsGone(existing: Existing): Promise<never> {
  await failIfOfOtherAccount(existing);
  throw new ExpectedError(gone, "PODLUMI-GONE");
}

const otherKey = (own: string, other: string) => `the API key is of the account ${own}, not of ${other}`;
