/**
 * podlumi/policy: policies of Pulumi (CrossGuard) for RunPod resources. Needs `@pulumi/policy`.
 *
 * @packageDocumentation
 */
export type { CostCapOptions } from "./cost";
export { maxHourlyCost, maxStackHourlyCost } from "./cost";
export type { PolicyOptions } from "./define";
export type { PodlumiPoliciesOptions } from "./pack";
export { podlumiPolicies } from "./pack";
export type { AllowedOptions } from "./placement";
export { allowedClouds, allowedDataCenters, allowedGpus } from "./placement";
export { protectedData } from "./protection";
export { noPlainTextSecrets } from "./secrets";
export type { IdleTimeoutOptions, MaxWorkersOptions } from "./settings";
export { maxWorkers, noPublicTemplates, requiredIdleTimeout } from "./settings";
export type { RequiredTagsOptions } from "./tags";
export { requiredTags } from "./tags";
