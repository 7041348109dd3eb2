import type { Api } from "../../../provider/client/api";
import type { Clock } from "../../../provider/client/clock";
import { ExpectedError, errorText } from "../../../provider/client/errors";
import { Proof, recent } from "../../../provider/client/proof";
import type { Observed } from "../../../provider/core/kind/definition";
import { isExpired } from "../../../provider/core/kind/expiry";
import { markDigits } from "../../../provider/core/kind/ownership";
import { definitionOf, type Listed } from "../kinds";
import { usesIn } from "../stack";
import { stackNames, statesOf } from "../states";
import { stacksNow } from "./by-name";
import { type Options, type Outcome, runs } from "./options";

/** What one call of the command deletes. */
interface Sweep {
  readonly api: Api;
  readonly options: Options;
  readonly claims: () => Promise<Claim>;
  /** The ids of all that it has deleted. */
  readonly deleted: Set<string>;
}

/** Deletes what runs first, then what it used, and last what others may name all the same. */
export async function remove(api: Api, all: readonly Listed[], options: Options): Promise<Outcome[]> {
  const sweep = { api, options, claims: lately(api.clock, claimsFor(options)), deleted: new Set<string>() };
  const isNamed = ({ kind }: Listed) => definitionOf(kind).losers !== undefined;
  const turnOf = (one: Listed) => (runs.includes(one.kind) ? 0 : isNamed(one) ? 2 : 1);
  const outcomes: Outcome[] = [];
  for (const turn of [0, 1, 2]) {
    const some = all.filter((one) => turnOf(one) === turn);
    outcomes.push(...(await Promise.all(some.map((one) => removeOne(sweep, one)))));
  }
  return outcomes;
}

/** Tells why stacks need an object; undefined when none does. */
type Claim = (one: Listed) => string | undefined;

/** Returns a function that asks the states for that: a sweep by names goes by the names alone where it takes what stacks have. */
function claimsFor({ stack, prefix, marked, read }: Options): () => Promise<Claim> {
  if (prefix !== undefined && !marked) return stacksNow;
  if (stack === undefined) return async () => () => undefined;
  return async () => {
    const uses = usesIn(await statesOf(await stackNames()));
    return (one) => {
      const found = uses(one).find((use) => !(use === "reads" && read));
      if (found === "adopts") return "a run is adopting it now";
      if (found === "keeps") return "a replacement keeps it now, to adopt it again";
      return found && "it is in the state of a stack now";
    };
  };
}

/** What a function returned at most a moment ago. */
function lately<T>(clock: Clock, ask: () => T): () => T {
  let latest: { readonly at: number; readonly answer: T } | undefined;
  return () => {
    if (latest === undefined || clock.now() - latest.at > recent) latest = { at: clock.now(), answer: ask() };
    return latest.answer;
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
async function whyLeft({ api, options, claims, deleted }: Sweep, one: Listed): Promise<string | undefined> {
  const claim = (await claims())(one);
  if (claim !== undefined) return claim;
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
  const [before, now] = [object, present].map((one) => markDigits(definitionOf(kind), one));
  if (prefix === undefined)
    return before === now ? undefined : "it does not carry the mark of the stack any more";
  if (!String(present.name).startsWith(prefix)) return `it is now called ${present.name}`;
  return now === undefined || before === now ? undefined : "it carries the mark of another stack now";
}
