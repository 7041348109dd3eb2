import { isDeepStrictEqual } from "node:util";
import { undefinedIfExpected } from "../../client/errors";
import { warn } from "../../engine/log";
import { kindOfUrn } from "../../identity";
import { at } from "../../path";
import { completed } from "../../schema/check";
import { type Failure, invalid } from "../../schema/failure";
import { isAlwaysSecret, variablesIn } from "../../schema/field";
import { unitOf } from "../../schema/schemas";
import type { Properties } from "../../value";
import type { Checking, Resource } from "../call";
import type { Ask, Kind } from "../kind";

/** Warns of new or changed inputs that are probably not what the program means. */
export function warnOfOddities(checking: Checking): void {
  const { kind, urn, before = {}, provisional } = checking;
  const odd = [
    ...shortTimes(kind, before, provisional),
    ...lineBreaks(kind, before, provisional),
    ...idsOfSecrets(checking, provisional),
  ];
  for (const { property, reason } of odd) warn(urn, `${property} ${reason}`, "PODLUMI-ODD");
}

/** Finds new or changed milliseconds that are probably meant as seconds, in which most times are. */
function shortTimes({ fields }: Kind, before: Properties, inputs: Properties): Failure[] {
  const isShort = (time: number) => time > 0 && time < 5_000;
  return Object.keys(fields)
    .filter((name) => unitOf(fields[name]?.schema) === "milliseconds" && isShort(Number(inputs[name])))
    .filter((name) => inputs[name] !== before[name])
    .map((name) => invalid(name, `is in milliseconds: ${inputs[name]} is ${Number(inputs[name]) / 1_000} s`));
}

/** Finds new or changed keys, passwords and variables of one line that end with a line break, as what a program reads from a file does. */
function lineBreaks({ fields }: Kind, before: Properties, inputs: Properties): Failure[] {
  const secrets = Object.keys(fields).filter((name) => isAlwaysSecret(fields[name]));
  const texts = [
    ...secrets.map((name) => ({ path: [name], value: inputs[name] })),
    ...variablesIn(fields, inputs),
  ];
  const reason =
    "ends with a line break, as a file does: what gets it fails if it is a key, so remove it, as by trim()";
  return texts
    .filter(({ path, value }) => /^.+\r?\n$/.test(String(value)) && at(before, ...path) !== value)
    .map(({ path }) => invalid(path, reason));
}

/** Finds variables with the id of a secret of the program. Only a program in TypeScript gives a `Secret` itself for its reference. */
function idsOfSecrets({ kind: { fields }, run }: Resource, inputs: Properties): Failure[] {
  const secrets = run.kinds.filter(({ naming }) => naming?.givesValue).map(({ type }) => type);
  const isSecret = (value: unknown) => secrets.includes(String(kindOfUrn(run.holders.of(String(value)))));
  const reason = "is the id of a Secret, and the container gets that id: write the reference of the Secret";
  return variablesIn(fields, inputs)
    .filter(({ value }) => isSecret(value))
    .map(({ path }) => invalid(path, reason));
}

/** Finds new or changed inputs that the service will probably refuse. Nothing when the service cannot be asked. */
export async function catalogWarnings(checking: Checking): Promise<readonly Failure[]> {
  const { kind, record, before = {}, provisional } = checking;
  const { warnings } = kind.advice ?? {};
  const inputs = completed(kind.fields, provisional);
  const changed = warnings?.about.some((name) => !isDeepStrictEqual(before[name], inputs[name]));
  if (!warnings || !changed || record.willAdopt(inputs)) return [];
  return (await asking(checking)((api) => warnings.find(api, inputs))) ?? [];
}

/** The faults of inputs, and the intent behind them. The service is asked only about what is wrong. */
export async function withMistake(
  resource: Resource,
  wrong: readonly Failure[],
): Promise<readonly Failure[]> {
  if (wrong.length === 0) return wrong;
  const meant = await resource.kind.advice?.mistake?.(resource.inputs, asking(resource));
  if (meant === undefined) return wrong;
  const isPart = ({ property }: Failure) => `${property}.`.startsWith(`${meant.property}.`);
  return [meant, ...wrong.filter((one) => !isPart(one))];
}

function asking({ api }: Resource): Ask {
  return async (look) => {
    try {
      return await look(api().impatient());
    } catch (error) {
      return undefinedIfExpected(error);
    }
  };
}
