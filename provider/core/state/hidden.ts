import { hideAt } from "../../engine/log";
import { type FieldTable, isAlwaysSecret } from "../../schema/field";
import { isUnknown, textsIn, unknownValue } from "../../value";
import type { Checking, Edit, Existing } from "../call";
import { secretsInput } from "./secret-outputs";

/** Hides secrets in all that is said of the resource, and in quotes of a container. Sensitive fields and variables hide themselves. */
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

/** Hides the secrets of the state: no check comes before a refresh and a destroy. Variables hide themselves. */
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
  record.secretsAre(before.filter(isKept));
}
