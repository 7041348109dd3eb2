import type { Api } from "../client/api";
import { ExpectedError, isAnswered, undefinedIfExpected } from "../client/errors";
import { situations } from "../client/policy";
import { poll } from "../core/call/wait";
import type { Kind } from "../core/kind";
import { timeout } from "../schema/field";
import { maybeUsedBy, usedBy, usedByNobodyKnown } from "../words/in-use";
import { nobody, type Users, type Uses, usersOf } from "./users";

/** The argument `deleteTimeout`. The engine gives a deletion the state alone, so the timeout is stored there. */
export const deleteTimeout = timeout();

type Remove = (api: Api, id: string) => Promise<boolean>;

/**
 * The deletion of objects that the service refuses to delete (400) while something uses them. The use may end soon, so the delete is retried: a
 * template stays in use for up to two minutes after its last use. In the end the error names what uses the object. (API: Templates, delete)
 */
export function deleteWhenFree(remove: Remove, uses: Uses): Kind["delete"] {
  return untilFree(remove, uses, false);
}

/** The same of what others name, and the service deletes all the same: a list shows who names it. */
export function deleteWhenUnnamed(remove: Remove, uses: Uses): Kind["delete"] {
  return untilFree(remove, uses, true);
}

function untilFree(remove: Remove, uses: Uses, looksBefore: boolean): Kind["delete"] {
  return async (api, id, state) => {
    const seconds = Number(state.deleteTimeout ?? situations.inUse.seconds);
    let refusal = "";
    // The first look takes the lists that the run has.
    let age = Number.POSITIVE_INFINITY;
    const what = () => "what uses it to be deleted";
    const wasThere = await poll(api, seconds * 1000, what, async (recent) => {
      const { users } = looksBefore ? await usersOf(api, uses, id, state, age) : nobody;
      age = recent;
      try {
        if (users.length === 0) return await remove(api, id);
        refusal = `${users.join(", ")} would lose it.`;
      } catch (error) {
        if (!isAnswered(error, situations.inUse)) throw error;
        refusal = error.message;
      }
      return undefined;
    });
    if (wasThere !== undefined) return wasThere;
    const present = await usersOf(api, uses, id, state).catch(undefinedIfExpected);
    throw new ExpectedError(inUse(refusal, seconds, present), "PODLUMI-IN-USE");
  };
}

function inUse(refusal: string, seconds: number, { users, suspects }: Users = nobody): string {
  if (users.length > 0) return usedBy(users, seconds);
  return suspects.length > 0 ? maybeUsedBy(refusal, suspects, seconds) : usedByNobodyKnown(refusal, seconds);
}
