import { type Cloud, dataCenters } from "../catalog";
import type { CreatePod } from "../state/new-pod";
import { instanceOf } from "../state/placement";
import type { Pod } from "../state/pod";
import { badRequest, conflict, NO_CAPACITY, noCapacity, notFound, Problem } from "../state/problem";
import type { Service } from "../state/service";
import {
  type ContainerFields,
  checkDisk,
  checkModels,
  containerOf,
  type DeployPodInput,
  mountsOf,
  persistentMount,
  present,
} from "./inputs";

/** Tries the GPU types and clouds of the request, or its CPU instances, in order. Only GraphQL takes several of them. */
export function deployPod(service: Service, input: DeployPodInput): Pod {
  const instances = present(input.instanceIds) ?? [];
  if (input.computeType === "CPU" && instances.length === 0)
    throw badRequest("instanceIds is required for a CPU pod");
  if (input.computeType === "CPU")
    return firstThatFits(instances, (id) => deploy(service, input, { cpu: instanceOf(id) }));
  // Clients send an empty list where they mean none.
  const listed = present(input.gpuTypeIdList) ?? [];
  const types = listed.length > 0 ? listed : input.gpuTypeId ? [input.gpuTypeId] : [];
  if (types.length === 0) throw badRequest("gpuTypeId is required");
  const clouds: Cloud[] =
    !input.cloudType || input.cloudType === "ALL" ? ["SECURE", "COMMUNITY"] : [input.cloudType];
  const candidates = types.flatMap((id) => clouds.map((cloud) => ({ id, cloud })));
  const versions = present(input.allowedCudaVersions);
  const cuda = {
    allowedCudaVersions: versions?.length || !input.cudaVersion ? versions : [input.cudaVersion],
    minCudaVersion: input.minCudaVersion ?? undefined,
  };
  return firstThatFits(candidates, ({ id, cloud }) =>
    deploy(service, input, { cloud, gpu: { id, count: input.gpuCount ?? 1, ...cuda } }),
  );
}

/** Tries the candidates in order, until there is capacity. */
function firstThatFits<T>(candidates: T[], attempt: (candidate: T) => Pod): Pod {
  for (const candidate of candidates) {
    try {
      return attempt(candidate);
    } catch (error) {
      if (!(error instanceof Problem && error.detail === NO_CAPACITY)) throw error;
    }
  }
  throw noCapacity();
}

export function deployCpuPod(service: Service, input: DeployPodInput): Pod {
  return deploy(service, input, { cpu: instanceOf(input.instanceId ?? "") });
}

/** The data centers of a request. None: all. */
function placesOf({ dataCenterId, countryCode }: DeployPodInput): string[] {
  if (!countryCode) return dataCenterId ? [dataCenterId] : [];
  const inCountry = dataCenters.filter(({ country }) => country === countryCode).map(({ id }) => id);
  const places = dataCenterId ? inCountry.filter((id) => id === dataCenterId) : inCountry;
  if (places.length === 0) throw noCapacity();
  return places;
}

function deploy(service: Service, input: DeployPodInput, compute: Partial<CreatePod>): Pod {
  const container = containerOf(input);
  checkDisk(input);
  checkModels(input);
  if (!container.image && !input.templateId) throw badRequest("imageName or templateId is required");
  const { network, persistent } = mountsOf(input);
  const pod: CreatePod = {
    ...container,
    ...compute,
    name: input.name ?? "",
    mounts: network || persistent ? { network, persistent } : undefined,
    dataCenterIds: placesOf(input),
    templateId: input.templateId ?? undefined,
    startSsh: input.startSsh ?? undefined,
    startJupyter: input.startJupyter ?? undefined,
    globalNetworking: input.globalNetwork ?? undefined,
  };
  return service.pods.create(pod, { showsTemplate: true });
}

/** Starts a stopped pod; the number of its GPUs stays as it is. */
export function resumePod(service: Service, id: string): Pod {
  if (!service.pods.has(id)) throw notFound("pod not found to resume");
  return service.pods.act(id, "start") ?? service.pods.get(id);
}

export function stopPod(service: Service, id: string): Pod {
  if (!service.pods.has(id)) throw notFound("pod not found to stop");
  const pod = service.pods.get(id);
  if (pod.locked) throw conflict("pod is locked");
  return pod.status === "EXITED" ? pod : (service.pods.act(id, "stop") ?? pod);
}

export function terminatePod(service: Service, id: string): null {
  if (!service.pods.has(id)) throw notFound("pod not found to terminate");
  service.pods.delete(id);
  return null;
}

export function editPod(service: Service, { podId, ...input }: ContainerFields & { podId: string }): Pod {
  const mounts = input.volumeInGb ? persistentMount(input) : undefined;
  return service.pods.update(podId, { ...containerOf(input), mounts });
}
