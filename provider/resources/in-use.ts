import type { Api } from "../client/api";
import { anyAge } from "../client/errand";
import { ExpectedError, isAnswered, undefinedIfExpected } from "../client/errors";
import { situations } from "../client/policy";
import type { Kind, ServiceObject } from "../core/kind";
import { poll } from "../core/poll";
import { describe } from "../core/telling";
import { secretsNamedIn } from "../known-secrets";
import { at } from "../path";
import { timeout } from "../schema/field";
import { isRecord, type Properties } from "../value";
import { maybeUsedBy, usedBy, usedByNobodyKnown } from "../words/in-use";
import { allPods } from "./cluster/pods";
import { isOver } from "./pod/life-cycle";

/** The argument `deleteTimeout`. The engine gives a deletion the state alone, so the timeout is stored there. */
export const deleteTimeout = timeout();

/**
 * The deletion of objects that the service refuses to delete (400) while something uses them. The use may end soon, so the delete is retried: a
 * template stays in use for up to two minutes after its last use. In the end the error names what uses the object. (API: Templates, delete)
 */
export function deleteWhenFree(
  remove: (api: Api, id: string) => Promise<boolean>,
  uses: Uses,
  { looksBefore = false } = {},
): Kind["delete"] {
  return async (api, id, state) => {
    const seconds = Number(state.deleteTimeout ?? situations.inUse.seconds);
    let refusal = "";
    const what = () => "what uses it to be deleted";
    const wasThere = await poll(api, seconds * 1000, what, async (age) => {
      // The first look takes the lists that the run has.
      const { users } = looksBefore ? await usersOf(api, uses, id, state, refusal ? age : anyAge) : nobody;
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
    const present = (await usersOf(api, uses, id, state).catch(undefinedIfExpected)) ?? nobody;
    throw new ExpectedError(inUse(refusal, seconds, present), "PODLUMI-IN-USE");
  };
}

/** The same of what others name, and the service deletes all the same: a list shows who names it. */
export const deleteWhenUnnamed: typeof deleteWhenFree = (remove, uses) =>
  deleteWhenFree(remove, uses, { looksBefore: true });

function inUse(refusal: string, seconds: number, { users, suspects }: Users): string {
  if (users.length > 0) return usedBy(users, seconds);
  return suspects.length > 0 ? maybeUsedBy(refusal, suspects, seconds) : usedByNobodyKnown(refusal, seconds);
}

/** A pod, cluster, endpoint or template uses the object with this id and state; `maybe` where the service does not tell. */
type Uses = (user: ServiceObject, id: string, state: Properties, noun: string) => boolean | "maybe";

interface Users {
  /** In words. */
  readonly users: readonly string[];
  /** Others that may use it, where the service does not tell. */
  readonly suspects: readonly string[];
}

const nobody: Users = { users: [], suspects: [] };

/**
 * The pods, clusters and endpoints that use a template. The service does not always name the template of a pod or an endpoint: then the same
 * image makes a suspect of what can be created from it.
 */
export const usesTemplate: Uses = (user, id, { image, serverless }, noun) => {
  if (user.template === id) return true;
  const isOfProduct = noun !== "template" && (noun === "endpoint") === (serverless === true);
  return isOfProduct && (user.template ?? null) === null && user.image === image && "maybe";
};

/** The pods that mount a volume, and the endpoints whose workers do. */
export const usesVolume: Uses = (user, id) =>
  has(user.networkVolumes, id) || at(user, "mounts", "network", 0, "volumeId") === id;

/** The endpoints that have a global volume. */
export const usesGlobalVolume: Uses = ({ globalVolumes }, id) => has(globalVolumes, id);

/** The pods, templates and endpoints that name a credential. (API: Registry credentials, delete) */
export const usesCredential: Uses = ({ registry }, id) => registry === id;

/** The objects with variables that refer to a secret by its name. (API: Secrets, references) */
export const usesSecret: Uses = ({ env }, _id, { name }) =>
  isRecord(env) && secretsNamedIn(env).some((named) => named.toLowerCase() === String(name).toLowerCase());

const has = (ids: unknown, id: string) => Array.isArray(ids) && ids.includes(id);

/** Finds the users of an object in lists that are at most `age` milliseconds old. */
async function usersOf(api: Api, uses: Uses, id: string, state: Properties, age = 0): Promise<Users> {
  const cluster = await api.clusters.list(age);
  const [pod, endpoint, template] = await Promise.all([
    // The usual list of pods, which a run has, lacks those of clusters.
    cluster.length > 0 ? allPods(api, age) : api.pods.list(age),
    api.endpoints.list(age),
    api.templates.list(age),
  ]);
  const lists = Object.entries({ pod: pod.filter((one) => !isOver(one)), endpoint, cluster, template });
  const inWords = (noun: string, user: ServiceObject) =>
    isRecord(user.cluster) ? `cluster ${String(user.cluster.id)}` : describe({ noun }, user);
  const usersBy = (answer: true | "maybe") =>
    lists.flatMap(([noun, list]) =>
      list.filter((user) => uses(user, id, state, noun) === answer).map((user) => inWords(noun, user)),
    );
  return { users: [...new Set(usersBy(true))], suspects: [...new Set(usersBy("maybe"))] };
}
