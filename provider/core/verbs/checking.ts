import type { CheckResult } from "@pulumi/pulumi/dynamic";
import { discreetAt } from "../../engine/log";
import { type Path, propertyPath } from "../../path";
import { completed, withoutNulls, withoutReadOnly } from "../../schema/check";
import { checkFailure, type Failure } from "../../schema/failure";
import { isEmpty, isRecord, isUnknown, mapped, type Properties } from "../../value";
import { type Checking, resourceOf } from "../call";
import type { Run } from "../call/run";
import { provisionalInputs } from "../names/naming";
import { noteSecrets, secretsInput } from "../state/secrets";

/** Notes what the program says: without nulls, without outputs that it gave as arguments, and with the tags of its provider. */
export function beginCheck(
  kind: Checking["kind"],
  run: Run,
  olds: Properties | undefined,
  { __uses: uses, __kinds: kinds, [secretsInput]: secrets, ...given }: Properties,
): Checking {
  const before = isEmpty(olds) ? undefined : olds;
  const whole = withoutNulls(kind.fields, withIdsOfFound(run, given, uses));
  const writable = withoutReadOnly(kind.fields, kind.outputs.shape.outputs, whole);
  const resource = resourceOf(kind, run, run.tagged(kind, writable));
  resource.record.beginCheck(resource.inputs, before, secrets);
  const provisional = provisionalInputs(resource, before);
  const checking = { ...resource, kind, before, provisional, uses, kinds };
  noteSecrets(checking);
  return checking;
}

/** The inputs, with the ids of the objects that other resources adopt or take over: podlumi knows them before the engine does. */
function withIdsOfFound(run: Run, inputs: Properties, uses: unknown): Properties {
  if (!isRecord(uses)) return inputs;
  const filled = (value: unknown, path: Path): unknown => {
    if (isUnknown(value)) return run.record(uses[propertyPath(path)]).foundId ?? value;
    if (Array.isArray(value)) return value.map((item, index) => filled(item, [...path, index]));
    return isRecord(value) ? filledIn(value, path) : value;
  };
  const filledIn = (values: Properties, path: Path) =>
    mapped(values, (value, name) => filled(value, [...path, name]));
  return filledIn(inputs, []);
}

/** The result of a check, without what is secret. */
export function resultOf(
  { kind, urn }: Checking,
  inputs: Properties,
  failures: readonly Failure[],
): CheckResult {
  const discreet = failures
    .map(checkFailure)
    .map(({ property, reason }) => ({ property, reason: discreetAt(urn, reason) }));
  return { inputs: completed(kind.fields, inputs), failures: discreet };
}
