import type { ClusterState } from "../../resources/cluster/types";
import type { GlobalVolumeState } from "../../resources/global-volume/types";
import type { NetworkVolumeState } from "../../resources/network-volume/types";
import type { PodState } from "../../resources/pod/types";
import type { RegistryAuthState } from "../../resources/registry-auth/types";
import type { RegistryDelegationState } from "../../resources/registry-delegation/types";
import type { SecretReference, SecretState } from "../../resources/secret/types";
import type { ServerlessEndpointState } from "../../resources/serverless-endpoint/types";
import type { TemplateState } from "../../resources/template/types";

/** An object by its id, or by its name. Only one object may have that name. */
export type LookupArgs = { id: string; name?: undefined } | { name: string; id?: undefined };

/** The outputs of a resource that the service returns, without those that only a program can know. */
type Found<State, Unanswered extends keyof State = never> = { id: string } & Omit<State, Unanswered>;

/** The outputs of a {@link Pod} that the service returns. */
export type FoundPod = Found<
  PodState,
  "dataCenterIds" | "placement" | "templateId" | "templateRevision" | "startSsh" | "startJupyter"
>;
/** The outputs of a {@link ServerlessEndpoint} that the service returns. */
export type FoundServerlessEndpoint = Found<
  ServerlessEndpointState,
  "templateId" | "templateRevision" | "verifiedRelease"
>;
/** The outputs of a {@link Cluster} that the service returns. The settings of its containers are not among them. */
export type FoundCluster = Found<
  ClusterState,
  | "image"
  | "args"
  | "entrypoint"
  | "cmd"
  | "disk"
  | "env"
  | "ports"
  | "mounts"
  | "startSsh"
  | "startJupyter"
  | "templateId"
  | "templateRevision"
  | "dataCenterIds"
>;
/** The outputs of a {@link NetworkVolume}. */
export type FoundNetworkVolume = Found<NetworkVolumeState>;
/** The outputs of a {@link GlobalVolume}. */
export type FoundGlobalVolume = Found<GlobalVolumeState>;
/** The outputs of a {@link Template} that REST v2 returns. */
export type FoundTemplate = Found<TemplateState, "readme">;
/** The outputs of a {@link Secret} without its value: the service never returns it. */
export type FoundSecret = Found<SecretState, "value"> & SecretReference;
/** The id and the name of a {@link RegistryAuth}: the service returns nothing else. */
export type FoundRegistryAuth = Found<RegistryAuthState, "username" | "password">;
/** The outputs of a {@link RegistryDelegation}. The service returns the parts of the ARN, not the whole ARN. */
export type FoundRegistryDelegation = Found<RegistryDelegationState, "resource">;

/** A {@link Pod} in a list: what {@link getPod} returns, without `env`. */
export type ListedPod = Found<FoundPod, "env">;
/** A {@link ServerlessEndpoint} in a list: what {@link getServerlessEndpoint} returns, without `env`. */
export type ListedServerlessEndpoint = Found<FoundServerlessEndpoint, "env">;
/** A {@link Template} in a list: what {@link getTemplate} returns, without `env`. */
export type ListedTemplate = Found<FoundTemplate, "env">;

/** The public templates to list. */
export interface CatalogTemplatesArgs {
  /** `official`: RunPod's own; `verified`: checked by RunPod; `community`: all others. Default `official`. */
  source?: "official" | "verified" | "community";
}
