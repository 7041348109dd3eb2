import type { CheckResult } from "@pulumi/pulumi/dynamic";
import { discreetAt } from "../../engine/log";
import { completed, withoutNulls, withoutReadOnly } from "../../schema/check";
import { checkFailure, type Failure } from "../../schema/failure";
import { isEmpty, type Properties } from "../../value";
import { type Checking, resourceOf } from "../call";
import type { Run } from "../call/run";
import { usesInput, withIdsOfFound } from "../guard/references";
import { firstInputs } from "../names/inputs";
import { noteSecrets } from "../state/hidden";
import { secretsInput } from "../state/secret-outputs";
import { kindsInput } from "./look-ahead";

/** A check that has begun, and what a program in TypeScript tells beside its arguments. */
interface Begun {
  readonly checking: Checking;
  readonly uses: unknown;
  readonly kinds: unknown;
}

/** Notes what the program says: without nulls, without outputs that it gave as arguments, and with the tags of its provider. */
export function beginCheck(
  kind: Checking["kind"],
  run: Run,
  olds: Properties | undefined,
  { [usesInput]: uses, [kindsInput]: kinds, [secretsInput]: secrets, ...given }: Properties,
): Begun {
  const before = isEmpty(olds) ? undefined : olds;
  const whole = withoutNulls(kind.fields, withIdsOfFound(run, given, uses));
  const writable = withoutReadOnly(kind.fields, kind.outputs.shape.outputs, whole);
  const resource = resourceOf(kind, run, run.tagged(kind, writable));
  resource.record.checks(resource.inputs, before, secrets);
  const checking = { ...resource, kind, before, first: firstInputs(resource, before) };
  noteSecrets(checking);
  return { checking, uses, kinds };
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
