import type { EnforcementLevel, PolicyPack } from "@pulumi/policy";
import type { Cloud } from "../../provider/resources/container/types";
import { mustHave } from "../optional-peer";
import { maxHourlyCost, maxStackHourlyCost } from "./cost";
import type { FormsOf } from "./options";
import { checked } from "./options";
import { allowedClouds, allowedDataCenters, allowedGpus } from "./placement";
import { protectedData } from "./protection";
import { noPlainTextSecrets } from "./secrets";
import { maxWorkers, noPublicTemplates, requiredIdleTimeout } from "./settings";
import { requiredTags } from "./tags";

/** The limits of a pack. A limit that is left out does not apply. */
export interface PodlumiPoliciesOptions {
  /** A violation fails the preview by `mandatory`, the default. Pulumi's configuration can change it per policy. */
  enforcementLevel?: EnforcementLevel;
  /** USD an hour, for each resource. */
  maxHourlyCost?: number;
  /** USD an hour, for all resources of the stack together. */
  maxStackHourlyCost?: number;
  /** GPU types for pods and clusters, and pools for endpoints. */
  allowedGpus?: readonly string[];
  /** Clouds of pods. */
  allowedClouds?: readonly Cloud[];
  /** Ids of data centers. */
  allowedDataCenters?: readonly string[];
  /** Workers of each endpoint. */
  maxWorkers?: number;
  /** Seconds. Without this limit, endpoints still have to set an idle timeout. */
  maxIdleTimeout?: number;
  /** Keys of the tags that pods, endpoints, clusters and network volumes must have. */
  requiredTags?: readonly string[];
  /** Resources that hold data need the resource option `protect`. Default false. */
  protectedData?: boolean;
}

/** The compiler asks for each limit: one without a form would be refused. */
const forms: Required<FormsOf<PodlumiPoliciesOptions>> = {
  enforcementLevel: "level",
  maxHourlyCost: "number",
  maxStackHourlyCost: "number",
  allowedGpus: "texts",
  allowedClouds: "texts",
  allowedDataCenters: "texts",
  maxWorkers: "number",
  maxIdleTimeout: "number",
  requiredTags: "texts",
  protectedData: "flag",
};

/**
 * A policy pack: templates are private, variables hold no plain-text secrets, endpoints have an idle timeout, and
 * everything is within the given limits. Policies see what the program declares, not what somebody changes by hand.
 * This call is the whole program of a policy pack. To choose policies yourself, create a `PolicyPack` from the other
 * functions of this module.
 *
 * @throws `RunError` for an unknown limit or a value of the wrong type, since neither would limit anything.
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
  const { enforcementLevel = "mandatory", ...limits } = checked("podlumiPolicies", options, {}, forms);
  const limit = <T, Policy>(value: T | undefined, policy: (value: T) => Policy): Policy[] =>
    value === undefined ? [] : [policy(value)];
  mustHave("@pulumi/policy", "a policy pack", "npm install --save-dev @pulumi/policy", "PODLUMI-NO-POLICY");
  // Loaded here, so that a missing package is told in words.
  const { PolicyPack } = require("@pulumi/policy") as typeof import("@pulumi/policy");
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
      ...limit(limits.requiredTags, (keys) => requiredTags({ keys })),
      ...(limits.protectedData ? [protectedData()] : []),
    ],
  });
}
