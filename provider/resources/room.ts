import type { Api } from "../client/api";
import { backoff } from "../client/clock";
import { ExpectedError } from "../client/errors";
import { situations } from "../client/policy";
import type { Warnings } from "../core/kind/advice";
import { sentenceOf } from "../schema/failure";
import type { Properties } from "../value";
import { noRoom } from "../words/limits";

/** Retries an attempt that finds no room, for `capacityTimeout` seconds. */
export async function retryUntilRoom<T>(
  api: Api,
  { capacityTimeout = situations.noRoom.seconds }: Properties,
  attempt: () => Promise<T>,
  full: (error: unknown) => boolean,
): Promise<T> {
  const began = api.clock.now();
  const end = began + Number(capacityTimeout) * 1000;
  for (let round = 0; ; round++) {
    try {
      return await attempt();
    } catch (error) {
      const pause = 5_000 + backoff(round, api.clock);
      if (!full(error) || api.clock.now() + pause > end) throw error;
      api.waiting(`room, tried ${round + 1} times`, api.clock.now() - began);
      await api.clock.sleep(pause);
    }
  }
}

/** What could not be placed. */
interface Unplaced {
  readonly product: "POD" | "CLUSTER";
  readonly inputs: Properties;
  /** The ids of the GPU types that it may have. */
  readonly gpus: readonly unknown[];
  readonly warnings: Warnings;
}

/**
 * The error for a refusal of what the catalog does not have, which comes first, with what was probably meant; undefined where the catalog has
 * all of it.
 */
export async function notInCatalog(
  api: Api,
  warnings: Warnings,
  inputs: Properties,
  cause: Error,
  answers = cause.message,
): Promise<ExpectedError | undefined> {
  const unlisted = await warnings.find(api.impatient(), inputs).catch(() => []);
  if (unlisted.length === 0) return undefined;
  const message = [...unlisted.map(sentenceOf), answers].join(" ");
  return new ExpectedError(message, "PODLUMI-NOT-IN-CATALOG", { cause });
}

/**
 * The error for what the service refused everywhere: its responses, and what the catalog tells of them. No time and no other place helps
 * where the catalog does not have it.
 */
export async function refusedEverywhere(
  api: Api,
  { product, inputs, gpus, warnings }: Unplaced,
  cause: Error,
  ways: string,
  answers = cause.message,
): Promise<ExpectedError> {
  const unlisted = await notInCatalog(api, warnings, inputs, cause, answers);
  if (unlisted !== undefined) return unlisted;
  const ids = new Set(gpus.filter((id) => typeof id === "string"));
  const stock = await availability(api, product, ids);
  const seconds = Number(inputs.capacityTimeout ?? situations.noRoom.seconds);
  return new ExpectedError(noRoom(answers, seconds, stock, ways), "PODLUMI-NO-ROOM", { cause });
}

/** The availability of GPUs in the catalog, for messages only. */
async function availability(
  api: Api,
  product: Unplaced["product"],
  ids: ReadonlySet<unknown>,
): Promise<string> {
  const gpus = await api.rest
    .list<Properties>(`/catalog/gpus?include=AVAILABILITY&product=${product}`, "gpus")
    .catch(() => [] as Properties[]);
  const found = gpus.filter(({ id }) => ids.has(id)).map(({ id, availability }) => `${id} ${availability}`);
  return found.join(", ");
}
