import { hasUnknown, isUnknown, type Properties } from "../value";
import type { Failure } from "./failure";

/** A rule between fields. It is skipped while a field in `needs` is invalid, or something in it is unknown. */
export interface Rule {
  readonly needs: readonly string[];
  readonly check: (inputs: Properties) => Failure | readonly Failure[] | undefined;
  /** It also holds while something within its fields is unknown, which it takes neither for set nor for not set. */
  readonly inPart?: true;
}

export function rule(needs: readonly string[], check: Rule["check"]): Rule {
  return { needs, check };
}

export function partialRule(needs: readonly string[], check: Rule["check"]): Rule {
  return { needs, check, inPart: true };
}

/** What is unknown in the inputs may decide a rule. */
export function isOpen({ needs, inPart }: Rule, inputs: Properties): boolean {
  return needs.some((name) => (inPart ? isUnknown : hasUnknown)(inputs[name]));
}

/** What a rule finds wrong. */
export function brokenBy({ check }: Rule, inputs: Properties): readonly Failure[] {
  return [check(inputs) ?? []].flat();
}
