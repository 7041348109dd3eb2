import type { Api } from "../client/api";
import { situations } from "../client/policy";
import { everything, type Kind, type Made } from "./definition";
import { ownerOf } from "./mark";
import { type Match, matched } from "./match";
import { askedDigits, carries, markOf } from "./ownership";
import type { Run } from "./run";
import type { Properties } from "./value";
import { poll } from "./wait";

/** What an account has for a resource of which the engine knows no object. */
export interface Lost {
  /** The object that the resource takes over. */
  readonly found?: Match;
  /** Others that carry its mark. They stay as they are, and the user is told. */
  readonly left: readonly Made[];
}

/**
 * Looks for what carries the mark of a resource and is not in the engine's state: an interrupted run made it, or a state
 * was edited or restored. It is taken over if it is what the program asks for, or can be changed into that.
 */
export async function lostObjects(
  kind: Kind,
  run: Run,
  api: Api,
  inputs: Properties,
  list = () => run.before(kind),
): Promise<Lost> {
  const owner = ownerOf(inputs);
  if (owner === undefined) return { left: [] };
  const marked = ((await list()) ?? []).filter((object) => carries(kind, object, owner));
  const lost = await run.lost(marked, inputs);
  let found: Match | undefined;
  const left: Made[] = [];
  for (const listed of lost) {
    const observed = await kind.read(api, listed.id, { ...inputs, [everything]: true });
    if (observed === undefined) continue;
    const match =
      found === undefined ? await comparedWith(kind, api, inputs, { ...observed, id: listed.id }) : undefined;
    if (match !== undefined && match.obstacles.length === 0) found = match;
    else left.push(listed);
  }
  return { found, left };
}

/** What an interrupted run was making, where a list that lags does not show it yet. */
export async function lateObject(
  kind: Kind,
  run: Run,
  api: Api,
  inputs: Properties,
): Promise<Match | undefined> {
  const begun = run.of(inputs.__urn).existed ? undefined : await run.begun(inputs);
  const left = (begun ?? 0) + situations.unseen.seconds * 1000 - api.now();
  if (left <= 0) return undefined;
  const what = () => "what an interrupted run was making to appear";
  return poll(api.clock, Math.min(left, situations.unseen.seconds * 1000), what, async () => {
    const { found } = await lostObjects(kind, run, api, inputs, () => kind.list(api));
    return found;
  });
}

/** The comparison, with what the mark tells of inputs that no look at the object does. */
async function comparedWith(kind: Kind, api: Api, inputs: Properties, object: Made): Promise<Match> {
  const match = await matched(kind, api, inputs, object, true);
  const asked = markOf(kind, object)?.asked;
  if (asked === undefined || asked === askedDigits(kind, inputs)) return match;
  const unseen = Object.entries(kind.fields).filter(
    ([, { writeOnly, sensitive, ensured }]) => writeOnly !== undefined && !sensitive && !ensured,
  );
  const fixed = unseen.filter(([, { change }]) => change !== "update").map(([name]) => name);
  const changes = new Map(match.changes);
  for (const [name] of unseen) if (inputs[name] !== undefined) changes.set(name, "update");
  return { ...match, changes, obstacles: [...match.obstacles, ...fixed] };
}
