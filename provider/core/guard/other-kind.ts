import { ExpectedError } from "../../client/errors";
import { kindOfUrn, partsOfUrn } from "../../identity";
import type { Existing } from "../call";
import { explain } from "../errors";

/**
 * Fails for the object of another kind, which an alias makes the state of this resource: this kind would look for it in its own list, and
 * neither its data nor what it costs would count.
 */
export function failIfKindDiffers({ kind, run, id, state }: Existing): void {
  const { __urn: urn } = state;
  const was = kindOfUrn(urn);
  if (was === undefined || was === kind.type) return;
  const { noun = was } = run.kinds.find(({ type }) => type === was) ?? {};
  const error = new ExpectedError(
    `by the state it is the ${noun} ${id}. An alias must name a resource of the same kind. Without it, the preview shows a new ` +
      `${kind.noun}, and what becomes of the ${noun}`,
    "PODLUMI-OTHER-KIND",
  );
  const { name } = partsOfUrn(urn);
  throw explain(error, `cannot make a ${kind.noun} of ${name}`, kind.fields, state);
}
