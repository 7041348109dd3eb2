import { createRegistry, sshKeys } from "../rest/requests";
import { badRequest } from "../state/problem";
import type { CreateRegistry } from "../state/registries";
import type { Service } from "../state/service";
import { validate } from "../validation";
import { allDataCenters, cpuFlavors, gpuTypes } from "./catalog";
import { bindTemplate, deleteEndpoint, saveEndpoint } from "./endpoints";
import type { ContainerFields, DeployPodInput, SaveEndpointInput, SaveTemplateInput } from "./inputs";
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
  const myself = () => ({
    id: service.userId,
    email: "user@example.com",
    pubKey: service.sshKeys.list().join("\n"),
    clientBalance: service.balance,
    currentSpendPerHr: service.pods.list().reduce((sum, { cost }) => sum + cost, 0),
    pods: () => service.pods.list().map((pod) => podObject(pod)),
    endpoints: () => service.endpoints.list().map((endpoint) => endpointObject(service, endpoint)),
    networkVolumes: () => service.volumes.list().map((volume) => volumeObject(service, volume)),
    containerRegistryCreds: () => service.registries.list(),
    podTemplates: () => service.templates.list().map((template) => templateObject(service, template)),
    secrets: () => service.secrets.list().map(secretObject),
  });
  return {
    myself,
    /** Null, without an error, when the pod does not exist. */
    pod: ({ input }: Partial<Input<{ podId: string }>>) => pod(input?.podId ?? ""),
    gpuTypes: ({ input }: { input?: Parameters<typeof gpuTypes>[1] | null }) =>
      gpuTypes(service, input ?? undefined),
    cpuFlavors: ({ input }: { input?: { id?: string | null } | null }) => cpuFlavors(input?.id),
    dataCenters: () => allDataCenters(service),

    /** Replaces the public keys, one a line. */
    updateUserSettings: ({ input }: Partial<Input<{ pubKey?: string | null }>>) => {
      const lines = input?.pubKey?.split("\n").filter((line) => line.trim() !== "");
      if (lines) service.sshKeys.replace(validate(sshKeys, { keys: lines }).keys);
      return myself();
    },

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

    saveEndpoint: ({ input }: Input<SaveEndpointInput>) =>
      endpointObject(service, saveEndpoint(service, input)),
    deleteEndpoint: ({ id }: { id: string }) => done(deleteEndpoint(service, id)),
    updateEndpointTemplate: ({ input }: Partial<Input<Parameters<typeof bindTemplate>[1]>>) =>
      endpointObject(service, bindTemplate(service, input ?? {})),

    saveTemplate: ({ input }: Input<SaveTemplateInput>) =>
      templateObject(service, saveTemplate(service, input)),
    /** Deletes by name, not by id. (API: GraphQL, deleteTemplate) */
    deleteTemplate: ({ templateName }: { templateName?: string | null }) =>
      done(service.templates.delete(service.templates.idOfName(templateName ?? ""))),

    secretCreate: ({ input }: Input<{ name: string; value: string; description?: string | null }>) =>
      secretObject(service.secrets.create(input)),
    secretValueUpdate: ({ input }: Input<{ id: string; value: string }>) =>
      secretObject(service.secrets.update(input.id, { value: input.value })),
    secretDescriptionUpdate: ({ input }: Input<{ id: string; description: string }>) =>
      secretObject(service.secrets.update(input.id, { description: input.description })),
    secretDelete: ({ id }: { id: string }) => done(service.secrets.delete(id)),

    saveRegistryAuth: ({ input }: Partial<Input<CreateRegistry>>) =>
      service.registries.create(validate(createRegistry, input)),
    updateRegistryAuth: ({ input }: Partial<Input<{ id: string; username: string; password: string }>>) => {
      const { id, ...credentials } = input ?? { id: "" };
      return service.registries.update(id, validate(createRegistry.omit({ name: true }), credentials));
    },
    deleteRegistryAuth: ({ registryAuthId }: { registryAuthId?: string | null }) =>
      done(service.registries.delete(registryAuthId ?? "")),

    /** `dataCenterId` is required here and not in the schema, since the vendor's providers declare its variable differently. */
    createNetworkVolume: ({ input }: Input<VolumeInput & { dataCenterId?: string | null }>) => {
      if (!input.dataCenterId) throw badRequest("dataCenterId is required");
      const volume = volumeOf({ ...input, name: input.name ?? "", size: input.size ?? 10 });
      return volumeObject(service, service.volumes.create({ ...volume, dataCenter: input.dataCenterId }));
    },
    updateNetworkVolume: ({ input }: Input<VolumeInput & { id: string }>) =>
      volumeObject(service, service.volumes.update(input.id, volumeOf(input))),
    deleteNetworkVolume: ({ input }: Input<{ id: string }>) => done(service.volumes.delete(input.id)),
  };
}

/** Operations without a result answer null. */
const done = (_: unknown) => null;
