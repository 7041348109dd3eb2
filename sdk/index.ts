/**
 * podlumi: RunPod resources for Pulumi programs.
 *
 * @packageDocumentation
 */

export * from "./adopt";
export * from "./cluster";
export * from "./container";
export * from "./cost";
export * from "./functions";
export * from "./network-volume";
export * from "./pod";
export type { ProviderArgs } from "./provider";
export { Provider } from "./provider";
export * from "./registry-auth";
export * from "./registry-delegation";
export * from "./secret";
export * from "./serverless-endpoint";
export * from "./ssh-keys";
export * from "./template";
