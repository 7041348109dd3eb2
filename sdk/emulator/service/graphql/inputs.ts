import type { FlashBoot } from "../state/endpoint";
import type { Mounts } from "../state/mounts";
import { badRequest } from "../state/problem";
import type { PortConfig } from "../state/templates";

type Maybe<T> = T | null | undefined;

/** The container fields of all inputs. Fields that an operation does not have stay undefined. */
export interface ContainerFields {
  imageName?: Maybe<string>;
  containerArgs?: Maybe<string>;
  dockerArgs?: Maybe<string>;
  containerDiskInGb?: Maybe<number>;
  env?: Maybe<Maybe<{ key: string; value: string }>[]>;
  ports?: Maybe<string>;
  volumeInGb?: Maybe<number>;
  volumeMountPath?: Maybe<string>;
  networkVolumeId?: Maybe<string>;
  containerRegistryAuthId?: Maybe<string>;
}

export interface DeployPodInput extends ContainerFields {
  cloudType?: Maybe<"SECURE" | "COMMUNITY" | "ALL">;
  gpuCount?: Maybe<number>;
  gpuTypeId?: Maybe<string>;
  gpuTypeIdList?: Maybe<Maybe<string>[]>;
  instanceId?: string;
  name?: Maybe<string>;
  allowedCudaVersions?: Maybe<Maybe<string>[]>;
  minCudaVersion?: Maybe<string>;
  dataCenterId?: Maybe<string>;
  templateId?: Maybe<string>;
  startSsh?: Maybe<boolean>;
  startJupyter?: Maybe<boolean>;
  globalNetwork?: Maybe<boolean>;
  computeType?: Maybe<"CPU" | "GPU">;
  countryCode?: Maybe<string>;
  cudaVersion?: Maybe<string>;
  instanceIds?: Maybe<Maybe<string>[]>;
  modelReferences?: Maybe<Maybe<string>[]>;
}

export interface SaveTemplateInput extends ContainerFields {
  id?: Maybe<string>;
  name: string;
  containerDiskInGb: number;
  volumeInGb: number;
  readme?: Maybe<string>;
  isServerless?: Maybe<boolean>;
  isPublic?: Maybe<boolean>;
  startSsh?: Maybe<boolean>;
  startJupyter?: Maybe<boolean>;
  category?: Maybe<"CPU" | "GPU" | "NVIDIA" | "AMD">;
  advancedStart?: Maybe<boolean>;
  startScript?: Maybe<string>;
  portsConfig?: Maybe<Maybe<PortConfig>[]>;
}

export interface SaveEndpointInput {
  id?: Maybe<string>;
  name: string;
  allowedCudaVersions?: Maybe<string>;
  env?: ContainerFields["env"];
  executionTimeoutMs?: Maybe<number>;
  flashBootType?: Maybe<FlashBoot>;
  gpuCount?: Maybe<number>;
  gpuIds?: Maybe<string>;
  hubReleaseId?: Maybe<string>;
  idleTimeout?: Maybe<number>;
  instanceIds?: Maybe<Maybe<string>[]>;
  locations?: Maybe<string>;
  minCudaVersion?: Maybe<string>;
  modelName?: Maybe<string>;
  modelReferences?: Maybe<Maybe<string>[]>;
  networkVolumeId?: Maybe<string>;
  networkVolumeIds?: Maybe<Maybe<{ networkVolumeId: string }>[]>;
  repo?: Maybe<object>;
  scalerType?: Maybe<string>;
  scalerValue?: Maybe<number>;
  template?: Maybe<Omit<SaveTemplateInput, "volumeInGb">>;
  templateId?: Maybe<string>;
  type?: Maybe<string>;
  workersMax?: Maybe<number>;
  workersMin?: Maybe<number>;
}

export const present = <T>(list: Maybe<Maybe<T>[]>): T[] | undefined =>
  list?.filter((item) => item !== null && item !== undefined);

/** The items of a list in one string, with commas between. */
export const listed = (text: Maybe<string>): string[] | undefined =>
  text
    ?.split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");

export function envOf(variables: ContainerFields["env"]): Record<string, string> | undefined {
  const env = present(variables)?.map(({ key, value }) => [key, value]);
  return env && (Object.fromEntries(env) as Record<string, string>);
}

/** Refuses models, because the emulated account has none. */
export function checkModels({
  modelName,
  modelReferences,
}: Pick<SaveEndpointInput, "modelName" | "modelReferences">): void {
  if (modelName || present(modelReferences)?.length) throw badRequest("Model Repo feature is not enabled");
}

/** The container settings in the emulator's own form. Null counts as not given, and so does an empty image. */
export function containerOf(input: ContainerFields) {
  return {
    image: input.imageName || undefined,
    args: input.containerArgs ?? input.dockerArgs ?? undefined,
    disk: input.containerDiskInGb ?? undefined,
    env: envOf(input.env),
    ports: listed(input.ports),
    registry: input.containerRegistryAuthId || undefined,
  };
}

/** REST takes no disk below 1 GB either. */
export function checkDisk({ containerDiskInGb }: ContainerFields): void {
  if (containerDiskInGb !== undefined && containerDiskInGb !== null && containerDiskInGb < 1)
    throw badRequest("containerDiskInGb must be at least 1");
}

/** The persistent volume on the host. 0 GB means none. The smallest size is 10 GB. */
export function persistentMount({ volumeInGb, volumeMountPath }: ContainerFields) {
  if (!volumeInGb) return {};
  if (volumeInGb < 10) throw badRequest("volumeInGb must be 0 or at least 10");
  return { persistent: { size: volumeInGb, path: volumeMountPath || "/workspace" } };
}

export function mountsOf(input: ContainerFields): Mounts {
  const { networkVolumeId, volumeMountPath } = input;
  if (!networkVolumeId) return persistentMount(input);
  return { network: [{ volumeId: networkVolumeId, path: volumeMountPath || "/workspace" }] };
}
