import type { Api } from "../client/api";
import type { Collection } from "../client/collection";
import { ExpectedError, isAnswered, undefinedIfExpected } from "../client/errors";
import { situations } from "../client/policy";
import type { Kind } from "../core/kind";
import { capitalized } from "../core/telling";
import { poll } from "../core/wait";
import { timeout } from "../schema/field";
import type { Properties } from "../value";

/** The argument `deleteTimeout`. The engine gives a deletion the state alone, so the timeout is stored there. */
export const deleteTimeout = timeout();

/** Milliseconds after which the status line names what uses an object. A look costs requests, and most waits are shorter. */
const shortWait = 10_000;

/** What uses an object, in words. */
export interface Users {
  readonly users: readonly string[];
  /** What may use it, where the service does not tell. */
  readonly suspects?: readonly string[];
}

/** Finds what uses an object, in lists that are at most `age` milliseconds old. */
type FindUsers = (api: Api, id: string, state: Properties, age?: number) => Promise<Users>;

type Remove = (api: Api, id: string) => Promise<boolean>;

/**
 * The deletion of objects that the service refuses to delete (400) while something uses them. The use may end soon, so the delete is retried: a
 * template stays in use for up to two minutes after its last use. In the end the error names what uses the object. (API: Templates, delete)
 */
export function deleteWhenFree(collection: (api: Api) => Collection, usersOf: FindUsers): Kind["delete"] {
  return untilFree(
    (api, id) => collection(api).delete(id),
    usersOf,
    () => undefined,
  );
}

/** The same of what others name, and the service deletes all the same: a list shows who names it. */
export function deleteWhenUnnamed(remove: Remove, usersOf: FindUsers): Kind["delete"] {
  return untilFree(remove, usersOf, async (api, id, state, age) => {
    const { users } = await usersOf(api, id, state, age);
    return users.length === 0 ? undefined : `${listed(users)} would lose it.`;
  });
}

/** `refuses` tells why an object must not be deleted yet; undefined where the service decides. */
function untilFree(
  remove: Remove,
  usersOf: FindUsers,
  refuses: (...asked: Parameters<FindUsers>) => Promise<string | undefined> | undefined,
): Kind["delete"] {
  return async (api, id, state) => {
    const seconds = Number(state.deleteTimeout ?? situations.inUse.seconds);
    const began = api.clock.now();
    let refusal = "";
    let awaited: string | undefined;
    // The first look takes the lists that the run has.
    let age = Number.POSITIVE_INFINITY;
    const wait = async () => {
      if (awaited !== undefined || api.clock.now() - began <= shortWait) return;
      const found = await usersOf(api, id, state).catch(undefinedIfExpected);
      awaited =
        found && (found.users.length > 0 ? `${listed(found.users)} to go away` : "the service to free it");
    };
    const wasThere = await poll(
      api,
      seconds * 1000,
      () => awaited ?? "what uses it to be deleted",
      async (recent) => {
        const reason = await refuses(api, id, state, age);
        age = recent;
        try {
          if (reason === undefined) return await remove(api, id);
          refusal = reason;
        } catch (error) {
          if (!isAnswered(error, situations.inUse)) throw error;
          refusal = error.message;
        }
        await wait();
        return undefined;
      },
    );
    if (wasThere !== undefined) return wasThere;
    const next = remedyFor(await usersOf(api, id, state).catch(undefinedIfExpected));
    throw new ExpectedError(`${refusal} It was retried for ${seconds} s. ${next}`, "PODLUMI-IN-USE");
  };
}

/** What to do about the users of an object; undefined where nobody knows them. */
function remedyFor({ users, suspects = [] }: Users = { users: [] }): string {
  const next = "delete that first, or declare it again to keep it";
  if (users.length > 0) return `It is used by ${listed(users)}. ${capitalized(next)}`;
  if (suspects.length > 0) return `It may be used by ${listed(suspects)}. If so, ${next}`;
  return "Run the command again: the service may free it soon";
}

const listed = (users: readonly string[]) => [...new Set(users)].join(", ");
