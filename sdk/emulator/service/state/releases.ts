import { isDeepStrictEqual } from "node:util";
import type { EndpointSettings } from "./endpoint";
import { newId } from "./ids";

export interface DiffEntry {
  field: string;
  old: unknown;
  new: unknown;
}

export interface ReleaseRecord {
  id: string;
  version: number;
  createdAt: number;
  diff: DiffEntry[];
}

/** Settings of the workers. A change makes a release, which reaches each worker when it is replaced. */
const RELEASED: Record<string, (settings: EndpointSettings) => unknown> = {
  "template.imageName": ({ container }) => container.image,
  "template.dockerArgs": ({ container }) => container.args,
  "template.containerDiskInGb": ({ container }) => container.disk,
  "template.ports": ({ container }) => container.ports,
  "template.env": ({ container }) => container.env,
  "template.containerRegistryAuthId": ({ container }) => container.registry,
  gpuIds: ({ gpu }) => gpu && [...gpu.pools, ...(gpu.excludedTypes ?? []).map((type) => `-${type}`)],
  gpuCount: ({ gpu }) => gpu?.count,
  allowedCudaVersions: ({ gpu }) => gpu?.allowedCudaVersions,
  minCudaVersion: ({ gpu }) => gpu?.minCudaVersion,
  instanceIds: ({ cpu }) => cpu,
  locations: ({ dataCenterIds }) => dataCenterIds,
  networkVolumeIds: ({ networkVolumes }) => networkVolumes,
  globalVolumeIds: ({ globalVolumes }) => globalVolumes,
  flashBootType: ({ flashboot }) => flashboot,
};

/** Settings that apply at once. A change of these alone makes no release. */
const IMMEDIATE: Record<string, (settings: EndpointSettings) => unknown> = {
  name: ({ name }) => name,
  "workers.min": ({ workers }) => workers.min,
  "workers.max": ({ workers }) => workers.max,
  "workers.idleTimeout": ({ workers }) => workers.idleTimeout,
  scaling: ({ scaling }) => scaling,
  timeout: ({ timeout }) => timeout,
};

/** The release that a change makes. Undefined when it makes none. */
export function releaseOf(
  before: EndpointSettings,
  after: EndpointSettings,
  version: number,
  createdAt: number,
): ReleaseRecord | undefined {
  const released = diff(RELEASED, before, after);
  if (released.length === 0) return undefined;
  return { id: newId(8), version, createdAt, diff: [...diff(IMMEDIATE, before, after), ...released] };
}

function diff(
  fields: Record<string, (settings: EndpointSettings) => unknown>,
  before: EndpointSettings,
  after: EndpointSettings,
): DiffEntry[] {
  return Object.entries(fields).flatMap(([field, read]) => {
    const [old, current] = [read(before), read(after)];
    return isDeepStrictEqual(old, current) ? [] : [{ field, old: old ?? null, new: current ?? null }];
  });
}
