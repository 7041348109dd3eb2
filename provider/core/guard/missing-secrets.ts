import { recent } from "../../client/proof";
import { warn } from "../../engine/log";
import { secretsNamedIn } from "../../known-secrets";
import type { Kind } from "../kind/definition";
import { variablesIn } from "../kind/field";
import { clash } from "../names/unique";
import { at, propertyPath } from "../path";
import type { Run } from "../run";
import { unlessEnded } from "../telling";
import type { Properties } from "../value";

/** Notes the secrets to which new or changed variables refer. */
export function noteSecretReferences(
  { fields }: Kind,
  run: Run,
  before: Properties,
  inputs: Properties,
): void {
  for (const { path, value } of variablesIn(fields, inputs)) {
    if (value === at(before, ...path)) continue;
    const property = propertyPath(path);
    for (const name of secretsNamedIn([value]))
      run.atEnd.secretReferences.push({ urn: inputs.__urn, property, name });
  }
}

/**
 * At the end of a run, warns of references to secrets that neither the program nor the account has: the service takes them. Only then has
 * the program declared all that it declares.
 */
export async function warnOfMissingSecrets(run: Run): Promise<void> {
  const kind = run.kinds.find(({ valueByName }) => valueByName);
  if (kind === undefined || run.did.fail || run.command.isPartial) return;
  const open = run.atEnd.secretReferences.filter(
    ({ name }) => run.claims.claimantOf(kind, name) === undefined,
  );
  if (open.length === 0) return;
  const all = await run.look(kind, async () => kind.list(run.api(), recent));
  for (const { urn, property, name } of open)
    if (all?.some((secret) => clash(kind, secret.name, name)) === false)
      warn(urn, missing(property, name), "PODLUMI-ODD");
}

const missing = (property: string, name: string) =>
  `${property} refers to the secret ${JSON.stringify(name)}, which neither the account has nor a Secret of the program under the same ` +
  `provider creates${unlessEnded}: ` +
  "a container gets the placeholder as the value. Correct the name, or declare a Secret of that name";
