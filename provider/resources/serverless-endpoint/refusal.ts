import { workersAllowed } from "../../client/allowance";
import type { Api } from "../../client/api";
import { ExpectedError, hasStatus } from "../../client/errors";
import { at } from "../../path";
import type { Properties } from "../../value";
import { endpointWarnings } from "../catalog-warnings";
import { notInCatalog } from "../room";
import { aboveQuota, allWorkers, mostWorkers } from "./quota";

/**
 * Sends a body. The service refuses more workers than the account's quota with 400, as it refuses much else. So the limits and the
 * other endpoints tell whether such a refusal is about workers, and the catalog whether it is about what is not there.
 */
export async function explainingRefusal<T>(
  api: Api,
  id: string | undefined,
  body: Properties,
  send: () => Promise<T>,
): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!hasStatus(error, 400)) throw error;
    const hasty = api.impatient();
    const [all = [], { limit = Number.POSITIVE_INFINITY }] = await Promise.all([
      hasty.endpoints.list().catch(() => undefined),
      workersAllowed(hasty),
    ]);
    const others = all.filter((one) => one.id !== id);
    const present = allWorkers(all) - allWorkers(others);
    const asked = Number(at(body, "workers", "max") ?? (id === undefined ? mostWorkers({}) : present));
    const wanted = allWorkers(others) + asked;
    if (asked > present && wanted > limit)
      throw new ExpectedError(
        `${error.message} Too many workers: ${aboveQuota(limit, asked, wanted, others)}.`,
        "PODLUMI-WORKERS",
        { cause: error },
      );
    throw (await notInCatalog(api, endpointWarnings, body, error)) ?? error;
  }
}
