import type { Mounts } from "../state/mounts";
import { badRequest } from "../state/problem";

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
}

export const present = <T>(list: Maybe<Maybe<T>[]>): T[] | undefined =>
  list?.filter((item) => item !== null && item !== undefined);

/** The container settings in the emulator's own form. Null counts as not given. */
export function containerOf(input: ContainerFields) {
  const ports = input.ports
    ?.split(",")
    .map((port) => port.trim())
    .filter((port) => port !== "");
  const env = present(input.env)?.map(({ key, value }) => [key, value]);
  return {
    image: input.imageName ?? undefined,
    args: input.containerArgs ?? input.dockerArgs ?? undefined,
    disk: input.containerDiskInGb ?? undefined,
    env: env && (Object.fromEntries(env) as Record<string, string>),
    ports,
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
