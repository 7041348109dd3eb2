import type { ReadResult } from "@pulumi/pulumi/dynamic";
import { ExpectedError } from "../../client/errors";
import { completed } from "../../schema/check";
import { defined, type Properties } from "../../value";
import type { Existing, Resource } from "../call";
import type { Observed } from "../kind";
import { ownerDigits } from "../mark/carried";
import { failIfReadOnly, warnOfForeignMark } from "../own/adopt";
import { argumentsOf, readWhole, withWritten } from "../state/arguments-of";
import { internalsOf } from "../state/internals";
import { stateOf, visibleInputs } from "../state/state";
import { explaining, nothingWithId } from "../telling";

/** Reads an object with everything that a program could declare, for `pulumi import` and the plugin's `get`. Write-only values count as equal. */
export async function imported(resource: Resource, id: string): Promise<ReadResult> {
  const { kind, run, urn, inputs: whose, api } = resource;
  const found = await explaining(`could not import ${kind.noun} ${id}`, { kind, urn }, async () => {
    const whole = await readWhole(kind, api(), id);
    if (whole === undefined)
      throw new ExpectedError(await nothingWithId(kind, api(), id), "PODLUMI-NOT-FOUND");
    await failIfReadOnly(kind, api(), { ...whole.observed, id });
    run.holders.claim(kind, id, urn);
    return whole;
  });
  const { object, observed, mark } = found;
  warnOfForeignMark(resource, mark, id);
  const inputs = argumentsOf(kind, object);
  // As a check would leave them: with these, later comparisons are made. The program is written in the other shape.
  const asked = completed(kind.fields, inputs);
  const internals = internalsOf({
    ...whose,
    __mark: ownerDigits(mark),
    __account: await run.accounts.own(api()),
    __asked: kind.data && visibleInputs(kind.fields, asked),
  });
  const state = stateOf(kind.fields, { ...observed, ...defined(object) }, asked);
  return { id, props: { ...state, ...internals }, inputs };
}

/** The arguments that would declare an object that was only read. */
export function argumentsOfFound({ kind, id, urn, api }: Existing, observed: Observed): Promise<Properties> {
  return explaining(`could not read ${kind.noun} ${id}`, { kind, urn }, async () =>
    argumentsOf(kind, await withWritten(kind, api(), id, observed)),
  );
}
