import type { KindName } from "../../provider/identity";
import type { ClusterState } from "../cluster";
import type { NetworkVolumeState } from "../network-volume";
import type { PodState } from "../pod";
import type { RegistryAuthState } from "../registry-auth";
import type { RegistryDelegationState } from "../registry-delegation";
import type { SecretState } from "../secret";
import type { ServerlessEndpointState } from "../serverless-endpoint";
import type { TemplateState } from "../template";
import { ofOutputs, plain } from "./function";
import { listed } from "./listing";

/** Which object: by its id, or by its name. Only one object may have that name. */
export type LookupArgs = { id: string; name?: undefined } | { name: string; id?: undefined };

/** The outputs of a resource that the service answers, without those that only a program can know. */
type Found<State, Unanswered extends keyof State = never> = { id: string } & Omit<State, Unanswered>;

/** The outputs of a {@link Pod} that the service answers. */
export type FoundPod = Found<
  PodState,
  "dataCenterIds" | "placement" | "templateId" | "templateRevision" | "startSsh" | "startJupyter"
>;
/** The outputs of a {@link ServerlessEndpoint} that the service answers. */
export type FoundServerlessEndpoint = Found<
  ServerlessEndpointState,
  "templateId" | "templateRevision" | "verifiedRelease"
>;
/** The outputs of a {@link Cluster} that the service answers. The settings of its containers are not among them. */
export type FoundCluster = Found<
  ClusterState,
  "image" | "args" | "disk" | "env" | "ports" | "mounts" | "startSsh" | "startJupyter" | "dataCenterIds"
>;
/** The outputs of a {@link NetworkVolume}. */
export type FoundNetworkVolume = Found<NetworkVolumeState>;
/** The outputs of a {@link Template} that REST v2 answers. */
export type FoundTemplate = Found<TemplateState, "readme">;
/** The outputs of a {@link Secret} without its value: the service never answers it. */
export type FoundSecret = Found<SecretState, "value">;
/** The id and the name of a {@link RegistryAuth}: the service answers nothing else. */
export type FoundRegistryAuth = Found<RegistryAuthState, "username" | "password">;
/** The outputs of a {@link RegistryDelegation}. The service answers the parts of the ARN, not the whole ARN. */
export type FoundRegistryDelegation = Found<RegistryDelegationState, "resource">;

/** Asks the service each time, because the program may make or change the object during the run. */
function lookup<Result extends { id: string }>(name: string, kind: KindName) {
  return plain<LookupArgs, Result>(name, async ({ api, definitions, nearestName, ExpectedError }, args) => {
    const { noun, list, read } = definitions[kind];
    if (!args.id === !args.name)
      throw new ExpectedError(`give the id or the name of the ${noun}, one of them`, "PODLUMI-INVALID");
    const all = args.id ? [] : await list(api);
    if (all === undefined)
      throw new ExpectedError(`the service does not list its ${noun}s: give the id`, "PODLUMI-INVALID");
    const ids = all.filter((one) => one.name === args.name).map(({ id }) => id);
    if (ids.length > 1) {
      const several = `${ids.length} ${noun}s have the name "${args.name}": ${ids.join(", ")}`;
      throw new ExpectedError(`${several}. Give the id of the one that is meant`, "PODLUMI-AMBIGUOUS");
    }
    const id = args.id || ids[0];
    // A read answers the readme only for a state that has one. A lookup has no state.
    const { readme, ...found } = (id && (await read(api, id, {}))) || {};
    if ("id" in found) return found as Result;
    const [wanted, others] = args.id
      ? [`the id "${args.id}"`, ""]
      : [`the name "${args.name}"`, nearestName(String(args.name), all)];
    throw new ExpectedError(
      `there is no ${noun} with ${wanted} in this account${others}`,
      "PODLUMI-NOT-FOUND",
    );
  });
}

/**
 * A pod by its id or its name. Fails when there is none, or when several have the name. For a wrong name, the error
 * suggests similar ones. `env` holds plain values here, which may be secret.
 *
 * @example
 * ```ts
 * const { ssh } = await podlumi.getPod({ name: "trainer" });
 * ```
 */
export const getPod = lookup<FoundPod>("getPod", "Pod");

/**
 * Like {@link getPod}, but takes and returns outputs. Its `env` is a separate secret output.
 *
 * @example
 * ```ts
 * export const dataCenter = podlumi.getPodOutput({ name: "trainer" }).dataCenterId;
 * ```
 */
export const getPodOutput = ofOutputs(getPod, "env");

/**
 * A serverless endpoint by its id or its name. Fails when there is none, or when several have the name. For a wrong
 * name, the error suggests similar ones. `env` holds plain values here, which may be secret.
 *
 * @example
 * ```ts
 * const { requestUrls } = await podlumi.getServerlessEndpoint({ name: "llm" });
 * ```
 */
export const getServerlessEndpoint = lookup<FoundServerlessEndpoint>(
  "getServerlessEndpoint",
  "ServerlessEndpoint",
);

/**
 * Like {@link getServerlessEndpoint}, but takes and returns outputs. Its `env` is a separate secret output.
 *
 * @example
 * ```ts
 * export const url = podlumi.getServerlessEndpointOutput({ name: "llm" }).requestUrls.runSync;
 * ```
 */
export const getServerlessEndpointOutput = ofOutputs(getServerlessEndpoint, "env");

/**
 * A cluster by its id or its name, with its pods and what they cost. Fails when there is none, or when several have the
 * name. For a wrong name, the error suggests similar ones. The service does not answer the settings of its containers.
 *
 * @example
 * ```ts
 * const { members } = await podlumi.getCluster({ name: "training" });
 * console.log(members.map(({ ssh }) => ssh.proxy?.command));
 * ```
 */
export const getCluster = lookup<FoundCluster>("getCluster", "Cluster");

/**
 * Like {@link getCluster}, but takes and returns outputs.
 *
 * @example
 * ```ts
 * export const running = podlumi.getClusterOutput({ name: "training" }).pods.apply((pods) => pods.byStatus.RUNNING);
 * ```
 */
export const getClusterOutput = ofOutputs(getCluster);

/**
 * A network volume by its id or its name. Fails when there is none, or when several have the name. For a wrong name,
 * the error suggests similar ones.
 *
 * @example
 * ```ts
 * const data = await podlumi.getNetworkVolume({ name: "data" });
 * ```
 */
export const getNetworkVolume = lookup<FoundNetworkVolume>("getNetworkVolume", "NetworkVolume");

/**
 * Like {@link getNetworkVolume}, but takes and returns outputs.
 *
 * @example
 * ```ts
 * const data = podlumi.getNetworkVolumeOutput({ name: "data" });
 * new podlumi.Pod("trainer", { image, gpu, mounts: { network: [{ volumeId: data.id, path: "/workspace" }] } });
 * ```
 */
export const getNetworkVolumeOutput = ofOutputs(getNetworkVolume);

/**
 * A template by its id or its name. A name finds only templates of the account. An id finds any template that the
 * account can see; {@link getCatalogTemplates} lists those of others. Fails when there is none. For a wrong name, the
 * error suggests similar ones. `env` holds plain values here, which may be secret.
 *
 * @example
 * ```ts
 * const { id } = await podlumi.getTemplate({ name: "vllm" });
 * ```
 */
export const getTemplate = lookup<FoundTemplate>("getTemplate", "Template");

/**
 * Like {@link getTemplate}, but takes and returns outputs. Its `env` is a separate secret output.
 *
 * @example
 * ```ts
 * new podlumi.Pod("notebook", { templateId: podlumi.getTemplateOutput({ name: "lab" }).id, gpu });
 * ```
 */
export const getTemplateOutput = ofOutputs(getTemplate, "env");

/**
 * A secret by its id or its name. The service never answers its value. Fails when there is none. For a wrong name, the
 * error suggests similar ones.
 *
 * @example
 * ```ts
 * const { createdAt } = await podlumi.getSecret({ name: "hf_token" });
 * ```
 */
export const getSecret = lookup<FoundSecret>("getSecret", "Secret");

/**
 * Like {@link getSecret}, but takes and returns outputs.
 *
 * @example
 * ```ts
 * const token = podlumi.getSecretOutput({ name: "hf_token" });
 * const env = { HF_TOKEN: pulumi.interpolate`{{ RUNPOD_SECRET_${token.name} }}` };
 * ```
 */
export const getSecretOutput = ofOutputs(getSecret);

/**
 * A registry credential by its id or its name. The service answers neither user name nor password. Fails when there is
 * none. For a wrong name, the error suggests similar ones.
 *
 * @example
 * ```ts
 * const { id } = await podlumi.getRegistryAuth({ name: "ghcr" });
 * ```
 */
export const getRegistryAuth = lookup<FoundRegistryAuth>("getRegistryAuth", "RegistryAuth");

/**
 * Like {@link getRegistryAuth}, but takes and returns outputs.
 *
 * @example
 * ```ts
 * new podlumi.Pod("private", { image, gpu, registry: podlumi.getRegistryAuthOutput({ name: "ghcr" }).id });
 * ```
 */
export const getRegistryAuthOutput = ofOutputs(getRegistryAuth);

/**
 * A registry delegation by its id or its name. Fails when there is none, or when several have the name. For a wrong
 * name, the error suggests similar ones.
 *
 * @example
 * ```ts
 * const { dockerRegistryUri, repository, tag } = await podlumi.getRegistryDelegation({ name: "worker" });
 * ```
 */
export const getRegistryDelegation = lookup<FoundRegistryDelegation>(
  "getRegistryDelegation",
  "RegistryDelegation",
);

/**
 * Like {@link getRegistryDelegation}, but takes and returns outputs.
 *
 * @example
 * ```ts
 * const worker = podlumi.getRegistryDelegationOutput({ name: "worker" });
 * const image = pulumi.interpolate`${worker.dockerRegistryUri}/${worker.repository}:${worker.tag}`;
 * ```
 */
export const getRegistryDelegationOutput = ofOutputs(getRegistryDelegation);

/** Which public templates to list. */
export interface CatalogTemplatesArgs {
  /** `official`: RunPod's own; `verified`: checked by RunPod; `community`: all others. Default `official`. */
  source?: "official" | "verified" | "community";
}

/**
 * The public templates, for pods and for endpoints (`serverless`). Pass their ids as `templateId`. (API: Catalog,
 * templates)
 *
 * @example
 * ```ts
 * const lab = (await podlumi.getCatalogTemplates()).find(({ name }) => name === "PyTorch");
 * ```
 */
export const getCatalogTemplates = plain<CatalogTemplatesArgs, FoundTemplate[]>(
  "getCatalogTemplates",
  (service, args) => listed(service, "templates", args),
);

/**
 * Like {@link getCatalogTemplates}, but takes and returns outputs.
 *
 * @example
 * ```ts
 * export const templates = podlumi.getCatalogTemplatesOutput({ source: "verified" }).apply((all) => all.length);
 * ```
 */
export const getCatalogTemplatesOutput = ofOutputs(getCatalogTemplates);
