import type { EnforcementLevel } from "@pulumi/policy";
import { PolicyPack } from "@pulumi/policy";
import type { Cloud } from "../../provider/resources/container/types";
import { maxHourlyCost, maxStackHourlyCost } from "./cost";
import { allowedClouds, allowedDataCenters, allowedGpus } from "./placement";
import { noPlainTextSecrets } from "./secrets";
import { maxWorkers, noPublicTemplates, requiredIdleTimeout } from "./settings";

/** What the pack holds a stack to. What is left out is not limited. */
export interface PodlumiPoliciesOptions {
  /** Whether a violation fails the preview. Default `mandatory`. A policy configuration of Pulumi can change it for each. */
  enforcementLevel?: EnforcementLevel;
  /** USD an hour, of each resource. */
  maxHourlyCost?: number;
  /** USD an hour, of all resources of the stack. */
  maxStackHourlyCost?: number;
  /** GPU types for pods and clusters, and pools for endpoints. */
  allowedGpus?: readonly string[];
  allowedClouds?: readonly Cloud[];
  /** Ids of data centers. */
  allowedDataCenters?: readonly string[];
  /** Of each endpoint. */
  maxWorkers?: number;
  /** Seconds. Endpoints have to say it in any case. */
  maxIdleTimeout?: number;
}

/**
 * A policy pack: templates are private, variables hold no plain-text secrets, endpoints have an idle time-out, and
 * everything is within the limits that are given. It is all that the program of a policy pack has to do; compose a
 * `PolicyPack` of your own from the functions beside it to choose.
 *
 * @example
 * ```ts
 * // policy/index.ts, beside a PulumiPolicy.yaml with `runtime: nodejs`; then: pulumi preview --policy-pack policy
 * import { podlumiPolicies } from "podlumi/policy";
 *
 * podlumiPolicies("team", { maxHourlyCost: 5, maxStackHourlyCost: 20, allowedClouds: ["SECURE"] });
 * ```
 */
export function podlumiPolicies(name: string, options: PodlumiPoliciesOptions = {}): PolicyPack {
  const { enforcementLevel = "mandatory", ...limits } = options;
  const limit = <T, Policy>(value: T | undefined, policy: (value: T) => Policy): Policy[] =>
    value === undefined ? [] : [policy(value)];
  return new PolicyPack(name, {
    enforcementLevel,
    policies: [
      noPublicTemplates(),
      noPlainTextSecrets(),
      requiredIdleTimeout({ max: limits.maxIdleTimeout }),
      ...limit(limits.maxHourlyCost, (usd) => maxHourlyCost({ usd })),
      ...limit(limits.maxStackHourlyCost, (usd) => maxStackHourlyCost({ usd })),
      ...limit(limits.allowedGpus, (allowed) => allowedGpus({ allowed })),
      ...limit(limits.allowedClouds, (allowed) => allowedClouds({ allowed })),
      ...limit(limits.allowedDataCenters, (allowed) => allowedDataCenters({ allowed })),
      ...limit(limits.maxWorkers, (max) => maxWorkers({ max })),
    ],
  });
}
