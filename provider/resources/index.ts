import type { Definition } from "../core/kind";
import type { KindName } from "../identity";
import type { Shape } from "../schema/shape";
import { cluster } from "./cluster";
import { clusterShape } from "./cluster/outputs";
import { globalVolume } from "./global-volume";
import { globalVolumeShape } from "./global-volume/outputs";
import { networkVolume } from "./network-volume";
import { networkVolumeShape } from "./network-volume/outputs";
import { pod } from "./pod";
import { podShape } from "./pod/outputs";
import { registryAuth } from "./registry-auth";
import { registryAuthShape } from "./registry-auth/outputs";
import { registryDelegation } from "./registry-delegation";
import { registryDelegationShape } from "./registry-delegation/outputs";
import { secret } from "./secret";
import { secretShape } from "./secret/outputs";
import { serverlessEndpoint } from "./serverless-endpoint";
import { serverlessEndpointShape } from "./serverless-endpoint/outputs";
import { sshKeys } from "./ssh-keys";
import { sshKeysShape } from "./ssh-keys/outputs";
import { template } from "./template";
import { templateShape } from "./template/outputs";

/** Every kind, by the name of its class. */
export const definitions = {
  Cluster: cluster,
  GlobalVolume: globalVolume,
  NetworkVolume: networkVolume,
  Pod: pod,
  RegistryAuth: registryAuth,
  RegistryDelegation: registryDelegation,
  Secret: secret,
  ServerlessEndpoint: serverlessEndpoint,
  SshKeys: sshKeys,
  Template: template,
} satisfies Record<KindName, Pick<Definition<unknown>, "noun" | "list" | "read">>;

/** The outputs that a program sees, for each kind. */
export const shapes: Record<KindName, Shape<Record<string, unknown>>> = {
  Cluster: clusterShape,
  GlobalVolume: globalVolumeShape,
  NetworkVolume: networkVolumeShape,
  Pod: podShape,
  RegistryAuth: registryAuthShape,
  RegistryDelegation: registryDelegationShape,
  Secret: secretShape,
  ServerlessEndpoint: serverlessEndpointShape,
  SshKeys: sshKeysShape,
  Template: templateShape,
};
