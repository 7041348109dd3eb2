import type { EnforcementLevel, ResourceValidationPolicy } from "@pulumi/policy";
import type { KindName } from "../../provider/identity";
import { kindOfType } from "../../provider/identity";

/** What every policy takes beside its own. */
export interface PolicyOptions {
  /** Whether a violation fails the preview (`mandatory`) or warns (`advisory`). Default: the pack's. */
  enforcementLevel?: EnforcementLevel;
}

/** The arguments of a resource as a policy gets them: plain values. */
export type Properties = Readonly<Record<string, unknown>>;

/** What a policy is called, and what it says in a list of policies. */
interface About extends PolicyOptions {
  name: string;
  description: string;
}

/** Looks at the arguments of a resource and tells what is wrong with them, and how to mend it. */
export type Look<P> = (properties: P) => Iterable<string> | Promise<Iterable<string>>;

/** A policy for some kinds of resource, each with its own look. */
export function resourcePolicy(
  { name, description, enforcementLevel }: About,
  looks: Partial<Record<KindName, Look<never>>>,
): ResourceValidationPolicy {
  return {
    name,
    description,
    ...(enforcementLevel && { enforcementLevel }),
    async validateResource({ type, props }, report) {
      const look = looks[kindOfType(type) as KindName] as Look<Properties> | undefined;
      for (const violation of (await look?.(props)) ?? []) report(violation);
    },
  };
}
