import type { Api } from "../client/api";
import { backoff } from "../client/clock";
import { situations } from "../client/policy";
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

/** The availability of the requested GPUs in the catalog, for messages only. */
export async function availability(
  api: Api,
  product: "POD" | "CLUSTER",
  ids: ReadonlySet<unknown>,
): Promise<string> {
  const gpus = await api.rest
    .list<Properties>(`/catalog/gpus?include=AVAILABILITY&product=${product}`, "gpus")
    .catch(() => [] as Properties[]);
  const found = gpus.filter(({ id }) => ids.has(id)).map(({ id, availability }) => `${id} ${availability}`);
  return found.length > 0 ? ` Availability in the catalog: ${found.join(", ")}.` : "";
}
