import { isDeepStrictEqual } from "node:util";
import { undefinedIfExpected } from "../../client/errors";
import { impatiently } from "../../client/patience";
import { kindOfUrn } from "../../identity";
import type { Ask, Kind } from "../kind/definition";
import type { Failure } from "../kind/failure";
import { isAlwaysSecret, variablesIn } from "../kind/field";
import { brokenBy } from "../kind/rule";
import { at, propertyPath } from "../path";
import type { Run } from "../run";
import { hasUnknown, type Properties } from "../value";

/** Finds new or changed inputs that are probably not what the program means. */
export function oddities(kind: Kind, before: Properties, inputs: Properties): Failure[] {
  const isNews = (name: string) =>
    !hasUnknown(inputs[name]) && !isDeepStrictEqual(before[name], inputs[name]);
  const due = (kind.oddities ?? []).filter(({ needs }) => needs.some(isNews));
  return due.flatMap((rule) => brokenBy(rule, inputs));
}

/** Finds new or changed keys, passwords and variables of one line that end with a line break, as what a program reads from a file does. */
export function lineBreaks({ fields }: Kind, before: Properties, inputs: Properties): Failure[] {
  const secrets = Object.keys(fields).filter((name) => isAlwaysSecret(fields[name]));
  const texts = [
    ...secrets.map((name) => ({ path: [name], value: inputs[name] })),
    ...variablesIn(fields, inputs),
  ];
  const reason =
    "ends with a line break, as a file does: what gets it fails if it is a key, so remove it, as by trim()";
  return texts
    .filter(({ path, value }) => /^.+\r?\n$/.test(String(value)) && at(before, ...path) !== value)
    .map(({ path }) => ({ property: propertyPath(path), reason }));
}

/** Finds variables with the id of a secret of the program. Only a program in TypeScript gives a `Secret` itself for its reference. */
export function idsOfSecrets({ fields }: Kind, run: Run, inputs: Properties): Failure[] {
  const isSecret = (value: unknown) => kindOfUrn(run.owners.known(String(value))) === "Secret";
  const reason = "is the id of a Secret, and the container gets that id: write the reference of the Secret";
  return variablesIn(fields, inputs)
    .filter(({ value }) => isSecret(value))
    .map(({ path }) => ({ property: propertyPath(path), reason }));
}

/** Finds new or changed inputs that the service will probably refuse. Nothing when the service cannot be asked. */
export async function catalogWarnings(
  kind: Kind,
  run: Run,
  before: Properties,
  inputs: Properties,
): Promise<readonly Failure[]> {
  const { warnings } = kind;
  const changed = warnings?.about.some((name) => !isDeepStrictEqual(before[name], inputs[name]));
  if (!warnings || !changed || run.adopts(inputs)) return [];
  return (await asking(run)((api) => warnings.find(api, inputs))) ?? [];
}

/** What is wrong with inputs, and what the program means with them. The service is asked only about what is wrong. */
export async function withMistake(
  { mistake }: Kind,
  run: Run,
  inputs: Properties,
  wrong: readonly Failure[],
): Promise<readonly Failure[]> {
  const meant = wrong.length === 0 ? undefined : await mistake?.(inputs, asking(run));
  if (meant === undefined) return wrong;
  const isPart = ({ property }: Failure) => `${property}.`.startsWith(`${meant.property}.`);
  return [meant, ...wrong.filter((one) => !isPart(one))];
}

function asking(run: Run): Ask {
  return (look) => impatiently(async () => look(run.api())).catch(undefinedIfExpected);
}
