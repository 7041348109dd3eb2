/**
 * podlumi/plugin: the same classes, arguments, outputs and functions as `podlumi`. The plugin `pulumi-resource-podlumi`
 * serves them instead of Pulumi's host of dynamic providers.
 *
 * @packageDocumentation
 */
import * as podlumi from "../index";
import { ofPlugin } from "./face";

export * from "../index";

export const Cluster = ofPlugin(podlumi.Cluster);
export type Cluster = podlumi.Cluster;
export const GlobalVolume = ofPlugin(podlumi.GlobalVolume);
export type GlobalVolume = podlumi.GlobalVolume;
export const NetworkVolume = ofPlugin(podlumi.NetworkVolume);
export type NetworkVolume = podlumi.NetworkVolume;
export const Pod = ofPlugin(podlumi.Pod);
export type Pod = podlumi.Pod;
export const RegistryAuth = ofPlugin(podlumi.RegistryAuth);
export type RegistryAuth = podlumi.RegistryAuth;
export const RegistryDelegation = ofPlugin(podlumi.RegistryDelegation);
export type RegistryDelegation = podlumi.RegistryDelegation;
export const Secret = ofPlugin(podlumi.Secret);
export type Secret = podlumi.Secret;
export const ServerlessEndpoint = ofPlugin(podlumi.ServerlessEndpoint);
export type ServerlessEndpoint<Type extends podlumi.EndpointType = podlumi.EndpointType> =
  podlumi.ServerlessEndpoint<Type>;
export const SshKeys = ofPlugin(podlumi.SshKeys, "ssh-keys");
export type SshKeys = podlumi.SshKeys;
export const Template = ofPlugin(podlumi.Template);
export type Template = podlumi.Template;

export { Provider } from "./provider";
