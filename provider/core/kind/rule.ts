import type { Properties } from "../value";
import type { Failure } from "./failure";

/** A rule between fields. It is skipped while a field in `needs` is unknown or invalid. */
export interface Rule {
  readonly needs: readonly string[];
  readonly check: (inputs: Properties) => Failure | readonly Failure[] | undefined;
  /**
   * It holds for the whole object: also for what the program leaves to others, or for that only, since podlumi sees to the program's own.
   * Without it, a rule is about what a program may say.
   */
  readonly ofObject?: "too" | "only";
  /** It is about the names in its fields, so it also holds while their values are unknown. */
  readonly ofNames?: true;
}

export function rule(needs: readonly string[], check: Rule["check"]): Rule {
  return { needs, check };
}

export function namesRule(needs: readonly string[], check: Rule["check"]): Rule {
  return { needs, check, ofNames: true };
}

export function objectRule(ofObject: "too" | "only", needs: readonly string[], check: Rule["check"]): Rule {
  return { needs, check, ofObject };
}

/** What a rule finds wrong. */
export function brokenBy({ check }: Rule, inputs: Properties): readonly Failure[] {
  return [check(inputs) ?? []].flat();
}
