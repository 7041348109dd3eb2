import type { CheckResult } from "@pulumi/pulumi/dynamic";
import { NoAnswerError } from "../../client/errors";
import { failureOf } from "../../schema/failure";
import { filtered, mapped, type Properties } from "../../value";
import type { Checking } from "../call";
import type { Run } from "../call/run";
import { claimName, faultsIn, findingsOf, warnOf } from "../guard/check";
import { isNamedLater, settledInputs } from "../names/naming";
import { noteValueOfName } from "../state/secrets";
import { beginCheck, resultOf } from "./checking";
import { lookAhead } from "./look-ahead";
import { previewOf } from "./preview";

/** Validates the inputs, fills in names and defaults, and finds what the service would refuse. */
export async function check(
  kind: Checking["kind"],
  run: Run,
  olds: Properties | undefined,
  given: Properties,
): Promise<CheckResult> {
  const checking = beginCheck(kind, run, olds, given);
  const { record, before, provisional } = checking;
  const faults = await faultsIn(checking);
  if (faults.length > 0) return resultOf(checking, provisional, faults);

  if (before === undefined) lookAhead(checking);
  const looked = await looksAt(checking);
  if (looked instanceof NoAnswerError) return resultOf(checking, provisional, [failureOf(looked)]);
  const [preview, findings] = looked;
  const { name, takesOver = false } = preview;
  const news = before === undefined ? settledInputs(checking, name) : provisional;
  const failures = [
    ...(isNamedLater(checking) ? claimName(checking, news) : []),
    ...preview.failures,
    ...findings.always,
    // An object that exists already is not created, so these refusals do not concern it.
    ...(takesOver ? [] : findings.ofObject),
  ];
  noteValueOfName(checking, news.name);
  warnOf(checking, failures.length === 0 ? findings.unlisted : []);
  const isCreated = before === undefined && !takesOver && !record.willAdopt(checking.inputs);
  // What the program leaves out has its cleared value in a new object, and where the program had it before.
  const leftOut = filtered(kind.fields, (field) => isCreated || before?.[field] !== undefined);
  record.noteDeclared({ ...mapped(leftOut, ({ cleared }) => cleared), ...news });
  return resultOf(checking, news, failures);
}

/** Looks at the service, from all sides at once. A NoAnswerError where it answers nothing. */
function looksAt(checking: Checking) {
  const looks = () => Promise.all([previewOf(checking), findingsOf(checking)]);
  return checking.run.hearing.unlessSilent(looks).catch((error: unknown) => {
    if (error instanceof NoAnswerError) return error;
    throw error;
  });
}
