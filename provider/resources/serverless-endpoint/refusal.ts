import { workersAllowed } from "../../client/allowance";
import type { Api } from "../../client/api";
import { ExpectedError, hasStatus } from "../../client/errors";
import { at } from "../../path";
import type { Properties } from "../../value";
import { othersHaveWorkers, tooManyWorkers } from "../../words/limits";
import { endpointWarnings } from "../catalog-warnings";
import { notInCatalog } from "../room";
import { allWorkers, mostWorkers, workersOfEach } from "./quota";

/**
 * Sends a body. The service refuses more workers than the account's quota with 400, as it refuses much else. So the limits and the
 * other endpoints tell whether such a refusal is about workers, and the catalog whether it is about what is not there. An account that
 * does not tell its quota leaves the former open.
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
    const [all, { limit, current = 0 }] = await Promise.all([
      hasty.endpoints.list().catch(() => undefined),
      workersAllowed(hasty),
    ]);
    if (all === undefined) throw error;
    const others = all.filter((one) => one.id !== id);
    const present = allWorkers(all) - allWorkers(others);
    const asked = Number(at(body, "workers", "max") ?? (id === undefined ? mostWorkers({}) : present));
    const wanted = allWorkers(others) + asked;
    const because = (text: string, code: string) =>
      new ExpectedError(`${error.message} ${text}.`, code, { cause: error });
    if (limit !== undefined && asked > present && wanted > limit) {
      const reason = tooManyWorkers({ asked, wanted, limit, others: workersOfEach(others) });
      throw because(`Too many workers: ${reason}`, "PODLUMI-WORKERS");
    }
    const unlisted = await notInCatalog(api, endpointWarnings, body, error);
    if (unlisted !== undefined) throw unlisted;
    // What the service calls the current workers may be other ones than those that podlumi counts.
    const isPossible = limit === undefined || Math.max(wanted, current - present + asked) > limit;
    if (!isPossible || allWorkers(others) === 0) throw error;
    throw because(othersHaveWorkers(allWorkers(others), workersOfEach(others)), error.code);
  }
}
