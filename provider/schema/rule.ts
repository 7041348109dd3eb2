import { hasUnknown, isUnknown, type Properties } from "../value";
import type { Failure } from "./failure";

/** A rule between fields. It is skipped while a field in `needs` is invalid or unknown. */
export interface Rule {
  readonly needs: readonly string[];
  readonly check: (inputs: Properties) => Failure | readonly Failure[] | undefined;
  /** It holds for the whole object, `too` where the program leaves a field to others, or `only` there. Default: it is about the program. */
  readonly ofObject?: "too" | "only";
  /** It is also skipped while a value within its fields is unknown. Any other rule takes that neither for set nor for not set. */
  readonly isWhole?: true;
}

export function rule(needs: readonly string[], check: Rule["check"]): Rule {
  return { needs, check };
}

export function wholeRule(needs: readonly string[], check: Rule["check"]): Rule {
  return { needs, check, isWhole: true };
}

export function objectRule(ofObject: "too" | "only", of: Rule): Rule {
  return { ...of, ofObject };
}

/** An unknown value of the inputs may decide the rule. */
export function isOpen({ needs, isWhole }: Rule, inputs: Properties): boolean {
  return needs.some((name) => (isWhole ? hasUnknown : isUnknown)(inputs[name]));
}

export function brokenBy({ check }: Rule, inputs: Properties): readonly Failure[] {
  return [check(inputs) ?? []].flat();
}
