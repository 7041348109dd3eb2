import { reading, readingOutput } from "./function";

/**
 * All pods of the account, without those of clusters. {@link getPod} has the `env` of one.
 *
 * @example
 * ```ts
 * const hourly = (await podlumi.getPods()).reduce((sum, { cost }) => sum + cost, 0);
 * ```
 */
export const getPods = reading("getPods");

/**
 * Like {@link getPods}, but returns an output.
 *
 * @example
 * ```ts
 * export const stopped = podlumi.getPodsOutput().apply((pods) => pods.filter(({ status }) => status === "EXITED").length);
 * ```
 */
export const getPodsOutput = readingOutput("getPods");

/**
 * All serverless endpoints of the account. {@link getServerlessEndpoint} has the `env` of one.
 *
 * @example
 * ```ts
 * const most = (await podlumi.getServerlessEndpoints()).reduce((sum, { workers }) => sum + workers.max, 0);
 * ```
 */
export const getServerlessEndpoints = reading("getServerlessEndpoints");

/**
 * Like {@link getServerlessEndpoints}, but returns an output.
 *
 * @example
 * ```ts
 * export const urls = podlumi.getServerlessEndpointsOutput().apply((all) => all.map(({ baseUrl }) => baseUrl));
 * ```
 */
export const getServerlessEndpointsOutput = readingOutput("getServerlessEndpoints");

/**
 * All clusters of the account, with their pods and what they cost.
 *
 * @example
 * ```ts
 * const pods = (await podlumi.getClusters()).flatMap(({ members }) => members);
 * ```
 */
export const getClusters = reading("getClusters");

/**
 * Like {@link getClusters}, but returns an output.
 *
 * @example
 * ```ts
 * export const clusters = podlumi.getClustersOutput().apply((all) => all.map(({ name }) => name));
 * ```
 */
export const getClustersOutput = readingOutput("getClusters");

/**
 * All network volumes of the account.
 *
 * @example
 * ```ts
 * const here = (await podlumi.getNetworkVolumes()).filter(({ dataCenter }) => dataCenter === "EU-RO-1");
 * ```
 */
export const getNetworkVolumes = reading("getNetworkVolumes");

/**
 * Like {@link getNetworkVolumes}, but returns an output.
 *
 * @example
 * ```ts
 * export const stored = podlumi.getNetworkVolumesOutput().apply((all) => all.reduce((sum, { size }) => sum + size, 0));
 * ```
 */
export const getNetworkVolumesOutput = readingOutput("getNetworkVolumes");

/**
 * All global volumes of the account. None where the service does not have them: they are a beta.
 *
 * @example
 * ```ts
 * const names = (await podlumi.getGlobalVolumes()).map(({ name }) => name);
 * ```
 */
export const getGlobalVolumes = reading("getGlobalVolumes");

/**
 * Like {@link getGlobalVolumes}, but returns an output.
 *
 * @example
 * ```ts
 * export const globalVolumes = podlumi.getGlobalVolumesOutput().apply((all) => all.length);
 * ```
 */
export const getGlobalVolumesOutput = readingOutput("getGlobalVolumes");

/**
 * All templates of the account. {@link getTemplate} has the `env` of one, and {@link getCatalogTemplates} lists those of others.
 *
 * @example
 * ```ts
 * const workers = (await podlumi.getTemplates()).filter(({ serverless }) => serverless);
 * ```
 */
export const getTemplates = reading("getTemplates");

/**
 * Like {@link getTemplates}, but returns an output.
 *
 * @example
 * ```ts
 * export const images = podlumi.getTemplatesOutput().apply((all) => all.map(({ image }) => image));
 * ```
 */
export const getTemplatesOutput = readingOutput("getTemplates");

/**
 * All secrets of the account. The service never returns their values. Fails where it does not list secrets, as some older ones.
 *
 * @example
 * ```ts
 * const hasToken = (await podlumi.getSecrets()).some(({ name }) => name === "hf_token");
 * ```
 */
export const getSecrets = reading("getSecrets");

/**
 * Like {@link getSecrets}, but returns an output.
 *
 * @example
 * ```ts
 * export const secrets = podlumi.getSecretsOutput().apply((all) => all.map(({ name }) => name));
 * ```
 */
export const getSecretsOutput = readingOutput("getSecrets");

/**
 * All registry credentials of the account. The service returns neither user names nor passwords.
 *
 * @example
 * ```ts
 * const ghcr = (await podlumi.getRegistryAuths()).find(({ name }) => name.startsWith("ghcr"));
 * ```
 */
export const getRegistryAuths = reading("getRegistryAuths");

/**
 * Like {@link getRegistryAuths}, but returns an output.
 *
 * @example
 * ```ts
 * export const logins = podlumi.getRegistryAuthsOutput().apply((all) => all.map(({ name }) => name));
 * ```
 */
export const getRegistryAuthsOutput = readingOutput("getRegistryAuths");

/**
 * All registry delegations of the account.
 *
 * @example
 * ```ts
 * const images = (await podlumi.getRegistryDelegations()).map(({ image }) => image);
 * ```
 */
export const getRegistryDelegations = reading("getRegistryDelegations");

/**
 * Like {@link getRegistryDelegations}, but returns an output.
 *
 * @example
 * ```ts
 * export const images = podlumi.getRegistryDelegationsOutput().apply((all) => all.map(({ image }) => image));
 * ```
 */
export const getRegistryDelegationsOutput = readingOutput("getRegistryDelegations");
