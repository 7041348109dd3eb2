import type { EnforcementLevel, PolicyResourceOptions, ResourceValidationPolicy } from "@pulumi/policy";
import { kindOfType } from "../../provider/identity";

/** Options of every policy. */
export interface PolicyOptions {
  /** A violation fails the preview (`mandatory`), or warns (`advisory`). Default: the level of the pack. */
  enforcementLevel?: EnforcementLevel;
}

/** The arguments of a resource as a policy gets them: plain values. */
export type Properties = Readonly<Record<string, unknown>>;

/** The name of a policy, and its description in a list of policies. */
interface About extends PolicyOptions {
  name: string;
  description: string;
}

/** Checks the arguments of a resource, and the options of Pulumi. Each text says what is wrong and how to fix it. */
export type Look<P> = (
  properties: P,
  options: Pick<PolicyResourceOptions, "protect">,
) => Iterable<string> | Promise<Iterable<string>>;

/**
 * An adopted object keeps a property that the program does not declare, so a default decides nothing there.
 */
export function keptByAdopted(property: string, fix: string): string {
  return `${property} is not declared, so an adopted object keeps what it has, which is not known here: ${fix}`;
}

/** A policy for some kinds of resource, with a check for each kind. */
export function resourcePolicy(
  { name, description, enforcementLevel }: About,
  looks: Readonly<Record<string, Look<never>>>,
): ResourceValidationPolicy {
  return {
    name,
    description,
    ...(enforcementLevel && { enforcementLevel }),
    async validateResource({ type, props, opts }, report) {
      const look = looks[kindOfType(type) ?? ""] as Look<Properties> | undefined;
      for (const violation of (await look?.(props, opts)) ?? []) report(violation);
    },
  };
}
