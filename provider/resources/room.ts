import type { Api } from "../client/api";
import { backoff } from "../client/clock";
import { ExpectedError, isAnswered, type ServiceError } from "../client/errors";
import { situations } from "../client/policy";
import type { Kind, Warnings } from "../core/kind";
import { at, type Path } from "../path";
import { sentenceOf } from "../schema/failure";
import { isEmpty, type Properties, without } from "../value";
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

/** How the service places the objects of a kind. */
interface Placing {
  readonly product: "POD" | "CLUSTER";
  /** Also the answers to a broken rule, from which the service does not tell want of room. */
  readonly refusal: { statuses(status: number): boolean };
  /** Alternatives in the order in which they are tried. */
  places(inputs: Properties): readonly Properties[];
  /** Path in a place. */
  readonly gpuId: Path;
  readonly warnings: Warnings;
  /** Ways out in words, where all of these places refused. */
  ways(places: readonly Properties[]): string;
}

interface Refusal {
  readonly place: Properties;
  readonly error: ServiceError;
}

/**
 * Tries the places in order, and all of them again until the time is up. The service answers 403 when a place is closed to the account:
 * where all are closed, time does not help, and the first answer says so. Otherwise the error contains each refusal.
 */
export function createWhereRoom(placing: Placing): NonNullable<Kind["alternatives"]> {
  return async (api, inputs, send) => {
    let refusals: Refusal[] = [];
    const attempt = async () => {
      refusals = [];
      for (const place of placing.places(inputs)) {
        try {
          return await send(without(["placements"], { ...inputs, ...place }));
        } catch (error) {
          if (!isAnswered(error, placing.refusal)) throw error;
          refusals.push({ place, error });
        }
      }
      throw refusals[0]?.error;
    };
    const mayBeFull = (error: unknown) =>
      isAnswered(error, placing.refusal) && refusals.some(({ error }) => error.status !== 403);
    return retryUntilRoom(api, inputs, attempt, mayBeFull).catch(async (error) => {
      throw mayBeFull(error) ? await refusedEverywhere(api, placing, inputs, refusals) : error;
    });
  };
}

/** With what the catalog tells: no time and no other place helps where it does not have what is asked for. */
async function refusedEverywhere(
  api: Api,
  { product, gpuId, warnings, ways }: Placing,
  inputs: Properties,
  refusals: readonly Refusal[],
): Promise<ExpectedError> {
  const each = refusals.map(({ place, error }) =>
    refusals.length === 1 ? error.message : `${describePlace(place)}: ${error.message}`,
  );
  const [answers, cause] = [each.join(" "), refusals.at(-1)?.error as ServiceError];
  const unlisted = await notInCatalog(api, warnings, inputs, cause, answers);
  if (unlisted !== undefined) return unlisted;
  const places = refusals.map(({ place }) => place);
  const gpus = await api.rest
    .list<Properties>(`/catalog/gpus?include=AVAILABILITY&product=${product}`, "gpus")
    .catch(() => [] as Properties[]);
  const chosen = gpus.filter(({ id }) => places.some((place) => at(place, ...gpuId) === id));
  const stock = chosen.map(({ id, availability }) => `${id} ${availability}`).join(", ");
  const seconds = Number(inputs.capacityTimeout ?? situations.noRoom.seconds);
  return new ExpectedError(noRoom(answers, seconds, stock, ways(places)), "PODLUMI-NO-ROOM", { cause });
}

function describePlace({ gpu, cpu, cloud = "SECURE", dataCenterIds }: Properties): string {
  const where = isEmpty(dataCenterIds) ? "any data center" : (dataCenterIds as string[]).join(" or ");
  return `${String(at(gpu ?? cpu, "id"))} in ${where} (${String(cloud)})`;
}
