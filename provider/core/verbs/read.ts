import type { ReadResult } from "@pulumi/pulumi/dynamic";
import type { Run } from "../../run";
import type { Kind } from "../definition";
import { explain } from "../errors";
import { inputsOf, internalsOf, stateOf, stateOfFound } from "../state";
import { doing, titled } from "../telling";
import type { Properties } from "../value";

/**
 * Milliseconds that a look may be old. A refresh takes everything as it was in its course, so that one list serves all
 * resources of a kind, however many there are.
 */
const age = { ofRefresh: Number.POSITIVE_INFINITY, ofLookup: 5_000 };

/** Looks at an object: for a refresh, or for a program that reads what it does not declare. */
export async function read(kind: Kind, run: Run, id: string, props: Properties = {}): Promise<ReadResult> {
  const declared = props.__declared !== undefined;
  if (declared) run.did.refresh = true;
  const observed = await doing(`could not read ${titled(kind, props)} (${id})`, kind, props, async () =>
    kind.read(run.api(), id, props, declared ? age.ofRefresh : age.ofLookup),
  );
  if (!declared) {
    if (observed !== undefined) return { id, props: stateOfFound(observed) };
    const what = `there is no ${kind.noun} with the id "${id}" in this account: \`npx podlumi ls\` lists what there is`;
    throw explain(undefined, what, kind.fields, props);
  }
  run.own(id, props);
  // What the engine takes for the word that it is gone.
  if (observed === undefined) return {};
  const internals = internalsOf(props);
  const state = { ...stateOf(kind.fields, observed, inputsOf(props), props), ...internals };
  const { __asked, __unanswered, ...ofInputs } = internals;
  return { id, props: state, inputs: { ...inputsOf(state), ...ofInputs } };
}
