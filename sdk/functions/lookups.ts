import { reading, readingOutput } from "./function";

export type * from "../../provider/functions/lookups/types";

/**
 * A pod by its id or its name. Fails when there is none or several; the error suggests similar names. `env` holds plain
 * values here, which may be secret.
 *
 * @example
 * ```ts
 * const { ssh, urls } = await podlumi.getPod({ name: "trainer" });
 * ```
 */
export const getPod = reading("getPod");

/**
 * Like {@link getPod}, but takes and returns outputs. Its `env` is a separate secret output.
 *
 * @example
 * ```ts
 * export const dataCenter = podlumi.getPodOutput({ name: "trainer" }).dataCenterId;
 * ```
 */
export const getPodOutput = readingOutput("getPod");

/**
 * A serverless endpoint by its id or its name. Fails when there is none or several; the error suggests similar names.
 * `env` holds plain values here, which may be secret.
 *
 * @example
 * ```ts
 * const { requestUrls, openaiBaseUrl } = await podlumi.getServerlessEndpoint({ name: "llm" });
 * ```
 */
export const getServerlessEndpoint = reading("getServerlessEndpoint");

/**
 * Like {@link getServerlessEndpoint}, but takes and returns outputs. Its `env` is a separate secret output.
 *
 * @example
 * ```ts
 * export const url = podlumi.getServerlessEndpointOutput({ name: "llm" }).requestUrls.runSync;
 * ```
 */
export const getServerlessEndpointOutput = readingOutput("getServerlessEndpoint");

/**
 * A cluster by its id or its name, with its pods and what they cost. Fails when there is none or several; the error
 * suggests similar names. The service does not return the settings of its containers.
 *
 * @example
 * ```ts
 * const { members } = await podlumi.getCluster({ name: "training" });
 * console.log(members.map(({ ssh }) => ssh.proxy?.command));
 * ```
 */
export const getCluster = reading("getCluster");

/**
 * Like {@link getCluster}, but takes and returns outputs.
 *
 * @example
 * ```ts
 * export const running = podlumi.getClusterOutput({ name: "training" }).pods.apply((pods) => pods.byStatus.RUNNING);
 * ```
 */
export const getClusterOutput = readingOutput("getCluster");

/**
 * A network volume by its id or its name. Fails when there is none or several; the error suggests similar names.
 *
 * @example
 * ```ts
 * const data = await podlumi.getNetworkVolume({ name: "data" });
 * ```
 */
export const getNetworkVolume = reading("getNetworkVolume");

/**
 * Like {@link getNetworkVolume}, but takes and returns outputs.
 *
 * @example
 * ```ts
 * const data = podlumi.getNetworkVolumeOutput({ name: "data" });
 * new podlumi.Pod("trainer", { image, gpu, mounts: { network: [{ volumeId: data.id, path: "/workspace" }] } });
 * ```
 */
export const getNetworkVolumeOutput = readingOutput("getNetworkVolume");

/**
 * A global volume by its id or its name. Fails when there is none or several; the error suggests similar names. A beta of
 * the service.
 *
 * @example
 * ```ts
 * const models = await podlumi.getGlobalVolume({ name: "models" });
 * ```
 */
export const getGlobalVolume = reading("getGlobalVolume");

/**
 * Like {@link getGlobalVolume}, but takes and returns outputs.
 *
 * @example
 * ```ts
 * const models = podlumi.getGlobalVolumeOutput({ name: "models" });
 * new podlumi.ServerlessEndpoint("llm", { type: "QUEUE", image, gpu, scaling, globalVolumes: [models.id] });
 * ```
 */
export const getGlobalVolumeOutput = readingOutput("getGlobalVolume");

/**
 * A template by its id or its name. A name finds only templates of the account. An id finds any template that the account
 * can see; {@link getCatalogTemplates} lists those of others. Fails when there is none; the error suggests similar names.
 * `env` holds plain values here, which may be secret.
 *
 * @example
 * ```ts
 * const { id } = await podlumi.getTemplate({ name: "vllm" });
 * ```
 */
export const getTemplate = reading("getTemplate");

/**
 * Like {@link getTemplate}, but takes and returns outputs. Its `env` is a separate secret output.
 *
 * @example
 * ```ts
 * new podlumi.Pod("notebook", { templateId: podlumi.getTemplateOutput({ name: "lab" }).id, gpu });
 * ```
 */
export const getTemplateOutput = readingOutput("getTemplate");

/**
 * A secret by its id or its name. The service never returns its value. Fails when there is none; the error suggests
 * similar names.
 *
 * @example
 * ```ts
 * const { createdAt } = await podlumi.getSecret({ name: "hf_token" });
 * ```
 */
export const getSecret = reading("getSecret");

/**
 * Like {@link getSecret}, but takes and returns outputs.
 *
 * @example
 * ```ts
 * const token = podlumi.getSecretOutput({ name: "hf_token" });
 * const env = { HF_TOKEN: token.reference };
 * ```
 */
export const getSecretOutput = readingOutput("getSecret");

/**
 * A registry credential by its id or its name. The service returns neither user name nor password. Fails when there is
 * none; the error suggests similar names.
 *
 * @example
 * ```ts
 * const { id } = await podlumi.getRegistryAuth({ name: "ghcr" });
 * ```
 */
export const getRegistryAuth = reading("getRegistryAuth");

/**
 * Like {@link getRegistryAuth}, but takes and returns outputs.
 *
 * @example
 * ```ts
 * new podlumi.Pod("private", { image, gpu, registry: podlumi.getRegistryAuthOutput({ name: "ghcr" }).id });
 * ```
 */
export const getRegistryAuthOutput = readingOutput("getRegistryAuth");

/**
 * A registry delegation by its id or its name. Fails when there is none or several; the error suggests similar names.
 *
 * @example
 * ```ts
 * const { image, awsUser } = await podlumi.getRegistryDelegation({ name: "worker" });
 * ```
 */
export const getRegistryDelegation = reading("getRegistryDelegation");

/**
 * Like {@link getRegistryDelegation}, but takes and returns outputs.
 *
 * @example
 * ```ts
 * const { image } = podlumi.getRegistryDelegationOutput({ name: "worker" });
 * ```
 */
export const getRegistryDelegationOutput = readingOutput("getRegistryDelegation");
