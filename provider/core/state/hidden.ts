import { hideAt } from "../../engine/log";
import { type FieldTable, isAlwaysSecret } from "../../schema/field";
import { isUnknown, type Properties, textsIn, unknownValue } from "../../value";
import type { Checking, Existing } from "../call";
import type { Run } from "../run";
import { secretsInput } from "./secret-outputs";

/**
 * Notes what is secret, so that nothing that is said of the resource has it, nor what is quoted of a container that got it. No text of
 * podlumi repeats what is sensitive anyway, and the variables of a container hide themselves.
 */
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

/**
 * Hides what is secret by the state in all that is said of a resource: no check comes before a refresh and before a destroy, and a check
 * does not tell what was secret before. Variables hide themselves.
 */
export function hideSecretsOf({ kind: { fields }, urn, state }: Existing): void {
  const { [secretsInput]: names } = state;
  if (!Array.isArray(names)) return;
  const hidden = names.filter((name) => !fields[name]?.shared);
  hideAt(
    urn,
    hidden.flatMap((name) => textsIn(state[name])),
  );
}

/**
 * Notes what the program no longer passes as a secret, and that still holds what was one: `ignoreChanges` keeps it. The host of dynamic
 * providers does not tell that of inputs.
 */
export function noteKeptSecrets(run: Run, state: Properties, news: Properties): void {
  const { [secretsInput]: before } = state;
  if (!Array.isArray(before)) return;
  const isKept = (name: string) => {
    const texts = new Set(textsIn(state[name]));
    return textsIn(news[name]).some((text) => texts.has(text));
  };
  run.record(news.__urn).secretsAre(before.filter(isKept));
}
