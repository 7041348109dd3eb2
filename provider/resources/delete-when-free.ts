import type { Api } from "../client/api";
import type { Collection } from "../client/collection";
import { ExpectedError, isAnswered, undefinedIfExpected } from "../client/errors";
import { situations } from "../client/policy";
import { poll } from "../core/call/wait";
import type { Kind } from "../core/kind";
import { timeout } from "../schema/field";
import type { Properties } from "../value";
import { maybeUsedBy, usedBy, usedByNobodyKnown } from "../words/in-use";

/** The argument `deleteTimeout`. The engine gives a deletion the state alone, so the timeout is stored there. */
export const deleteTimeout = timeout();

/** The users of an object, in words. */
interface Users {
  readonly users: readonly string[];
  /** Others that may use it, where the service does not tell. */
  readonly suspects?: readonly string[];
}

/** Finds what uses an object, in lists that are at most `age` milliseconds old. */
export type FindUsers = (api: Api, id: string, state: Properties, age?: number) => Promise<Users>;

type Remove = (api: Api, id: string) => Promise<boolean>;

/**
 * The deletion of objects that the service refuses to delete (400) while something uses them. The use may end soon, so the delete is retried: a
 * template stays in use for up to two minutes after its last use. In the end the error names what uses the object. (API: Templates, delete)
 */
export function deleteWhenFree(collection: (api: Api) => Collection, usersOf: FindUsers): Kind["delete"] {
  return untilFree((api, id) => collection(api).delete(id), usersOf);
}

/** The same of what others name, and the service deletes all the same: a list shows who names it. */
export function deleteWhenUnnamed(remove: Remove, usersOf: FindUsers): Kind["delete"] {
  return untilFree(remove, usersOf, async (api, id, state, age) => {
    const { users } = await usersOf(api, id, state, age);
    return users.length === 0 ? undefined : `${once(users).join(", ")} would lose it.`;
  });
}

/** `refuses` tells why an object must not be deleted yet; undefined where the service decides. */
function untilFree(
  remove: Remove,
  usersOf: FindUsers,
  refuses?: (...asked: Parameters<FindUsers>) => Promise<string | undefined>,
): Kind["delete"] {
  return async (api, id, state) => {
    const seconds = Number(state.deleteTimeout ?? situations.inUse.seconds);
    let refusal = "";
    // The first look takes the lists that the run has.
    let age = Number.POSITIVE_INFINITY;
    const what = () => "what uses it to be deleted";
    const wasThere = await poll(api, seconds * 1000, what, async (recent) => {
      const reason = await refuses?.(api, id, state, age);
      age = recent;
      try {
        if (reason === undefined) return await remove(api, id);
        refusal = reason;
      } catch (error) {
        if (!isAnswered(error, situations.inUse)) throw error;
        refusal = error.message;
      }
      return undefined;
    });
    if (wasThere !== undefined) return wasThere;
    const found = await usersOf(api, id, state).catch(undefinedIfExpected);
    throw new ExpectedError(inUse(refusal, seconds, found), "PODLUMI-IN-USE");
  };
}

function inUse(refusal: string, seconds: number, { users, suspects = [] }: Users = { users: [] }): string {
  if (users.length > 0) return usedBy(once(users), seconds);
  return suspects.length > 0
    ? maybeUsedBy(refusal, once(suspects), seconds)
    : usedByNobodyKnown(refusal, seconds);
}

const once = (users: readonly string[]) => [...new Set(users)];
