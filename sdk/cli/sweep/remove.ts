import type { Api } from "../../../provider/client/api";
import { type Clock, systemClock } from "../../../provider/client/clock";
import { Proof, recent } from "../../../provider/client/errand";
import { ExpectedError, errorText } from "../../../provider/client/errors";
import type { Observed } from "../../../provider/core/kind";
import { markDigits } from "../../../provider/core/mark/carried";
import { isExpired } from "../../../provider/core/state/expiry";
import { definitionOf, type Listed } from "../kinds";
import { stackNames, statesOf } from "../states/pulumi";
import { readersOf, whyHeld } from "../states/uses";
import { stacksNow } from "./by-name";
import { type Options, type Outcome, runs } from "./options";

/** Tells why an object stays after all; undefined where nothing keeps it. */
type WhyLeft = (one: Listed) => string | undefined;

interface Sweep {
  readonly api: Api;
  readonly options: Options;
  readonly byStates: () => Promise<WhyLeft>;
}

/** Deletes what runs first, then the templates that it used, and last what templates may name, too. */
export async function remove(
  account: () => Api,
  all: readonly Listed[],
  options: Options,
): Promise<Outcome[]> {
  const byStates = lately(systemClock, statesFor(options));
  const turnOf = ({ kind }: Listed) => (runs.includes(kind) ? 0 : kind === "Template" ? 1 : 2);
  const outcomes: Outcome[] = [];
  for (const turn of [0, 1, 2]) {
    const some = all.filter((one) => turnOf(one) === turn);
    // With lists of its own: what uses something may be new since the search and the turns before.
    const sweep = { api: account(), options, byStates };
    outcomes.push(...(await Promise.all(some.map((one) => removeOne(sweep, one)))));
  }
  return outcomes;
}

/** Returns a function that asks the states: a sweep by names goes by the names alone where it takes what stacks have. */
function statesFor({ stack, prefix, marked, read }: Options): () => Promise<WhyLeft> {
  if (prefix !== undefined && !marked) return stacksNow;
  if (stack === undefined) return async () => () => undefined;
  return async () => {
    const states = await statesOf(await stackNames());
    return (one) => whyHeld(states, one) ?? (read ? undefined : readersOf(states, one)[0]?.why);
  };
}

/** Asks once for all that need the answer within a moment. */
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
    const proven = api.for({ proof: new Proof(api.clock, prove, 0) });
    await definitionOf(one.kind).delete(proven, one.id, one.object);
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error;
    left ??= errorText(error);
  }
  return left === undefined ? one : { ...one, left };
}

/** Milliseconds for which a list serves all that are deleted at the same time. */
const shortly = 500;

/** Why an object is not to be deleted after all; undefined when it is. */
async function whyLeft({ api, options, byStates }: Sweep, one: Listed): Promise<string | undefined> {
  const why = (await byStates())(one);
  if (why !== undefined) return why;
  const definition = definitionOf(one.kind);
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
