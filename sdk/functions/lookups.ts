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

/** Which one: by its id, or by its name, which then has to be the name of one only. */
export type LookupArgs = { id: string; name?: undefined } | { name: string; id?: undefined };

/** What the service answers of an object: the outputs of the resource, without what only a program can know. */
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
/** The outputs of a {@link Cluster} that the service answers: not the settings of its containers. */
export type FoundCluster = Found<
  ClusterState,
  "image" | "args" | "disk" | "env" | "ports" | "mounts" | "startSsh" | "startJupyter" | "dataCenterIds"
>;
/** The outputs of a {@link NetworkVolume}. */
export type FoundNetworkVolume = Found<NetworkVolumeState>;
/** The outputs of a {@link Template} that REST v2 answers. */
export type FoundTemplate = Found<TemplateState, "readme">;
/** The outputs of a {@link Secret} without its value, which the service never answers. */
export type FoundSecret = Found<SecretState, "value">;
/** The id and the name of a {@link RegistryAuth}, as the service answers no more. */
export type FoundRegistryAuth = Found<RegistryAuthState, "username" | "password">;
/** The outputs of a {@link RegistryDelegation}: the parts of the ARN, which the service does not answer as a whole. */
export type FoundRegistryDelegation = Found<RegistryDelegationState, "resource">;

/** Looked up each time, since the program may make or change it meanwhile. */
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
    // The readme that a read answers is that of a program, which a lookup has not.
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
 * A pod by its id or its name. Fails when there is none, and names those that come close, and when several have the
 * name. `env` holds plain values here, which may be secret.
 *
 * @example
 * ```ts
 * const { ssh } = await podlumi.getPod({ name: "trainer" });
 * ```
 */
export const getPod = lookup<FoundPod>("getPod", "Pod");

/**
 * {@link getPod} of outputs; `env` is a secret of its own.
 *
 * @example
 * ```ts
 * export const dataCenter = podlumi.getPodOutput({ name: "trainer" }).dataCenterId;
 * ```
 */
export const getPodOutput = ofOutputs(getPod, "env");

/**
 * A serverless endpoint by its id or its name. Fails when there is none, and names those that come close, and when
 * several have the name. `env` holds plain values here, which may be secret.
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
 * {@link getServerlessEndpoint} of outputs; `env` is a secret of its own.
 *
 * @example
 * ```ts
 * export const url = podlumi.getServerlessEndpointOutput({ name: "llm" }).requestUrls.runSync;
 * ```
 */
export const getServerlessEndpointOutput = ofOutputs(getServerlessEndpoint, "env");

/**
 * A cluster by its id or its name, with its pods and what they cost. Fails when there is none, and names those that
 * come close, and when several have the name. The service does not answer the settings of its containers.
 *
 * @example
 * ```ts
 * const { members } = await podlumi.getCluster({ name: "training" });
 * console.log(members.map(({ ssh }) => ssh.proxy?.command));
 * ```
 */
export const getCluster = lookup<FoundCluster>("getCluster", "Cluster");

/**
 * {@link getCluster} of outputs.
 *
 * @example
 * ```ts
 * export const running = podlumi.getClusterOutput({ name: "training" }).pods.apply((pods) => pods.byStatus.RUNNING);
 * ```
 */
export const getClusterOutput = ofOutputs(getCluster);

/**
 * A network volume by its id or its name. Fails when there is none, and names those that come close, and when several
 * have the name.
 *
 * @example
 * ```ts
 * const data = await podlumi.getNetworkVolume({ name: "data" });
 * ```
 */
export const getNetworkVolume = lookup<FoundNetworkVolume>("getNetworkVolume", "NetworkVolume");

/**
 * {@link getNetworkVolume} of outputs.
 *
 * @example
 * ```ts
 * const data = podlumi.getNetworkVolumeOutput({ name: "data" });
 * new podlumi.Pod("trainer", { image, gpu, mounts: { network: [{ volumeId: data.id, path: "/workspace" }] } });
 * ```
 */
export const getNetworkVolumeOutput = ofOutputs(getNetworkVolume);

/**
 * A template of the account by its name, or any that can be seen by its id. Fails when there is none, and names those
 * that come close. `env` holds plain values here, which may be secret. Templates of others: {@link getCatalogTemplates}.
 *
 * @example
 * ```ts
 * const { id } = await podlumi.getTemplate({ name: "vllm" });
 * ```
 */
export const getTemplate = lookup<FoundTemplate>("getTemplate", "Template");

/**
 * {@link getTemplate} of outputs; `env` is a secret of its own.
 *
 * @example
 * ```ts
 * new podlumi.Pod("notebook", { templateId: podlumi.getTemplateOutput({ name: "lab" }).id, gpu });
 * ```
 */
export const getTemplateOutput = ofOutputs(getTemplate, "env");

/**
 * A secret by its id or its name, without its value, which the service never answers. Fails when there is none, and
 * names those that come close.
 *
 * @example
 * ```ts
 * const { createdAt } = await podlumi.getSecret({ name: "hf_token" });
 * ```
 */
export const getSecret = lookup<FoundSecret>("getSecret", "Secret");

/**
 * {@link getSecret} of outputs.
 *
 * @example
 * ```ts
 * const token = podlumi.getSecretOutput({ name: "hf_token" });
 * const env = { HF_TOKEN: pulumi.interpolate`{{ RUNPOD_SECRET_${token.name} }}` };
 * ```
 */
export const getSecretOutput = ofOutputs(getSecret);

/**
 * A registry credential by its id or its name; the service answers neither user name nor password. Fails when there is
 * none, and names those that come close.
 *
 * @example
 * ```ts
 * const { id } = await podlumi.getRegistryAuth({ name: "ghcr" });
 * ```
 */
export const getRegistryAuth = lookup<FoundRegistryAuth>("getRegistryAuth", "RegistryAuth");

/**
 * {@link getRegistryAuth} of outputs.
 *
 * @example
 * ```ts
 * new podlumi.Pod("private", { image, gpu, registry: podlumi.getRegistryAuthOutput({ name: "ghcr" }).id });
 * ```
 */
export const getRegistryAuthOutput = ofOutputs(getRegistryAuth);

/**
 * A registry delegation by its id or its name. Fails when there is none, and names those that come close, and when
 * several have the name.
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
 * {@link getRegistryDelegation} of outputs.
 *
 * @example
 * ```ts
 * const worker = podlumi.getRegistryDelegationOutput({ name: "worker" });
 * const image = pulumi.interpolate`${worker.dockerRegistryUri}/${worker.repository}:${worker.tag}`;
 * ```
 */
export const getRegistryDelegationOutput = ofOutputs(getRegistryDelegation);

/** Which of the public templates. */
export interface CatalogTemplatesArgs {
  /** `official`: RunPod's own; `verified`: checked by RunPod; `community`: all others. Default `official`. */
  source?: "official" | "verified" | "community";
}

/**
 * The public templates, for pods and for endpoints (`serverless`); `templateId` takes their ids. (API: Catalog,
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
 * {@link getCatalogTemplates} of outputs.
 *
 * @example
 * ```ts
 * export const templates = podlumi.getCatalogTemplatesOutput({ source: "verified" }).apply((all) => all.length);
 * ```
 */
export const getCatalogTemplatesOutput = ofOutputs(getCatalogTemplates);
