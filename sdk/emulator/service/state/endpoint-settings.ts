import type { ContainerInput } from "./container";
import { newContainer, withTemplate } from "./container";
import type { EndpointGpu, EndpointSettings, FlashBoot, Scaling } from "./endpoint";
import type { CpuRequest } from "./placement";
import { badRequest } from "./problem";
import type { Template } from "./templates";

export interface EndpointGpuInput {
  pools?: string[];
  excludedTypes?: string[];
  count?: number;
  allowedCudaVersions?: string[];
  /** An empty string removes the constraint. */
  minCudaVersion?: string;
}

interface EndpointInput extends ContainerInput {
  cpu?: CpuRequest[];
  workers?: { min?: number; max?: number; idleTimeout?: number };
  dataCenterIds?: string[];
  networkVolumes?: string[];
  globalVolumes?: string[];
  timeout?: number;
  flashboot?: FlashBoot;
  templateId?: string;
}

export interface CreateEndpoint extends EndpointInput {
  name: string;
  type: "QUEUE" | "LOAD_BALANCER";
  scaling: Scaling;
  gpu?: EndpointGpuInput & { pools: string[] };
}

export interface UpdateEndpoint extends EndpointInput {
  name?: string;
  scaling?: Scaling;
  gpu?: EndpointGpuInput;
}

/** The settings of a new endpoint, with defaults (API: Serverless, create). */
export function newSettings(input: CreateEndpoint, template: Template | undefined): EndpointSettings {
  if (Boolean(input.gpu) === Boolean(input.cpu)) throw badRequest("exactly one of gpu or cpu must be set");
  return {
    name: input.name,
    container: newContainer(withTemplate(input, template)),
    ...(input.gpu && { gpu: newGpu(input.gpu, template) }),
    ...(input.cpu && { cpu: input.cpu }),
    // assumes: value * /serverless*: *workers.*
    workers: { min: 0, max: 3, idleTimeout: 10, ...defined(input.workers) },
    scaling: input.scaling,
    // assumes: value * /serverless*: *dataCenterIds, *networkVolumes
    dataCenterIds: input.dataCenterIds ?? [],
    networkVolumes: input.networkVolumes ?? [],
    globalVolumes: input.globalVolumes ?? [],
    // assumes: value * /serverless*: *timeout
    timeout: input.timeout ?? 300_000,
    // assumes: value * /serverless*: *flashboot
    flashboot: input.flashboot ?? "OFF",
  };
}

/** The settings after a PATCH. Fields that the body leaves out stay unchanged (API: Serverless, update). */
export function patchSettings(
  current: EndpointSettings,
  input: UpdateEndpoint,
  template: Template | undefined,
): EndpointSettings {
  if (input.globalVolumes?.length && current.networkVolumes.length > 0)
    throw badRequest("detach the network volumes before you attach a global volume");
  if (input.networkVolumes?.length && current.globalVolumes.length > 0)
    throw badRequest("detach the global volume before you attach network volumes");
  if ((input.gpu && !current.gpu) || (input.cpu && !current.cpu))
    throw badRequest("the compute family of an endpoint cannot be changed");
  const { container, gpu, workers, ...rest } = current;
  return {
    ...rest,
    container: { ...container, ...withTemplate(input, template, container) },
    ...(gpu && { gpu: patchGpu(gpu, input.gpu) }),
    ...(input.cpu && { cpu: input.cpu }),
    workers: { ...workers, ...defined(input.workers) },
    ...defined({
      name: input.name,
      scaling: input.scaling,
      dataCenterIds: input.dataCenterIds,
      networkVolumes: input.networkVolumes,
      globalVolumes: input.globalVolumes,
      timeout: input.timeout,
      flashboot: input.flashboot,
    }),
  };
}

/** The template's CUDA versions apply unless the body has a constraint of its own. */
function newGpu(input: EndpointGpuInput & { pools: string[] }, template: Template | undefined): EndpointGpu {
  const inherited = input.minCudaVersion ? [] : (template?.allowedCudaVersions ?? []);
  return {
    ...selection(input.pools, input.excludedTypes),
    count: input.count ?? 1,
    allowedCudaVersions: input.allowedCudaVersions ?? inherited,
    minCudaVersion: input.minCudaVersion || null,
  };
}

/** `pools` and `excludedTypes` belong together: new pools without exclusions clear the old exclusions. */
function patchGpu(current: EndpointGpu, input: EndpointGpuInput = {}): EndpointGpu {
  const { excludedTypes, pools, ...rest } = current;
  return {
    ...(input.pools ? selection(input.pools, input.excludedTypes) : selection(pools, excludedTypes)),
    count: input.count ?? rest.count,
    allowedCudaVersions: input.allowedCudaVersions ?? rest.allowedCudaVersions,
    minCudaVersion: input.minCudaVersion === undefined ? rest.minCudaVersion : input.minCudaVersion || null,
  };
}

function selection(
  pools: string[],
  excludedTypes: string[] = [],
): Pick<EndpointGpu, "pools" | "excludedTypes"> {
  const trimmed = excludedTypes.map((type) => type.trim());
  return { pools, ...(trimmed.length > 0 && { excludedTypes: trimmed }) };
}

function defined<T extends object>(fields: T | undefined): Partial<{ [K in keyof T]: NonNullable<T[K]> }> {
  const given = Object.entries(fields ?? {}).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Partial<{ [K in keyof T]: NonNullable<T[K]> }>;
}
