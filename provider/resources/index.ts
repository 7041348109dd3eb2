import type { Definition } from "../core/definition";
import type { KindName } from "../identity";
import { cluster } from "./cluster";
import { networkVolume } from "./network-volume";
import { pod } from "./pod";
import { registryAuth } from "./registry-auth";
import { registryDelegation } from "./registry-delegation";
import { secret } from "./secret";
import { serverlessEndpoint } from "./serverless-endpoint";
import { sshKeys } from "./ssh-keys";
import { template } from "./template";

/** Every kind, by the name of its class. */
export const definitions = {
  Cluster: cluster,
  NetworkVolume: networkVolume,
  Pod: pod,
  RegistryAuth: registryAuth,
  RegistryDelegation: registryDelegation,
  Secret: secret,
  ServerlessEndpoint: serverlessEndpoint,
  SshKeys: sshKeys,
  Template: template,
} satisfies Record<KindName, Pick<Definition<unknown>, "noun" | "list" | "read">>;
