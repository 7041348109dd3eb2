import { badRequest } from "../state/problem";
import type { Service } from "../state/service";
import { gpuTypes } from "./gpu-types";
import type { ContainerFields, DeployPodInput, SaveTemplateInput } from "./inputs";
import { deployCpuPod, deployPod, editPod, resumePod, stopPod, terminatePod } from "./pods";
import { saveTemplate } from "./templates";
import { endpointObject, podObject, secretObject, templateObject, volumeObject } from "./views";

interface Input<T> {
  input: T;
}

interface VolumeInput {
  name?: string | null;
  size?: number | null;
}

/** The rules of REST. Null counts as not given. */
function volumeOf<V extends VolumeInput>({ name, size }: V) {
  if (name?.trim() === "") throw badRequest("name must not be empty");
  if (typeof size === "number" && (size < 10 || size > 4096))
    throw badRequest("size must be from 10 to 4096");
  return { name: name ?? undefined, size: size ?? undefined } as {
    [K in "name" | "size"]: V[K] extends null | undefined ? undefined : NonNullable<V[K]>;
  };
}

/**
 * All operations, by name. The schema exposes only some of them, and has checked their arguments. Objects have the
 * container arguments under both names, `containerArgs` and `dockerArgs`; the schema exposes one of them.
 */
export function rootOf(service: Service) {
  const pod = (id: string) => (service.pods.has(id) ? podObject(service.pods.get(id)) : null);
  return {
    myself: () => ({
      id: service.userId,
      email: "user@example.com",
      pubKey: service.sshKeys.list().join("\n"),
      clientBalance: service.balance,
      currentSpendPerHr: service.pods.list().reduce((sum, { cost }) => sum + cost, 0),
      pods: () => service.pods.list().map((pod) => podObject(pod)),
      endpoints: () => service.endpoints.list().map(endpointObject),
      networkVolumes: () => service.volumes.list().map(volumeObject),
      containerRegistryCreds: () => service.registries.list(),
      podTemplates: () => service.templates.list().map((template) => templateObject(service, template)),
      secrets: () => service.secrets.list().map(secretObject),
    }),
    /** Null, without an error, when the pod does not exist. */
    pod: ({ input }: Partial<Input<{ podId: string }>>) => pod(input?.podId ?? ""),
    gpuTypes: ({ input }: Partial<Input<{ id?: string | null }>>) => gpuTypes(service, input?.id),

    podFindAndDeployOnDemand: ({ input }: Partial<Input<DeployPodInput>>) =>
      podObject(deployPod(service, input ?? {})),
    deployCpuPod: ({ input }: Input<DeployPodInput>) => podObject(deployCpuPod(service, input)),
    podResume: ({ input }: Input<{ podId: string }>) => podObject(resumePod(service, input.podId)),
    podStop: ({ input }: Input<{ podId: string }>) => ({
      ...podObject(stopPod(service, input.podId)),
      desiredStatus: "EXITED",
    }),
    podTerminate: ({ input }: Input<{ podId: string }>) => terminatePod(service, input.podId),
    podEditJob: ({ input }: Input<ContainerFields & { podId: string }>) => podObject(editPod(service, input)),

    saveTemplate: ({ input }: Input<SaveTemplateInput>) =>
      templateObject(service, saveTemplate(service, input)),
    /** Deletes by name, not by id (specification, GraphQL deleteTemplate). */
    deleteTemplate: ({ templateName }: { templateName?: string | null }) =>
      done(service.templates.delete(service.templates.idOfName(templateName ?? ""))),

    secretCreate: ({ input }: Input<{ name: string; value: string; description?: string | null }>) =>
      secretObject(service.secrets.create(input)),
    secretValueUpdate: ({ input }: Input<{ id: string; value: string }>) =>
      secretObject(service.secrets.update(input.id, { value: input.value })),
    secretDescriptionUpdate: ({ input }: Input<{ id: string; description: string }>) =>
      secretObject(service.secrets.update(input.id, { description: input.description })),
    secretDelete: ({ id }: { id: string }) => done(service.secrets.delete(id)),

    saveRegistryAuth: ({ input }: Input<{ name: string; username: string; password: string }>) =>
      service.registries.create(input),
    updateRegistryAuth: ({ input }: Input<{ id: string; username: string; password: string }>) =>
      service.registries.update(input.id, { username: input.username, password: input.password }),
    deleteRegistryAuth: ({ registryAuthId }: { registryAuthId?: string | null }) =>
      done(service.registries.delete(registryAuthId ?? "")),

    createNetworkVolume: ({ input }: Input<VolumeInput & { dataCenterId: string }>) =>
      volumeObject(
        service.volumes.create({
          ...volumeOf({ ...input, name: input.name ?? "", size: input.size ?? 10 }),
          dataCenter: input.dataCenterId,
        }),
      ),
    updateNetworkVolume: ({ input }: Input<VolumeInput & { id: string }>) =>
      volumeObject(service.volumes.update(input.id, volumeOf(input))),
    deleteNetworkVolume: ({ input }: Input<{ id: string }>) => done(service.volumes.delete(input.id)),
  };
}

/** Operations without a result answer null. */
const done = (_: unknown) => null;
