import type { Account, RunView, ServiceObject } from "../../core/kind";
import type { Finding, Taken } from "../../core/kind/account";
import { carries, markOf } from "../../core/mark/carried";
import { ownerOf } from "../../core/mark/mark";
import { defaultWorkers } from "../../cost/estimate";
import { partsOfUrn } from "../../identity";
import { inLine } from "../../mask";
import { at } from "../../path";
import { hasUnknown, type Properties } from "../../value";
import { tooManyWorkers } from "../../words/limits";

/** Notes what a resource of this run takes of what the account allows. */
export function noteTaken({ run }: Account, { __urn }: Properties, more: Taken): [] {
  run.taken.set(__urn, { ...run.taken.get(__urn), ...more });
  return [];
}

/** Counts the workers of an endpoint, and finds whether the account would have more than its quota allows. (API: Serverless, limits) */
export async function countWorkers(
  account: Account,
  inputs: Properties,
  before: Properties | undefined,
): Promise<Finding[]> {
  const { allowance, run, kind } = account;
  const { limit, current } = allowance.workers;
  if (limit === undefined || hasUnknown(inputs.workers)) return [];
  const workers = mostWorkers(inputs);
  const more = () => sum([...run.taken.values()].map((taken) => taken.moreWorkers ?? 0));
  noteTaken(account, inputs, {
    workers,
    moreWorkers: workers - (before === undefined ? 0 : mostWorkers(before)),
  });
  // The endpoints matter only where there may be too many workers.
  if (current !== undefined && current + more() <= limit) return [];
  const all = (await run.lists.all(kind, account.api)) ?? [];
  // A replacement is created beside the object that it replaces.
  const { compared } = run.record(inputs.__urn);
  const isFirst = before === undefined && compared === undefined;
  const own = isFirst ? all.filter((object) => isToTake(account, inputs, object)) : [];
  const itself = before === undefined ? undefined : present(account, inputs, before, all);
  const had = before === undefined ? allWorkers(own) : mostWorkers(itself ?? before);
  noteTaken(account, inputs, { moreWorkers: workers - had });
  const counted = allWorkers(all);
  const wanted = counted + more();
  if (workers <= had || wanted <= limit) return [];
  const beside = all.filter((object) => !own.includes(object));
  const others = beside.filter((object) => object !== itself);
  const least = leastWorkers(account, inputs, beside);
  // The preview fails only if the service counts the present workers as podlumi does. Otherwise the figures may mean
  // something else.
  const certain = current === counted && least > limit;
  const added = addedBeside(run, inputs);
  const replaced = before === undefined ? others.find(({ id }) => id === compared?.id) : undefined;
  const mayLeave = mayLeaveProgram(account, inputs, others);
  const reason = aboveQuota(limit, workers, wanted, others, { added, replaced, mayLeave });
  return [{ property: "workers.max", reason, code: "PODLUMI-WORKERS", certain }];
}

/** The object of a resource as it is by now, which may have another name and other workers than in the state. */
function present({ kind }: Account, inputs: Properties, before: Properties, all: readonly ServiceObject[]) {
  const owner = ownerOf(inputs);
  const marked = owner && all.find((one) => carries(kind, one, owner));
  return marked ?? all.find((one) => one.name === before.name);
}

/** An object is of the stack: a resource of this run has it, or it carries the stack's mark. */
function isOfStack({ run, kind }: Account, inputs: Properties, object: ServiceObject): boolean {
  const owner = ownerOf(inputs);
  const isMarked = owner !== undefined && markOf(kind, object)?.digits.stack === owner.digits.stack;
  return isMarked || run.holders.of(object.id) !== undefined;
}

/** One of these is of an endpoint of the stack that this run has not checked so far: the program may have it no more. */
function mayLeaveProgram(account: Account, inputs: Properties, others: readonly ServiceObject[]): boolean {
  const { run } = account;
  const isChecked = (id: string) => run.record(run.holders.of(id)).declared !== undefined;
  return others.some((one) => mostWorkers(one) > 0 && isOfStack(account, inputs, one) && !isChecked(one.id));
}

/** What other resources of this run take more: `llm 2`. */
function addedBeside({ taken }: RunView, { __urn }: Properties): string {
  const added = [...taken].filter(([urn, { moreWorkers = 0 }]) => urn !== __urn && moreWorkers > 0);
  return added.map(([urn, { moreWorkers }]) => `${partsOfUrn(urn).name} ${moreWorkers}`).join(", ");
}

interface Circumstances {
  /** What other resources of this run take more. */
  readonly added?: string;
  readonly replaced?: ServiceObject | undefined;
  /** This run may delete one of the others. */
  readonly mayLeave?: boolean;
}

/** Says that an endpoint with `workers` would make it `wanted`. What it replaces is deleted only after it is created. */
export function aboveQuota(
  limit: number,
  workers: number,
  wanted: number,
  others: readonly ServiceObject[],
  { added = "", replaced, mayLeave = false }: Circumstances = {},
): string {
  const each = [`this one ${workers}`, workersOfEach(others)].filter(Boolean).join(", ");
  const fitting = limit - wanted + workers;
  const hasOthers = added !== "" || workersOfEach(others.filter((one) => one !== replaced)) !== "";
  const fittingAlone = replaced && fitting + mostWorkers(replaced);
  return tooManyWorkers({ wanted, limit, each, added, fitting, fittingAlone, hasOthers, mayLeave });
}

/** The endpoints that may have workers, and how many: `llm (abc) 3`. */
export function workersOfEach(endpoints: readonly ServiceObject[]): string {
  return endpoints
    .filter((endpoint) => mostWorkers(endpoint) > 0)
    .map((endpoint) => `${inLine(String(endpoint.name))} (${endpoint.id}) ${mostWorkers(endpoint)}`)
    .join(", ");
}

/**
 * The workers that nothing in this run takes back: those of endpoints that the stack does not have, and those that the
 * program has asked for so far. Any other endpoint of the stack may have fewer later in the run. 0 when nobody knows.
 */
function leastWorkers(account: Account, inputs: Properties, others: readonly ServiceObject[]): number {
  const foreign = others.filter((one) => !isOfStack(account, inputs, one));
  const own = others.filter((one) => !foreign.includes(one));
  const taken = [...account.run.taken.values()].map(({ workers = 0 }) => workers);
  return allWorkers(foreign) + sum(own.map((one) => keptWorkers(account.run, one))) + sum(taken);
}

/** The workers that an endpoint of the stack has and keeps: this run has checked it, and counts it nowhere else, since nothing changes. */
function keptWorkers(run: RunView, object: ServiceObject): number {
  const urn = run.holders.of(object.id);
  const { declared } = run.record(urn);
  if (declared === undefined || run.taken.has(urn) || hasUnknown(declared.workers)) return 0;
  return Math.min(mostWorkers(object), mostWorkers(declared));
}

/** A new resource takes this object: it adopts it, or a killed run has left it. */
function isToTake({ kind }: Account, inputs: Properties, object: ServiceObject): boolean {
  const { adopt } = inputs;
  const owner = ownerOf(inputs);
  if (adopt !== undefined) return adopt === object.id || at(inputs, "adopt", "name") === object.name;
  return owner !== undefined && carries(kind, object, owner);
}

/** The workers that an endpoint may have. */
export function mostWorkers(properties: Properties): number {
  const most = at(properties, "workers", "max");
  return typeof most === "number" ? most : defaultWorkers.max;
}

/** The workers that several endpoints may have together. */
export const allWorkers = (endpoints: readonly Properties[]) => sum(endpoints.map(mostWorkers));

export const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0);
