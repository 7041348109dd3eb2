import { workersAllowed } from "../../client/allowance";
import type { Api } from "../../client/api";
import { backoff } from "../../client/clock";
import type { Item } from "../../client/collection";
import { ExpectedError, hasStatus, isRefusal } from "../../client/errors";
import { situations } from "../../client/policy";
import { HalfDoneError } from "../../core/errors";
import type { Account, Finding, RunView, ServiceObject } from "../../core/kind";
import { carries, markOf } from "../../core/mark/carried";
import { ownerOf } from "../../core/mark/mark";
import { partsOfUrn } from "../../identity";
import { inLine } from "../../mask";
import { at } from "../../path";
import { hasUnknown, type Properties } from "../../value";
import { othersHaveWorkers, tooManyWorkers } from "../../words/limits";
import { endpointWarnings } from "../catalog-advice";
import { notInCatalog } from "../room";
import { defaultWorkers } from "./outputs";

/** Finds whether the account would have more workers than its quota allows, and notes how many more an endpoint takes. (API: Serverless, limits) */
export async function countWorkers(
  account: Account,
  inputs: Properties,
  before: Properties | undefined,
): Promise<Finding[]> {
  const { allowance, run, kind } = account;
  const { limit, current } = allowance.workers;
  if (limit === undefined || hasUnknown(inputs.workers)) return [];
  const asked = mostWorkers(inputs);
  const more = () => sum([...run.moreWorkers.values()]);
  run.moreWorkers.set(inputs.__urn, asked - (before === undefined ? 0 : mostWorkers(before)));
  // The endpoints matter only where there may be too many workers.
  if (current !== undefined && current + more() <= limit) return [];
  const all = (await run.lists.atFirst(kind, account.api)) ?? [];
  // A replacement is created beside the object that it replaces.
  const isReplaced = before === undefined && run.record(inputs.__urn).compared !== undefined;
  const own = isReplaced ? undefined : objectOf(account, inputs, before, all);
  const others = all.filter((object) => object !== own);
  const present = allWorkers(all) - allWorkers(others);
  run.moreWorkers.set(inputs.__urn, asked - present);
  const wanted = allWorkers(all) + more();
  if (asked <= present || wanted <= limit) return [];
  // Where the service counts the present workers otherwise, the figures may mean something else.
  const certain =
    current === allWorkers(all) && !isReplaced && others.every((one) => keepsWorkers(account, inputs, one));
  const added = addedBeside(run, inputs);
  const reason = tooManyWorkers({ asked, wanted, limit, others: workersOfEach(others), added });
  return [{ property: "workers.max", reason, code: "PODLUMI-WORKERS", certain }];
}

/** The object that a resource has, adopts, or takes over after a killed run. It may have another name by now than in the state. */
function objectOf(
  { kind }: Account,
  inputs: Properties,
  before: Properties | undefined,
  all: readonly ServiceObject[],
): ServiceObject | undefined {
  const owner = ownerOf(inputs);
  const name = before === undefined ? at(inputs, "adopt", "name") : before.name;
  return (
    all.find((object) => owner !== undefined && carries(kind, object, owner)) ??
    all.find((object) => object.id === inputs.adopt || (name !== undefined && object.name === name))
  );
}

/** Nothing in this run takes its workers back: it has none, is not of the stack, or has been checked already. */
function keepsWorkers({ run, kind }: Account, inputs: Properties, object: ServiceObject): boolean {
  const owner = ownerOf(inputs);
  const holder = run.holders.of(object.id);
  const isMarked = owner !== undefined && markOf(kind, object)?.digits.stack === owner.digits.stack;
  if (mostWorkers(object) === 0 || (holder === undefined && !isMarked)) return true;
  const { declared } = run.record(holder);
  return declared !== undefined && !hasUnknown(declared.workers);
}

/** The workers that other resources of this run take more: `llm 2`. */
function addedBeside({ moreWorkers }: RunView, { __urn }: Properties): string {
  const added = [...moreWorkers].filter(([urn, more]) => urn !== __urn && more > 0);
  return added.map(([urn, more]) => `${partsOfUrn(urn).name} ${more}`).join(", ");
}

/** Retries while an update of this run has yet to give workers up. The engine may still have to tell of it, so once in any case. */
export async function retryUntilGivenUp<T>(run: RunView, api: Api, act: () => Promise<T>): Promise<T> {
  const { clock, errand } = api;
  if ((run.moreWorkers.get(errand.urn) ?? 0) <= 0) return act();
  const began = clock.now();
  for (let attempt = 0; ; attempt++) {
    // Asked before the request: what is given up while it is under way helps only the next one.
    const isAwaited = attempt === 0 || givesWorkersUp(run);
    try {
      return await act();
    } catch (error) {
      const elapsed = clock.now() - began;
      if (!isAwaited || !isRefused(error) || elapsed > situations.workersTaken.seconds * 1000) throw error;
      api.waiting("another endpoint to give workers up", elapsed);
      await clock.sleep(backoff(attempt, clock));
    }
  }
}

/** An update of this run is still to give workers up. A replaced endpoint does so only at the end of the run. */
function givesWorkersUp(run: RunView): boolean {
  return [...run.moreWorkers].some(([urn, more]) => {
    const { isUpdateOver, compared } = run.record(urn);
    return more < 0 && !isUpdateOver && !compared?.isReplaced;
  });
}

function isRefused(error: unknown): boolean {
  if (error instanceof HalfDoneError) return false;
  return isRefusal(error) || (error instanceof Error && isRefusal(error.cause));
}

/**
 * Creates an endpoint, or updates that of the id. The service refuses more workers than the account's quota with 400, as it refuses much
 * else. So the limits and the other endpoints tell whether such a refusal is about workers, and the catalog whether it is about what is
 * not there. An account that does not tell its quota leaves the former open.
 */
export async function sendExplained(api: Api, id: string | undefined, body: Properties): Promise<Item> {
  try {
    return await (id === undefined ? api.endpoints.create(body) : api.endpoints.update(id, body));
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

/** The endpoints that may have workers, and how many: `llm (abc) 3`. */
export function workersOfEach(endpoints: readonly ServiceObject[]): string {
  return endpoints
    .filter((endpoint) => mostWorkers(endpoint) > 0)
    .map((endpoint) => `${inLine(String(endpoint.name))} (${endpoint.id}) ${mostWorkers(endpoint)}`)
    .join(", ");
}

/** The workers that an endpoint may have. */
function mostWorkers(properties: Properties): number {
  const most = at(properties, "workers", "max");
  return typeof most === "number" ? most : defaultWorkers.max;
}

/** The workers that several endpoints may have together. */
const allWorkers = (endpoints: readonly Properties[]) => sum(endpoints.map(mostWorkers));

const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0);
