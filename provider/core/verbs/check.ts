import type { CheckResult } from "@pulumi/pulumi/dynamic";
import { NoAnswerError } from "../../client/errors";
import { discreetAt } from "../../engine/log";
import { completed, withoutNulls, withoutReadOnly } from "../../schema/check";
import { checkFailure, type Failure, failureOf } from "../../schema/failure";
import { isEmpty, type Properties } from "../../value";
import { type Checking, impatiently, resourceOf } from "../call";
import type { Run } from "../call/run";
import { claimName, faultsIn, findingsOf, warnOf } from "../guard/check";
import { declaredBy, usesInput, withIdsOfFound } from "../guard/references";
import { firstInputs, isNamedLater, settledInputs } from "../names/inputs";
import { noteSecrets, noteValueOfName } from "../state/hidden";
import { secretsInput } from "../state/secret-outputs";
import { kindsInput, lookAhead } from "./look-ahead";
import { previewOfNew } from "./preview";

/** Validates the inputs, fills in names and defaults, and finds what the service would refuse. */
export async function check(
  kind: Checking["kind"],
  run: Run,
  olds: Properties | undefined,
  { [usesInput]: uses, [kindsInput]: kinds, [secretsInput]: secrets, ...given }: Properties,
): Promise<CheckResult> {
  const checking = begin(kind, run, olds, withIdsOfFound(run, given, uses), secrets);
  const isFirst = run.isFirstCheck();
  const { record, before, first } = checking;
  const faults = await faultsIn(checking);
  if (faults.length > 0) return resultOf(checking, first, faults);

  if (isFirst && before === undefined) lookAhead(checking, kinds);
  const looked = await looksAt(checking, uses);
  if (looked instanceof NoAnswerError) return resultOf(checking, first, [failureOf(looked)]);
  const [preview, findings] = looked;
  const { name, takesOver = false } = preview;
  const news = before === undefined ? settledInputs(checking, name) : first;
  const failures = [
    ...(isNamedLater(checking) ? claimName(checking, news) : []),
    ...preview.failures,
    ...findings.always,
    // An object that exists already is not created, so the service refuses nothing.
    ...(takesOver ? [] : findings.ofObject),
  ];
  noteValueOfName(checking, news.name);
  warnOf(checking, failures.length === 0 ? findings.unlisted : []);
  const isCreated = before === undefined && !takesOver && !record.adopts(checking.inputs);
  record.declares(declaredBy(kind, before, news, isCreated));
  return resultOf(checking, news, failures);
}

/** Looks at the service, from all sides at once. A NoAnswerError where it answers nothing. */
function looksAt(checking: Checking, uses: unknown) {
  const looks = () => Promise.all([previewOf(checking), findingsOf(checking, uses)]);
  return checking.run.hearing.unlessSilent(looks).catch((error: unknown) => {
    if (error instanceof NoAnswerError) return error;
    throw error;
  });
}

function begin(
  kind: Checking["kind"],
  run: Run,
  olds: Properties | undefined,
  given: Properties,
  secrets: unknown,
): Checking {
  const before = isEmpty(olds) ? undefined : olds;
  const { fields, outputs } = kind;
  const resource = resourceOf(
    kind,
    run,
    withoutReadOnly(fields, outputs.shape.outputs, withoutNulls(fields, given)),
  );
  resource.record.checks(resource.inputs, before, secrets);
  const checking = { ...resource, kind, before, first: firstInputs(resource, before) };
  noteSecrets(checking);
  return checking;
}

/** A look at the service for a resource that has no object yet. */
async function previewOf(checking: Checking): ReturnType<typeof previewOfNew> {
  const { kind, run, before, inputs, first } = checking;
  const unseen = { name: first.name, failures: [] };
  if (before !== undefined) return unseen;
  const resource = impatiently({ ...checking, inputs: completed(kind.fields, inputs) });
  return run.look(kind, () => previewOfNew(resource), unseen);
}

/** The result without what is secret. */
function resultOf({ kind, urn }: Checking, inputs: Properties, failures: readonly Failure[]): CheckResult {
  const discreet = failures
    .map(checkFailure)
    .map(({ property, reason }) => ({ property, reason: discreetAt(urn, reason) }));
  return { inputs: completed(kind.fields, inputs), failures: discreet };
}
