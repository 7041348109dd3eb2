import type { Cloud } from "../catalog";
import { type ContainerInput, newContainer, withTemplate } from "./container";
import { newId } from "./ids";
import { checkMounts, type Mounts } from "./mounts";
import { type CpuRequest, type GpuRequest, memoryOf, place } from "./placement";
import type { PodRecord } from "./pod";
import { badRequest, Problem } from "./problem";
import type { Service } from "./service";
import type { Template } from "./templates";
import { Timeline } from "./timeline";

export interface CreatePod extends ContainerInput {
  name: string;
  gpu?: GpuRequest;
  cpu?: CpuRequest;
  cloud?: Cloud;
  dataCenterIds?: string[];
  globalNetworking?: boolean;
  mounts?: Mounts;
  startSsh?: boolean;
  startJupyter?: boolean;
  templateId?: string;
}

/** Bytes of the largest request that creates a pod. What it gets from its template counts, too (API: Pods, create). */
export const POD_BODY_LIMIT = 102_400;

export const podTooLarge = () => new Problem(413, `request body must not exceed ${POD_BODY_LIMIT} bytes`);

/** Most environment variables that a pod may have. */
const MAX_ENV = 50;

export function checkEnv(env: Record<string, string>): void {
  if (Object.keys(env).length > MAX_ENV)
    throw badRequest(`a pod has at most ${MAX_ENV} environment variables`);
}

/** A pod made from the request and its template. It has a data center, but has not booted (API: Pods, create). */
export function newPod(service: Service, input: CreatePod, showsTemplate: boolean): PodRecord {
  const template = service.templates.resolve(input.templateId, "pod");
  if (Boolean(input.gpu) === Boolean(input.cpu)) throw badRequest("exactly one of gpu or cpu must be set");
  const container = newContainer(withTemplate(input, template));
  service.containers.check(container);
  checkEnv(container.env);
  const mounts: Mounts = input.mounts ?? (input.gpu && template ? template.mounts : {});
  checkMounts(mounts, Boolean(input.cpu));

  // assumes: value * /pods*: *cloud
  const { cpu, cloud = "SECURE", dataCenterIds = [], globalNetworking = false } = input;
  const gpu = input.gpu && withTemplateCuda(input.gpu, template);
  const volumeId = mounts.network?.[0]?.volumeId;
  const where = place(service, { gpu, cpu, cloud, dataCenterIds, volumeId, globalNetworking });
  return {
    id: newId(14),
    name: input.name,
    container: structuredClone({
      ...container,
      env: { ...startEnv(service, input, template), ...container.env },
    }),
    ...(gpu && { gpu: { id: gpu.id, count: gpu.count ?? 1 } }),
    ...(cpu && { cpu: { ...cpu, memory: memoryOf(cpu) } }),
    cloud,
    ...where,
    mounts: structuredClone(mounts),
    template: input.templateId ?? null,
    showsTemplate,
    globalNetworking: { wanted: globalNetworking, ip: null },
    locked: false,
    createdAt: service.clock.now(),
    status: new Timeline(),
    boots: 0,
    bootEnv: {},
  };
}

/** Variables that the platform adds at create, unless the request sets them (API: Pods, startSsh, startJupyter). */
// assumes: variable * /pods*: PUBLIC_KEY, JUPYTER_PASSWORD
function startEnv(
  service: Service,
  input: CreatePod,
  template: Template | undefined,
): Record<string, string> {
  if (!service.injectEnv) return {};
  const keys = service.sshKeys.list();
  const ssh = (input.startSsh ?? template?.startSsh ?? false) && keys.length > 0;
  const jupyter = input.startJupyter ?? template?.startJupyter ?? false;
  return { ...(ssh && { PUBLIC_KEY: keys.join("\n") }), ...(jupyter && { JUPYTER_PASSWORD: newId(20) }) };
}

/** A CUDA field of the body replaces the template's constraint entirely (API: Pods, templateId). */
function withTemplateCuda(gpu: GpuRequest, template: Template | undefined): GpuRequest {
  const own = gpu.allowedCudaVersions !== undefined || gpu.minCudaVersion !== undefined;
  return own || !template ? gpu : { ...gpu, allowedCudaVersions: template.allowedCudaVersions };
}
