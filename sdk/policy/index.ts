/**
 * podlumi/policy: policies of Pulumi (CrossGuard) for RunPod resources. Needs `@pulumi/policy`.
 *
 * @packageDocumentation
 */
export { type CostCapOptions, maxHourlyCost, maxStackHourlyCost } from "./cost";
export type { PolicyOptions } from "./define";
export { type PodlumiPoliciesOptions, podlumiPolicies } from "./pack";
export { type AllowedOptions, allowedClouds, allowedDataCenters, allowedGpus } from "./placement";
export { noPlainTextSecrets } from "./secrets";
export {
  type IdleTimeoutOptions,
  type MaxWorkersOptions,
  maxWorkers,
  noPublicTemplates,
  requiredIdleTimeout,
} from "./settings";
