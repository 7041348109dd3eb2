import { ExpectedError } from "../../client/errors";
import { kindOfUrn, partsOfUrn } from "../../identity";
import type { Existing } from "../call";
import { explain } from "../errors";

/** An alias can give this resource the state of another kind, whose data and costs would not count. */
export function failIfKindDiffers(existing: Existing): void {
  const { kind, run, id, state } = existing;
  const { __urn: urn } = state;
  const was = kindOfUrn(urn);
  if (was === undefined || was === kind.type) return;
  const { noun = was } = run.kinds.find(({ type }) => type === was) ?? {};
  const error = new ExpectedError(
    `by the state it is the ${noun} ${id}. An alias must name a resource of the same kind`,
    "PODLUMI-OTHER-KIND",
  );
  const { name } = partsOfUrn(urn);
  throw explain(error, `cannot make a ${kind.noun} of ${name}`, existing);
}
