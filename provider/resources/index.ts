import { cluster } from "./cluster";
import { globalVolume } from "./global-volume";
import { networkVolume } from "./network-volume";
import { pod } from "./pod";
import { registryAuth } from "./registry-auth";
import { registryDelegation } from "./registry-delegation";
import { secret } from "./secret";
import { serverlessEndpoint } from "./serverless-endpoint";
import { sshKeys } from "./ssh-keys";
import { template } from "./template";

/**
 * Every kind, by the name of its class, which every state file has: the names never change. In the order of a deletion: what runs comes
 * first, then what it uses.
 */
export const definitions = {
  Pod: pod,
  Cluster: cluster,
  ServerlessEndpoint: serverlessEndpoint,
  Template: template,
  NetworkVolume: networkVolume,
  GlobalVolume: globalVolume,
  RegistryAuth: registryAuth,
  RegistryDelegation: registryDelegation,
  Secret: secret,
  SshKeys: sshKeys,
};

/** The kinds, by the names of their exports in `podlumi/provider`. */
export type KindName = keyof typeof definitions;
