import type { Api } from "../client/api";
import { backoff } from "../client/clock";
import { ExpectedError } from "../client/errors";
import { situations } from "../client/policy";
import { sentenceOf } from "../core/kind/check";
import type { Warnings } from "../core/kind/definition";
import type { Properties } from "../core/value";
import { showWaiting } from "../engine/log";

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
      showWaiting(`room, tried ${round + 1} times`, api.clock.now() - began);
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
 * The error for what the service refused everywhere: its answers, and what the catalog tells of them. What the catalog does not have comes
 * first, since no time and no other place helps there.
 */
export async function refusedEverywhere(
  api: Api,
  { product, inputs, gpus, warnings }: Unplaced,
  answers: string,
  advice: string,
  cause: unknown,
): Promise<ExpectedError> {
  const unlisted = await warnings.find(api, inputs).catch(() => []);
  if (unlisted.length > 0)
    return new ExpectedError([...unlisted.map(sentenceOf), answers].join(" "), "PODLUMI-NOT-IN-CATALOG", {
      cause,
    });
  const available = await availability(api, product, new Set(gpus));
  return new ExpectedError(`${answers}${available} ${advice}`, "PODLUMI-NO-ROOM", { cause });
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
  return found.length > 0 ? ` Availability in the catalog: ${found.join(", ")}.` : "";
}
