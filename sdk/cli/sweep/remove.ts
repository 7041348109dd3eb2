import type { Api } from "../../../provider/client/api";
import type { Clock } from "../../../provider/client/clock";
import { ExpectedError, errorText } from "../../../provider/client/errors";
import { Proof, recent } from "../../../provider/client/proof";
import type { Observed } from "../../../provider/core/kind/definition";
import { isExpired } from "../../../provider/core/kind/expiry";
import { markDigits } from "../../../provider/core/kind/ownership";
import { definitionOf, type Listed } from "../kinds";
import { usesNow } from "../stack";
import { type Options, type Outcome, runs } from "./options";

/** What one call of the command deletes. */
interface Sweep {
  readonly api: Api;
  readonly options: Options;
  readonly uses: Uses;
  /** The ids of all that it has deleted. */
  readonly deleted: Set<string>;
}

/** Deletes what runs first, then what it used, and last what others may name all the same. */
export async function remove(api: Api, all: readonly Listed[], options: Options): Promise<Outcome[]> {
  const uses = options.stack === undefined ? async () => () => [] : usesLately(api.clock);
  const sweep = { api, options, uses, deleted: new Set<string>() };
  const isNamed = ({ kind }: Listed) => definitionOf(kind).losers !== undefined;
  const turnOf = (one: Listed) => (runs.includes(one.kind) ? 0 : isNamed(one) ? 2 : 1);
  const outcomes: Outcome[] = [];
  for (const turn of [0, 1, 2]) {
    const some = all.filter((one) => turnOf(one) === turn);
    outcomes.push(...(await Promise.all(some.map((one) => removeOne(sweep, one)))));
  }
  return outcomes;
}

/** Tells what stacks do with objects. */
type Uses = () => ReturnType<typeof usesNow>;

/** Returns a function that tells what the stacks do with objects, as it was at most a moment ago. */
function usesLately(clock: Clock): Uses {
  let latest: { readonly at: number; readonly uses: ReturnType<Uses> } | undefined;
  return () => {
    if (latest === undefined || clock.now() - latest.at > recent)
      latest = { at: clock.now(), uses: usesNow() };
    return latest.uses;
  };
}

async function removeOne(sweep: Sweep, one: Listed): Promise<Outcome> {
  const { api } = sweep;
  let left: string | undefined;
  // Much may have happened since the list, as while the question was open, and while the deletion waits for a user.
  const prove = async () => {
    left = await whyLeft(sweep, one);
    if (left !== undefined) throw new ExpectedError(left, "PODLUMI-ANOTHERS");
  };
  try {
    await new Proof(api.clock, prove, 0).during(() => definitionOf(one.kind).delete(api, one.id, one.object));
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error;
    left ??= errorText(error);
  }
  if (left !== undefined) return { ...one, left };
  sweep.deleted.add(one.id);
  return one;
}

/** Milliseconds for which a list serves all that are deleted at the same time. */
const shortly = 500;

/** Why an object is not to be deleted after all; undefined when it is. */
async function whyLeft({ api, options, uses, deleted }: Sweep, one: Listed): Promise<string | undefined> {
  const found = (await uses())(one).find((use) => !(use === "reads" && options.read));
  if (found === "adopts") return "a run is adopting it now";
  if (found !== undefined) return "it is in the state of a stack now";
  const definition = definitionOf(one.kind);
  const losers = (await definition.losers?.(api, one.id, recent)) ?? [];
  const loser = losers.find(({ object }) => !deleted.has(object.id));
  if (loser !== undefined) return `${loser.text} names it, and would lose it`;
  const present = await definition.read(api, one.id, {});
  if (present === undefined) return undefined;
  // Each of the two can lag behind what somebody has just changed. The list of clusters lacks the limit, which their pods have.
  const listed = (await definition.list(api, shortly))?.find(({ id }) => id === one.id);
  return spared(api, one, present, options) ?? spared(api, one, { ...present, ...listed }, options);
}

/** Why an object as it is now is not meant any more; undefined when it is. */
function spared(
  api: Api,
  { kind, object }: Listed,
  present: Observed,
  { expired, prefix }: Options,
): string | undefined {
  if (expired) return isExpired(present, api.now()) ? undefined : "its time limit is not over any more";
  if (prefix !== undefined)
    return String(present.name).startsWith(prefix) ? undefined : `it is now called ${present.name}`;
  const [before, now] = [object, present].map((one) => markDigits(definitionOf(kind), one));
  return before === now ? undefined : "it does not carry the mark of the stack any more";
}
