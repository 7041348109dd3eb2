import { hideAt } from "../../engine/log";
import { type FieldTable, isAlwaysSecret, isDiscreet } from "../../schema/field";
import { isEmpty, isUnknown, type Properties, textsIn, unknownValue } from "../../value";
import type { Checking, Edit, Existing, Resource } from "../call";
import type { Run } from "../call/run";
import { LeavingError } from "../errors";
import type { Kind } from "../kind";
import { withSecrets } from "./secret-value";
import { inputsOf } from "./state";
import { unclearFields } from "./unfinished";

/** The names of inputs that are or hold secrets. Each face fills it in its way, and the state keeps it. */
export const secretsInput = "__secrets";

/** Hides secrets in all that is said of the resource, and in quotes of a container. An error hides sensitive fields and variables (errors.ts). */
export function noteSecrets({ kind: { fields }, run, record, urn, inputs, before = {} }: Checking): void {
  const textsOf = (names: readonly string[]) =>
    names.flatMap((name) => textsIn([inputs[name], before[name]])).filter((text) => !isUnknown(text));
  const here = record.secrets.filter((name) => !fields[name]?.shared);
  run.secrets.note(textsOf([...namesOfAlwaysSecret(fields), ...here]));
  hideAt(urn, textsOf(here.filter((name) => !fields[name]?.sensitive)));
}

const namesOfAlwaysSecret = (fields: FieldTable) =>
  Object.keys(fields).filter((name) => isAlwaysSecret(fields[name]));

/** Notes that the value is known to which the variables of containers refer by a name. */
export function noteValueOfName({ kind: { fields, naming }, run, inputs }: Checking, name: unknown): void {
  const isKnown = namesOfAlwaysSecret(fields).every((one) => !isUnknown(inputs[one] ?? unknownValue));
  if (naming?.givesValue && isKnown) run.secrets.noteName(String(name));
}

/** Hides the secrets of the state: no check comes before a refresh and a destroy. */
export function hideSecretsOf({ kind: { fields }, urn, state }: Existing): void {
  const { [secretsInput]: names } = state;
  if (!Array.isArray(names)) return;
  const texts = names.filter((name) => !fields[name]?.shared).flatMap((name) => textsIn(state[name]));
  hideAt(urn, texts);
}

/** `ignoreChanges` keeps a former secret that the program no longer passes as one. The host of dynamic providers does not tell that. */
export function noteKeptSecrets({ record, state, inputs }: Edit): void {
  const { [secretsInput]: before } = state;
  if (!Array.isArray(before)) return;
  const isKept = (name: string) => {
    const texts = new Set(textsIn(state[name]));
    return textsIn(inputs[name]).some((text) => texts.has(text));
  };
  record.noteSecrets(before.filter(isKept));
}

/** Wraps outputs that repeat something secret, also in the state of a failure. Pulumi wraps only those named as a secret input. */
export async function withSecretOutputs<Result extends { outs?: Properties }>(
  kind: Kind,
  run: Run,
  inputs: Properties,
  act: () => Promise<Result>,
): Promise<Result> {
  const own = run.record(inputs.__urn).secrets;
  const wrapped = (outs: Properties, former: readonly string[] = []) => {
    const secrets = [...new Set([...own, ...former])];
    const repeated = secretOutputs(kind, run, inputs, secrets);
    const names = [...former, ...repeated].filter((name) => !isEmpty(outs[name]));
    return withSecrets({ ...outs, [secretsInput]: secrets }, names);
  };
  try {
    const result = await act();
    return result.outs === undefined ? result : { ...result, outs: wrapped(result.outs) };
  } catch (error) {
    if (!(error instanceof LeavingError)) throw error;
    // An update that did a part of its work leaves the rest as it was, with what was a secret then.
    const former = error.properties[secretsInput] as readonly string[] | undefined;
    error.properties = wrapped(error.properties, former);
    throw error;
  }
}

/** Wraps values that are new in the state after a refresh. Pulumi keeps the others as secret as they are. */
export function withSecretsFound({ kind, run, state: before }: Existing, found: Properties): Properties {
  const { [secretsInput]: own } = before;
  const unclear = unclearFields(before);
  const isNew = (name: string) => unclear.includes(name) || (isEmpty(before[name]) && !isEmpty(found[name]));
  if (!Array.isArray(own) || !Object.keys(found).some(isNew)) return found;
  const repeated = secretOutputs(kind, run, inputsOf(before), own);
  return withSecrets(found, [...own.filter((name) => unclear.includes(name)), ...repeated.filter(isNew)]);
}

/** Inputs that became secret since the last change: the state has them in plain text until an update. */
export function becomeSecret({ kind: { fields }, record, state }: Edit): string[] {
  const { [secretsInput]: before } = state;
  if (!Array.isArray(before)) return [];
  return record.secrets.filter((name) => !before.includes(name) && !isAlwaysSecret(fields[name]));
}

/** Outputs that repeat a secret: an input of another name or form, or a setting of the template, if this run has checked that. */
export function secretOutputs(
  { fields, outputs: { repeats = {} } }: Kind,
  run: Run,
  inputs: Properties,
  own: readonly string[] = run.record(inputs.__urn).secrets,
): string[] {
  const repeated = Object.keys(repeats).filter((name) => own.includes(String(repeats[name])));
  const given = givenBy(fields, own);
  const id = inputs.templateId;
  if (typeof id !== "string") return [...repeated, ...given];
  const { isChecked, secrets } = run.record(run.holders.of(id));
  const ofTemplate = [...secrets, ...givenBy(fields, secrets)];
  const fromTemplate = (fields.templateId?.givesSettings ?? []).filter((setting) => {
    // Of a map, the state has only what the program gives.
    if (inputs[setting] !== undefined || fields[setting]?.shared) return false;
    return isChecked ? ofTemplate.includes(setting) : fields[setting]?.mayBeSecret;
  });
  return [...repeated, ...given, ...fromTemplate];
}

/** The fields that one of these sets, as in another form. */
function givenBy(fields: FieldTable, givers: readonly string[]): string[] {
  return Object.keys(fields).filter((name) => fields[name]?.givenBy?.some((by) => givers.includes(by)));
}

/** A message must not show the object's value of this argument: it may be a secret of the program, or an earlier one. */
export function isHidden({ kind, record }: Resource, name: string): boolean {
  const { [name]: field } = kind.fields;
  return (field !== undefined && isDiscreet(field)) || record.secrets.includes(name);
}
