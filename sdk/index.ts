/**
 * podlumi: RunPod resources for Pulumi programs.
 *
 * @packageDocumentation
 */

export type * from "./adopt";
export * from "./cluster";
export type * from "./container";
export * from "./cost";
export * from "./functions";
export * from "./network-volume";
export * from "./pod";
export { Provider, type ProviderArgs } from "./provider";
export * from "./registry-auth";
export * from "./registry-delegation";
export * from "./secret";
export * from "./serverless-endpoint";
export * from "./ssh-keys";
export * from "./template";
