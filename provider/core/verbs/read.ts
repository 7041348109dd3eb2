import type { ReadResult } from "@pulumi/pulumi/dynamic";
import { ExpectedError } from "../../client/errors";
import { situations } from "../../client/policy";
import { log } from "../../engine/log";
import type { Kind, Observed } from "../definition";
import { explain } from "../errors";
import type { Run } from "../run";
import { inputsOf, internalsOf, stateOf, stateOfFound } from "../state";
import { attempt, title } from "../telling";
import type { Properties } from "../value";
import { poll } from "../wait";

/**
 * Milliseconds that a look may be old. A refresh takes everything as it was in its course, so that one list serves all
 * resources of a kind, however many there are.
 */
const age = { ofRefresh: Number.POSITIVE_INFINITY, ofLookup: 5_000 };

/** Looks at an object: for a refresh, or for a program that reads what it does not declare. */
export async function read(kind: Kind, run: Run, id: string, props: Properties = {}): Promise<ReadResult> {
  const declared = props.__declared !== undefined;
  if (declared) run.did.refresh = true;
  const observed = await attempt(`could not read ${title(kind, props)} (${id})`, kind, props, async () => {
    const found = await kind.read(run.api(), id, props, declared ? age.ofRefresh : age.ofLookup);
    return found ?? (await onceShown(kind, run, id, props));
  });
  if (!declared) {
    if (observed !== undefined) return { id, props: stateOfFound(observed) };
    const what = `there is no ${kind.noun} with the id "${id}" in this account: \`npx podlumi ls\` lists what there is`;
    throw explain(new ExpectedError(what, "PODLUMI-NOT-FOUND"), undefined, kind.fields, props);
  }
  run.noteOwner(id, props);
  if (observed === undefined) {
    log(props.__urn, goneNote(kind, id));
    // What the engine takes for the word that it is gone.
    return {};
  }
  const internals = internalsOf(props);
  const state = { ...stateOf(kind.fields, observed, inputsOf(props), props), ...internals };
  const { __asked, __made, __mark, __unanswered, ...ofInputs } = internals;
  return { id, props: state, inputs: { ...inputsOf(state), ...ofInputs } };
}

/** What was made a moment ago, by an earlier run: looks may lag behind that, so it is looked for until they cannot. */
async function onceShown(kind: Kind, run: Run, id: string, props: Properties): Promise<Observed | undefined> {
  const api = run.api();
  const { __made } = props;
  const made = typeof __made === "string" ? Date.parse(__made) : 0;
  const young = made + situations.unseen.seconds * 1000 - api.now();
  if (!(young > 0)) return undefined;
  return poll(
    api.clock,
    Math.min(young, situations.unseen.seconds * 1000),
    () => "what was made a moment ago to appear",
    () => kind.read(api, id, props),
  );
}

function goneNote({ noun }: Kind, id: string): string {
  return (
    `the ${noun} ${id} is not in this account any more. If nobody deleted it, see whether the API key is of its account, and ` +
    "restore the state"
  );
}
