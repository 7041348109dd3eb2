import { backoff } from "../../client/clock";
import { ExpectedError, isRefusal, undefinedIfExpected } from "../../client/errors";
import { situations } from "../../client/policy";
import { oneOf } from "../../did-you-mean";
import { warn } from "../../engine/log";
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

/** Warns of a name that another object than `id` has. Chains of renames work, so it is no failure. It also shows a killed run's volume or cluster. */
export async function warnIfNameTaken(resource: Resource, id?: string): Promise<void> {
  const { kind, run, urn, inputs, api } = resource;
  const isUnique = kind.naming?.unique !== undefined;
  const isShown = isUnique || ("name" in kind.fields && !willCarry(kind, inputs.name, ownerOf(inputs)));
  if (!isShown || typeof inputs.name !== "string") return;
  const listed = (await run.lists.atFirst(kind, api())) ?? [];
  const others = listed.filter((object) => object.id !== id);
  const reason = isUnique ? whyTaken(resource, others) : namesakes(resource, others);
  if (reason !== undefined) warn(urn, `name: ${reason}`, code);
}

function whyTaken({ kind, run, urn, inputs }: Resource, others: readonly ServiceObject[]) {
  const holder = others.find(({ name }) => clash(kind, name, inputs.name));
  if (holder === undefined) return undefined;
  const owner = ownerInWords(run.holders.beside(holder.id, urn));
  return nameMustBecomeFree(describe(kind, holder), holder.id, situations.nameTaken.seconds, owner);
}

/** Where names are not unique, one of several may be what a killed run has created. What this run has is none. */
function namesakes({ kind, run, record, inputs }: Resource, others: readonly ServiceObject[]) {
  const free = others.filter(({ id, name }) => name === inputs.name && run.holders.of(id) === undefined);
  const [first] = free;
  // With `--replace`, there is no diff, and nothing tells the id of the object that is replaced.
  const isReplaced =
    record.isToBeCreated && record.compared === undefined && record.before?.name === inputs.name;
  if (first === undefined || (isReplaced && free.length === 1)) return undefined;
  return nameOfAnother(describe(kind, first), oneOf(free.map(({ id }) => id)));
}
