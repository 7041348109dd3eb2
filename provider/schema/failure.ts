import type { CheckFailure } from "@pulumi/pulumi/dynamic";
import { withCode } from "../codes";
import { type Path, propertyPath } from "../path";

/** An invalid property, and a sentence that says how to fix it. */
export interface Failure {
  property: string;
  reason: string;
  /** The code of its entry in docs/troubleshooting.md. Default: `PODLUMI-INVALID`. */
  code?: string;
}

/** `place`: the property, or its path. */
export function invalid(place: string | Path, reason: string): Failure {
  return { property: typeof place === "string" ? place : propertyPath(place), reason };
}

/** Leaves out the checks that found nothing. */
export function failures(checks: readonly (Failure | undefined)[]): Failure[] {
  return checks.filter((failure) => failure !== undefined);
}

/** An error as the failure of a resource as a whole. */
export function failureOf({ message, code }: { readonly message: string; readonly code: string }): Failure {
  return { property: "", reason: message.replace(/\.$/, ""), code };
}

export function checkFailure({ property, reason, code = "PODLUMI-INVALID" }: Failure): CheckFailure {
  return { property, reason: withCode(reason, code) };
}

/** With the path in the text: beside a property, the engine prints the program's value, even a secret, and `{<nil>}` for nested values. */
export function printed({ property, reason }: CheckFailure): CheckFailure {
  return { property: "", reason: property === "" ? reason : `${property}: ${reason}` };
}

export function sentenceOf(failure: Failure): string {
  const { reason } = printed(failure);
  return reason.endsWith("?") ? reason : `${reason}.`;
}
