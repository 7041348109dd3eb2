import { backoff } from "../../client/clock";
import { ExpectedError, isRefusal, undefinedIfExpected } from "../../client/errors";
import { situations } from "../../client/policy";
import { oneOf } from "../../did-you-mean";
import type { Failure } from "../../schema/failure";
import { nameMustBecomeFree, nameOfAnother, nameTaken } from "../../words/names";
import { ownerInWords } from "../../words/resource";
import type { Resource } from "../call";
import type { ServiceObject } from "../kind";
import { clash } from "../kind/naming";
import { willCarry } from "../mark/carried";
import { ownerOf } from "../mark/mark";
import { describe } from "../telling";

const code = "PODLUMI-NAME-TAKEN";

/** How a caller of {@link retryWhileTaken} judges what has the name. */
interface Judge<T> {
  /** The result, where the holder is that; undefined where the holder may give the name up. Throws where waiting helps nothing. */
  settle(holder: ServiceObject, error: Error): T | undefined;
  /** The list may still lack an object that has the name. */
  mayBeUnlisted?(): boolean;
}

/** Retries while another object has the unique name: that object may give it up later in this run. */
export async function retryWhileTaken<T>(
  resource: Resource,
  act: () => Promise<T>,
  { settle, mayBeUnlisted = () => false }: Judge<T>,
): Promise<T> {
  const { kind, inputs, api } = resource;
  if (kind.naming?.unique === undefined || inputs.name === undefined) return act();
  const { clock } = api();
  const began = clock.now();
  let unexplained = 0;
  for (let attempt = 0; ; attempt++) {
    try {
      return await act();
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const failAsRefused = (failed: unknown) => {
        undefinedIfExpected(failed);
        throw error;
      };
      const all = (await kind.list(api()).catch(failAsRefused)) ?? [];
      const holder = all.find(({ name }) => clash(kind, name, inputs.name));
      // The holder of the name may have gone just now: one more request shows that.
      if (holder === undefined && unexplained++ > 0 && !mayBeUnlisted()) throw error;
      const settled = holder && settle(holder, error as Error);
      if (settled !== undefined) return settled;
      if (holder !== undefined) failWhenOverdue(resource, holder, clock.now() - began, error);
      await clock.sleep(backoff(attempt, clock));
    }
  }
}

/** Throws when the wait for the holder of a name is over. */
function failWhenOverdue(
  { kind, run, inputs, api }: Resource,
  holder: ServiceObject,
  elapsed: number,
  cause: unknown,
): void {
  api().waiting("its name to become free", elapsed);
  if (elapsed <= situations.nameTaken.seconds * 1000) return;
  const owner = run.holders.beside(holder.id, inputs.__urn);
  throw new ExpectedError(nameTaken(describe(kind, holder), holder.id, ownerInWords(owner)), code, { cause });
}

/** The warning of a name that another object has. Chains of renames work, so it is no failure. It also shows a killed run's volume or cluster. */
export async function takenName(resource: Resource, id?: string): Promise<Required<Failure> | undefined> {
  const { kind, run, inputs, api } = resource;
  const { name, __urn } = inputs;
  const isOpen = "name" in kind.fields && !willCarry(kind, name, ownerOf(inputs));
  if (kind.naming?.unique === undefined && !isOpen) return undefined;
  const isTaken = (object: ServiceObject) =>
    object.id !== id && (clash(kind, object.name, name) || (isOpen && object.name === name));
  const found = ((await run.lists.atFirst(kind, api())) ?? []).filter(isTaken);
  // Where names are not unique, one of several may be what a killed run has created. What this run has is none.
  const free = found.filter((object) => run.holders.of(object.id) === undefined);
  const [holder] = kind.naming?.unique === undefined ? free : found;
  if (typeof name !== "string" || holder === undefined) return undefined;
  const owner = run.holders.of(holder.id);
  const object = describe(kind, holder);
  const whose = ownerInWords(owner === __urn ? undefined : owner);
  const reason =
    kind.naming?.unique === undefined
      ? nameOfAnother(object, oneOf(free.map(({ id }) => id)), whose)
      : nameMustBecomeFree(object, holder.id, situations.nameTaken.seconds, whose);
  return { property: "name", reason, code };
}
