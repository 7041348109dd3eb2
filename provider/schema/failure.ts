import type { CheckFailure } from "@pulumi/pulumi/dynamic";
import { withCode } from "../codes";

/** An invalid property, and a sentence that says how to fix it. */
export interface Failure {
  property: string;
  reason: string;
  /** The code of its entry in docs/troubleshooting.md. Default: `PODLUMI-INVALID`. */
  code?: string;
}

/** A failure as the engine takes it. */
export function checkFailure({ property, reason, code = "PODLUMI-INVALID" }: Failure): CheckFailure {
  return { property, reason: withCode(reason, code) };
}

/**
 * A failure with its path in the text. Beside a property of its own, the engine prints the program's value, even a secret one, and
 * `{<nil>}` for all that is nested.
 */
export function printed({ property, reason }: CheckFailure): CheckFailure {
  return { property: "", reason: property === "" ? reason : `${property}: ${reason}` };
}

/** A failure as a sentence with its path. */
export function sentenceOf(failure: Failure): string {
  const { reason } = printed(failure);
  return reason.endsWith("?") ? reason : `${reason}.`;
}
