import { backoff } from "../../client/clock";
import { ExpectedError, isRefusal } from "../../client/errors";
import { situations } from "../../client/policy";
import { showWaiting } from "../../engine/log";
import type { Kind, ServiceObject } from "../kind/definition";
import type { Failure } from "../kind/failure";
import type { Resource } from "../resource";
import type { Run } from "../run";
import { isUnknown, type Properties } from "../value";
import { clash } from "./unique";

/** The object that has a unique name now. */
export async function holderOf({ kind, run, inputs }: Resource): Promise<ServiceObject | undefined> {
  const all = (await kind.list(run.api())) ?? [];
  return all.find((object) => clash(kind, object.name, inputs.name));
}

/** Objects of this name that have no known owner, as this run first listed them, or as `list` shows them. */
export async function namesakes(
  { kind, run, inputs: { name } }: Resource,
  list: () => Promise<ServiceObject[] | undefined> = () => run.lists.snapshot(kind),
): Promise<ServiceObject[]> {
  if (typeof name !== "string" || isUnknown(name)) return [];
  const all = (await list()) ?? [];
  return all.filter((object) => object.name === name && run.owners.known(object.id) === undefined);
}

/** Throws when the wait for the holder of a name is over. */
export async function failWhenOverdue(
  { kind, run, inputs }: Resource,
  holder: ServiceObject,
  elapsed: number,
  cause: unknown,
): Promise<void> {
  showWaiting("its name to become free", elapsed);
  if (elapsed <= situations.nameTaken.seconds * 1000) return;
  const owner = await run.owners.find(holder.id);
  const { reason, code } =
    owner === undefined ? nameTaken(kind, holder) : nameOfThisStack(kind, holder, owner, inputs);
  throw new ExpectedError(reason, code, { cause });
}

/** Retries while another object has the unique name: that object may give it up later in this run. */
export async function retryWhileTaken<T>(resource: Resource, act: () => Promise<T>): Promise<T> {
  const { run, inputs } = resource;
  const { clock } = run.api();
  const began = clock.now();
  let unexplained = 0;
  for (let attempt = 0; ; attempt++) {
    try {
      return await act();
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const holder = await holderOf(resource);
      if (holder === undefined) {
        // The holder of the name may have gone just now: one more request shows that.
        if (unexplained++ > 0) throw error;
      } else {
        if (run.owners.known(holder.id) === inputs.__urn) throw error;
        await failWhenOverdue(resource, holder, clock.now() - began, error);
      }
      await clock.sleep(backoff(attempt, clock));
    }
  }
}

type NameFailure = Required<Failure>;

/** Whether resources of the program, this one among them, are to have each other's unique names: each would wait for the next. */
export function swapsNames({ kind, run, inputs: { __urn: urn } }: Resource): boolean {
  const taking = (one: unknown) => run.claims.claimantOf(kind, nameBefore(run, one));
  const seen = new Set<unknown>();
  let next = taking(urn);
  while (next !== undefined && next !== urn && !seen.has(next)) {
    seen.add(next);
    next = taking(next);
  }
  return next === urn;
}

const nameBefore = (run: Run, urn: unknown) => run.notes(urn).had?.name;

/** The failure when resources are to have each other's unique names. */
export function nameToSwap({ kind, run, inputs: { name, __urn } }: Resource): NameFailure {
  const own = nameBefore(run, __urn);
  const taking = run.claims.claimantOf(kind, own);
  const reason =
    `it is to get the name "${name}", and ${taking} its present one, "${own}": each waits until another one of them gives up its ` +
    "name. Give one of them a third name in a separate `up` first";
  return { property: "name", reason, code: "PODLUMI-NAME-OF-THIS-STACK" };
}

/** The failure when an object of no known owner has the unique name. */
export function nameTaken({ noun }: Kind, { id, name }: ServiceObject): NameFailure {
  const reason =
    `the name "${String(name)}" is taken by the ${noun} ${id}, which may be in use elsewhere. Give this one another name, or leave ` +
    `name out, so that podlumi makes up a free one; to adopt the other, write adopt: "${id}"; to only refer to it, use .get(name, "${id}")`;
  return { property: "name", reason, code: "PODLUMI-NAME-TAKEN" };
}

/** The failure when a resource of this stack has the unique name. */
export function nameOfThisStack(
  { noun }: Kind,
  { id, name }: ServiceObject,
  owner: string,
  { __urn }: Properties,
): NameFailure {
  const code = "PODLUMI-NAME-OF-THIS-STACK";
  if (owner === __urn) {
    const reason =
      `the name "${String(name)}" is still that of the ${noun} ${id}, which this resource had before and which Pulumi has yet to ` +
      "delete. To keep the name, give the resource the option deleteBeforeReplace: true for this replacement; otherwise run `pulumi up` " +
      "once with the name that it has now, and then change it";
    return { property: "name", reason, code };
  }
  const reason =
    `the name "${String(name)}" is that of ${owner} (${noun} ${id}) in this stack. It must become free within ` +
    `${situations.nameTaken.seconds} s. Pulumi deletes what leaves the program, or is replaced, only at the end of the run, and changes what ` +
    "depends on this resource, or comes after it with --parallel 1, only after it. If this is that resource under a new name, write " +
    "aliases; to keep both, give this one another name; otherwise rename or remove that one in a separate `up` first";
  return { property: "name", reason, code };
}

/**
 * The input by which a program in TypeScript tells whether its options have a replacement created while its object is still there. Where they do
 * not say, podlumi asks the engine to delete an object first that has the name of the next one.
 */
export const madeFirstInput = "__madeFirst";

/** The failure where the engine creates the replacement of an object that still has the unique name of that then. */
export async function nameToFree(
  { kind, run, inputs }: Resource,
  { id, name }: ServiceObject,
): Promise<NameFailure | undefined> {
  const next = await wayToFree(run, inputs, id);
  if (next === undefined) return undefined;
  const reason =
    `names of ${kind.noun}s are unique in the account, and the replacement is created while the ${kind.noun} ${id} still has the name ` +
    `"${String(name)}". ${next}, or give it another name`;
  return { property: "name", reason, code: "PODLUMI-NAME-OF-THIS-STACK" };
}

/** How the object can give its name up before its replacement is created; undefined where it does. */
async function wayToFree(run: Run, inputs: Properties, id: string): Promise<string | undefined> {
  const { madeFirst, nameGiven } = run.notes(inputs.__urn).checked ?? {};
  // The engine goes by the option that the state has, also where the resource has it from a component, or the program has it no longer.
  if (await run.states.isRetained(id)) return retained;
  // Where `pulumi:autonaming` makes the same name each time, the engine deletes first.
  if (!nameGiven) return undefined;
  if (madeFirst) return isReplaced(run, inputs) ? late : undefined;
  return madeFirst === false && (await isReplacedUnasked(run, inputs)) ? unasked : undefined;
}

const retained =
  "Pulumi keeps that one, by retainOnDelete: remove the option, also from its component, in a separate `up` first";
const late = "Remove the option deleteBeforeReplace: false";
const unasked =
  "Give it the option deleteBeforeReplace: true for this replacement (podlumi does not see that of a transform)";

/** Whether the engine has checked the resource with its old inputs, and now checks what is to replace it. */
const isReplaced = (run: Run, { __urn }: Properties) => run.notes(__urn).had?.inputs !== undefined;

/** Whether the engine replaces a resource of itself, as for `--replace` or `replaceWith`: it has not asked podlumi what to delete first. */
async function isReplacedUnasked(run: Run, inputs: Properties): Promise<boolean> {
  const { compared, replaced, had } = run.notes(inputs.__urn);
  if (had?.inputs !== undefined) return !replaced && (compared?.changed ?? []).length === 0;
  return !(await isDeletedWithOthers(run, inputs));
}

/** Whether the engine may delete the object of a resource with another one, or with its provider: it is gone by the time of its replacement. */
export async function isDeletedWithOthers(run: Run, inputs: Properties): Promise<boolean> {
  const { had } = run.notes(inputs.__urn);
  // The engine has compared it before its check, or checks it with what it had.
  if (had !== undefined) return had.inputs === undefined;
  const object = await run.states.objectOf(inputs);
  if (object === undefined || object.isGone) return true;
  return object.servedBy !== inputs.__stack || object.replacedWith.length > 0;
}
