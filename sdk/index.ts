/**
 * podlumi: RunPod resources for Pulumi programs.
 *
 * @packageDocumentation
 */

export type * from "../provider/resources/container/types";
export type * from "../provider/resources/known/types";
export type * from "../provider/schema/arguments";
export * from "./cluster";
export * from "./cost";
export * from "./functions";
export * from "./global-volume";
export * from "./network-volume";
export * from "./pod";
export { Provider } from "./provider";
export type { ProviderArgs } from "./provider-settings";
export * from "./registry-auth";
export * from "./registry-delegation";
export * from "./secret";
export * from "./serverless-endpoint";
export * from "./ssh-keys";
export * from "./template";
