/**
 * What the Pulumi engine calls. Every resource's state names this module and one of its exports, in a text that
 * the engine evaluates: `require("podlumi/provider").Pod`. The names never change.
 *
 * @packageDocumentation
 */
import { handler } from "./core/handler";
import { cluster } from "./resources/cluster";
import { networkVolume } from "./resources/network-volume";
import { pod } from "./resources/pod";
import { registryAuth } from "./resources/registry-auth";
import { registryDelegation } from "./resources/registry-delegation";
import { secret } from "./resources/secret";
import { serverlessEndpoint } from "./resources/serverless-endpoint";
import { sshKeys } from "./resources/ssh-keys";
import { template } from "./resources/template";
import { session } from "./session";

const current = session();

export const Cluster = handler(cluster, current);
export const NetworkVolume = handler(networkVolume, current);
export const Pod = handler(pod, current);
export const RegistryAuth = handler(registryAuth, current);
export const RegistryDelegation = handler(registryDelegation, current);
export const Secret = handler(secret, current);
export const ServerlessEndpoint = handler(serverlessEndpoint, current);
export const SshKeys = handler(sshKeys, current);
export const Template = handler(template, current);
