import type { Api } from "../client/api";
import type { Collection } from "../client/collection";
import { ExpectedError, isAnswered, type ServiceError, undefinedIfExpected } from "../client/errors";
import { situations } from "../client/policy";
import type { CreatedFrom, Kind } from "../core/kind/definition";
import { timeout } from "../core/kind/field";
import type { Properties } from "../core/value";
import { poll } from "../core/wait";

/** The argument `deleteTimeout`. The engine gives a deletion the state alone, so the timeout is stored there. */
export const deleteTimeout = timeout();

/** Milliseconds after which the status line names what uses an object. A look costs requests, and most waits are shorter. */
const shortWait = 10_000;

/** What uses an object, in words. */
export interface Users {
  readonly users: readonly string[];
  /** What may use it, where the service does not tell. */
  readonly suspects?: readonly string[];
  /** More may use it: not all could be looked for. */
  readonly maybeMore?: boolean;
}

/** Finds what uses an object. */
type FindUsers = (api: Api, id: string, state: Properties, createdFrom: CreatedFrom) => Promise<Users>;

/**
 * The deletion of objects that the service refuses to delete (400) while something uses them. The use may end soon, so the
 * delete is retried: a template stays in use for up to two minutes after its last use. In the end the error names what
 * uses the object. It does so at once where the program keeps what was created from it. (API: Templates, delete)
 */
export function deleteWhenFree(collection: (api: Api) => Collection, usersOf: FindUsers): Kind["delete"] {
  return async (api, id, state, createdFrom = nothing) => {
    const seconds = Number(state.deleteTimeout ?? situations.inUse.seconds);
    const began = api.clock.now();
    const find = () => usersOf(api, id, state, createdFrom);
    let refusal: ServiceError | undefined;
    let awaited: string | undefined;
    const look = async () => {
      const { users } = await find();
      awaited = users.length > 0 ? `${listed(users)} to go away` : "the service to free it";
    };
    const wasThere = await poll(
      api.clock,
      seconds * 1000,
      () => awaited ?? "what uses it to be deleted",
      async () => {
        try {
          return await collection(api).delete(id);
        } catch (error) {
          if (!isAnswered(error, situations.inUse)) throw error;
          if (refusal === undefined) await failIfHeld(error, createdFrom);
          refusal = error;
          if (awaited === undefined && api.clock.now() - began > shortWait)
            await look().catch(() => undefined);
          return undefined;
        }
      },
    );
    if (wasThere !== undefined) return wasThere;
    const next = remedyFor(await find().catch(() => undefined));
    throw new ExpectedError(
      `${refusal?.message} It was retried for ${seconds} s. ${next}`,
      "PODLUMI-IN-USE",
      { cause: refusal },
    );
  };
}

const nothing: CreatedFrom = {
  find: async () => ({ ids: [], told: [], areAll: true }),
  kept: async () => undefined,
  isReplaced: false,
};

/** Fails where a wait does not help: the program keeps what was created from the object. */
async function failIfHeld(refusal: ServiceError, createdFrom: CreatedFrom): Promise<void> {
  const urn = await createdFrom.kept().catch(undefinedIfExpected);
  if (urn === undefined) return;
  const declare = createdFrom.isReplaced
    ? ""
    : "declare it in the program again, with aliases if it has another name there by now, or ";
  throw new ExpectedError(
    `${refusal.message} ${urn} was created from it, and it stays in use for as long as that exists: ${declare}replace that ` +
      `(\`pulumi up --replace '${urn}'\`)`,
    "PODLUMI-IN-USE",
    { cause: refusal },
  );
}

/** What to do about the users of an object; undefined where nobody knows them. */
function remedyFor(found: Users | undefined): string {
  const otherwise =
    "declare it in the program again to keep it. A longer deleteTimeout gives its users more time to go";
  const unknown = `Delete what uses it first, or ${otherwise}`;
  if (found === undefined) return unknown;
  const { users, suspects = [], maybeMore } = found;
  if (users.length > 0) return `It is used by ${listed(users)}. Delete that first, or ${otherwise}`;
  if (suspects.length > 0)
    return `It may be used by ${listed(suspects)}. If so, delete that first, or ${otherwise}`;
  if (maybeMore) return unknown;
  return "Nothing uses it any more, and the service will free it soon: run the command again";
}

const listed = (users: readonly string[]) => [...new Set(users)].join(", ");
