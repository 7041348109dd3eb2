import type { Build, EndpointReleases, EndpointWorkers } from "../resources/serverless-endpoint/operations";
import type { Account } from "./account/types";
import type {
  BillingAmounts,
  BillingArgs,
  BillingReport,
  ClusterBillingAmounts,
  NetworkVolumeBillingAmounts,
  PodBillingAmounts,
  PublicEndpointBillingAmounts,
  ServerlessBillingAmounts,
} from "./billing/types";
import type {
  ById,
  CpuStockArgs,
  CpuType,
  DataCenter,
  DataCenterStockArgs,
  DataCentersArgs,
  GpuStockArgs,
  GpuType,
} from "./catalog/types";
import type { CheapestGpu, CheapestGpuArgs } from "./cheapest-gpu/types";
import type { OfBuild, OfEndpoint } from "./endpoints/types";
import type { Log, PodLogsArgs, WorkerLogsArgs } from "./logs/types";
import type {
  CatalogTemplatesArgs,
  FoundCluster,
  FoundGlobalVolume,
  FoundNetworkVolume,
  FoundPod,
  FoundRegistryAuth,
  FoundRegistryDelegation,
  FoundSecret,
  FoundServerlessEndpoint,
  FoundTemplate,
  ListedPod,
  ListedServerlessEndpoint,
  ListedTemplate,
  LookupArgs,
} from "./lookups/types";

export type NoArgs = Record<never, never>;

/** Both faces have all functions. They only read. */
export interface Functions {
  getGpuTypes(args: GpuStockArgs): GpuType[];
  getGpuType(args: ById & GpuStockArgs): GpuType;
  getCpuTypes(args: CpuStockArgs): CpuType[];
  getCpuType(args: ById & CpuStockArgs): CpuType;
  getDataCenters(args: DataCentersArgs): DataCenter[];
  getDataCenter(args: ById & DataCenterStockArgs): DataCenter;
  getCatalogTemplates(args: CatalogTemplatesArgs): FoundTemplate[];
  cheapestGpu(args: CheapestGpuArgs): CheapestGpu;

  // They find an object by its id or its name.
  getPod(args: LookupArgs): FoundPod;
  getServerlessEndpoint(args: LookupArgs): FoundServerlessEndpoint;
  getCluster(args: LookupArgs): FoundCluster;
  getNetworkVolume(args: LookupArgs): FoundNetworkVolume;
  getGlobalVolume(args: LookupArgs): FoundGlobalVolume;
  getTemplate(args: LookupArgs): FoundTemplate;
  getSecret(args: LookupArgs): FoundSecret;
  getRegistryAuth(args: LookupArgs): FoundRegistryAuth;
  getRegistryDelegation(args: LookupArgs): FoundRegistryDelegation;

  getPods(args: NoArgs): ListedPod[];
  getServerlessEndpoints(args: NoArgs): ListedServerlessEndpoint[];
  getClusters(args: NoArgs): FoundCluster[];
  getNetworkVolumes(args: NoArgs): FoundNetworkVolume[];
  getGlobalVolumes(args: NoArgs): FoundGlobalVolume[];
  getTemplates(args: NoArgs): ListedTemplate[];
  getSecrets(args: NoArgs): FoundSecret[];
  getRegistryAuths(args: NoArgs): FoundRegistryAuth[];
  getRegistryDelegations(args: NoArgs): FoundRegistryDelegation[];

  getBilling(args: BillingArgs): BillingReport<BillingAmounts>;
  getPodBilling(
    args: BillingArgs & { podId?: string },
  ): BillingReport<PodBillingAmounts, { podId: string }, { uniquePodCount: number }>;
  getServerlessBilling(
    args: BillingArgs & { serverlessId?: string },
  ): BillingReport<ServerlessBillingAmounts, { serverlessId: string }, { uniqueServerlessCount: number }>;
  getPublicEndpointBilling(args: BillingArgs): BillingReport<PublicEndpointBillingAmounts>;
  getNetworkVolumeBilling(
    args: BillingArgs & { networkVolumeId?: string },
  ): BillingReport<
    NetworkVolumeBillingAmounts,
    { networkVolumeId: string },
    { uniqueNetworkVolumeCount: number }
  >;
  getClusterBilling(
    args: BillingArgs & { clusterId?: string },
  ): BillingReport<ClusterBillingAmounts, { clusterId: string }, { uniqueClusterCount: number }>;

  getWorkers(args: OfEndpoint): EndpointWorkers;
  getReleases(args: OfEndpoint): EndpointReleases;
  getBuilds(args: OfEndpoint): Build[];
  getBuild(args: OfBuild): Build;

  getAccount(args: NoArgs): Account;
  getSshKeys(args: NoArgs): string[];

  getPodLogs(args: PodLogsArgs): Log;
  getWorkerLogs(args: WorkerLogsArgs): Log;
}

export type FunctionName = keyof Functions;
export type ArgsOf<Name extends FunctionName> = Parameters<Functions[Name]>[0];
export type ResultOf<Name extends FunctionName> = ReturnType<Functions[Name]>;

/** Properties of results that may hold secrets of somebody's program. */
const secretResults = {
  getPod: ["env"],
  getServerlessEndpoint: ["env"],
  getTemplate: ["env"],
  getReleases: ["releases"],
  getPodLogs: ["lines"],
  getWorkerLogs: ["lines"],
} as const;

type SecretResults = typeof secretResults;
export type SecretOf<Name extends FunctionName> = Extract<
  Name extends keyof SecretResults ? SecretResults[Name][number] : never,
  keyof ResultOf<Name>
>;

export function secretsOf<Name extends FunctionName>(name: Name) {
  return ((secretResults as Partial<Record<FunctionName, readonly string[]>>)[name] ??
    []) as readonly SecretOf<Name>[];
}
