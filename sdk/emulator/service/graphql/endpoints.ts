import { createEndpoint, updateEndpoint } from "../rest/endpoint-requests";
import { type Endpoint, type EndpointType, ignoresIdleTimeout, type Scaling } from "../state/endpoint";
import { instanceOf } from "../state/placement";
import { badRequest } from "../state/problem";
import type { Service } from "../state/service";
import { validate } from "../validation";
import { checkModels, envOf, listed, present, type SaveEndpointInput } from "./inputs";
import { saveTemplate } from "./templates";

const TYPES: Record<string, EndpointType> = { QB: "QUEUE", LB: "LOAD_BALANCER" };

/**
 * Without an id, creates an endpoint; with one, sets all its fields, and what the input leaves out gets its default.
 * Bounds and rules are those of REST.
 */
export function saveEndpoint(service: Service, input: SaveEndpointInput): Endpoint {
  checkModels(input);
  if (input.repo || input.hubReleaseId) throw badRequest("the account has no repository to build from");
  const current = input.id ? service.endpoints.get(input.id) : undefined;
  const type = input.type ? TYPES[input.type] : (current?.type ?? "QUEUE");
  if (type === undefined) throw badRequest(`type '${input.type}' is not one of ${Object.keys(TYPES)}`);
  if (current && type !== current.type) throw badRequest("the type of an endpoint cannot be changed");
  const own = input.template
    ? saveTemplate(service, { ...input.template, isServerless: true, volumeInGb: 0 })
    : undefined;
  const templateId = own?.id ?? (input.templateId || undefined);
  try {
    if (!current && templateId === undefined) throw badRequest("templateId or template is required");
    const settings = { ...settingsOf(input, type), templateId };
    if (!current) return service.endpoints.create(validate(createEndpoint, { ...settings, type }));
    return service.endpoints.update(current.id, validate(updateEndpoint, settings), { binds: true });
  } catch (error) {
    if (own) service.templates.delete(own.id);
    throw error;
  }
}

/** The body of a REST request. Each field has a value, so that an update resets what the input leaves out. */
function settingsOf(input: SaveEndpointInput, type: EndpointType) {
  const scaling = scalingOf(input, type);
  const idleTimeout = ignoresIdleTimeout(type, scaling) ? undefined : (input.idleTimeout ?? 10);
  const volumes = present(input.networkVolumeIds)?.map(({ networkVolumeId }) => networkVolumeId) ?? [];
  return {
    name: input.name,
    ...computeOf(input),
    scaling,
    workers: { min: input.workersMin ?? 0, max: input.workersMax ?? 3, idleTimeout },
    dataCenterIds: listed(input.locations) ?? [],
    networkVolumes: [...new Set([...(input.networkVolumeId ? [input.networkVolumeId] : []), ...volumes])],
    timeout: input.executionTimeoutMs ?? 300_000,
    flashboot: input.flashBootType ?? "OFF",
    env: envOf(input.env),
  };
}

function scalingOf({ scalerType, scalerValue }: SaveEndpointInput, type: EndpointType): Scaling {
  const value = scalerValue ?? 4;
  const scaler = scalerType || (type === "QUEUE" ? "QUEUE_DELAY" : "REQUEST_COUNT");
  if (scaler === "QUEUE_DELAY") return { type: scaler, queueDelay: value };
  if (scaler === "REQUEST_COUNT") return { type: scaler, requestCount: value };
  throw badRequest(`scalerType '${scalerType}' is not one of QUEUE_DELAY,REQUEST_COUNT`);
}

/** `gpuIds` has pools, and types with a minus sign that are excluded from them. */
function computeOf(input: SaveEndpointInput) {
  const ids = listed(input.gpuIds) ?? [];
  const instances = present(input.instanceIds) ?? [];
  const gpu = {
    pools: ids.filter((id) => !id.startsWith("-")),
    excludedTypes: ids.filter((id) => id.startsWith("-")).map((id) => id.slice(1)),
    count: input.gpuCount ?? 1,
    allowedCudaVersions: listed(input.allowedCudaVersions) ?? [],
    // Empty removes a constraint, which only an update takes.
    ...((input.minCudaVersion || input.id) && { minCudaVersion: input.minCudaVersion ?? "" }),
  };
  return {
    ...(ids.length > 0 && { gpu }),
    ...(instances.length > 0 && { cpu: instances.map(instanceOf) }),
  };
}

export function bindTemplate(
  service: Service,
  { endpointId, templateId }: { endpointId?: string | null; templateId?: string | null },
): Endpoint {
  if (!templateId) throw badRequest("templateId is required");
  return service.endpoints.update(endpointId ?? "", { templateId }, { binds: true });
}

/** Unlike REST, GraphQL deletes no endpoint that may have workers. */
export function deleteEndpoint(service: Service, id: string): void {
  const { min, max } = service.endpoints.get(id).workers;
  // assumes: status, value GraphQL deleteEndpoint
  if (min > 0 || max > 0)
    throw badRequest("set workersMin and workersMax of the endpoint to 0 before you delete it");
  service.endpoints.delete(id);
}
