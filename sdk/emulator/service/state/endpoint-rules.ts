import { findDataCenter, pools, typesOfPools } from "../catalog";
import { checkCuda } from "./cuda";
import { type EndpointGpu, type EndpointSettings, type EndpointType, ignoresIdleTimeout } from "./endpoint";
import type { UpdateEndpoint } from "./endpoint-settings";
import { checkCpu } from "./placement";
import { badRequest, noCapacity, Problem } from "./problem";
import type { Service } from "./service";

/**
 * The rules between fields of an endpoint (API: Serverless, create and update). What an update does not name is not looked up again: a
 * volume or a credential may be gone by then.
 */
export function checkEndpoint(
  service: Service,
  type: EndpointType,
  settings: EndpointSettings,
  request: UpdateEndpoint,
  isNew: boolean,
): void {
  const { container, gpu, cpu, workers, scaling, dataCenterIds, networkVolumes } = settings;
  if (type === "LOAD_BALANCER" && scaling.type !== "REQUEST_COUNT")
    throw badRequest("LOAD_BALANCER endpoints scale on REQUEST_COUNT only");
  if (request.workers?.idleTimeout !== undefined && ignoresIdleTimeout(type, scaling))
    throw new Problem(422, "idleTimeout does not apply to queue-based endpoints scaling on requestCount");
  if (workers.min > workers.max) throw badRequest("workers.min must not exceed workers.max");
  service.containers.check(isNew || request.templateId !== undefined ? container : request);
  if (gpu) checkGpu(gpu);
  for (const one of cpu ?? []) checkCpu(one);
  if (dataCenterIds.some((id) => !findDataCenter(id))) throw noCapacity();
  const isNamed = isNew || request.networkVolumes !== undefined;
  const known = networkVolumes.filter((id) => isNamed || service.volumes.has(id));
  checkVolumes(service, known, dataCenterIds);
  checkGlobalVolumes(service, settings, isNew || request.globalVolumes !== undefined);
}

function checkGpu(gpu: EndpointGpu): void {
  checkCuda(gpu);
  const unknown = gpu.pools.find((pool) => !pools.has(pool));
  if (unknown !== undefined) throw badRequest(`GPU pool '${unknown}' was not found`);
  const types = typesOfPools(gpu.pools).map(({ id }) => id);
  const outside = gpu.excludedTypes?.find((type) => !types.includes(type));
  if (outside !== undefined)
    throw badRequest(`gpu.excludedTypes: '${outside}' is not a GPU type of the pools`);
  if (types.every((type) => gpu.excludedTypes?.includes(type)))
    throw badRequest("gpu.excludedTypes leaves no GPU type in the pools");
}

function checkVolumes(service: Service, ids: string[], dataCenterIds: string[]): void {
  const places = ids.map((id) => {
    if (!service.volumes.has(id)) throw badRequest(`network volume '${id}' was not found`);
    return service.volumes.get(id).dataCenter;
  });
  if (new Set(places).size < places.length)
    throw badRequest("an endpoint takes at most one network volume per data center");
  // Workers run only in the data centers of the volumes.
  if (places.length > 0 && dataCenterIds.length > 0 && !places.some((place) => dataCenterIds.includes(place)))
    throw badRequest("no network volume is in the data centers asked for");
}

/** (API: Global volumes, Serverless) */
function checkGlobalVolumes(
  service: Service,
  { globalVolumes, networkVolumes, cpu }: EndpointSettings,
  isNamed: boolean,
): void {
  const [id, ...more] = globalVolumes;
  if (id === undefined) return;
  if (more.length > 0) throw badRequest("an endpoint takes at most one global volume");
  if (networkVolumes.length > 0) throw badRequest("an endpoint takes network volumes or a global volume");
  if (cpu) throw badRequest("CPU endpoints take no global volume");
  if (isNamed && !service.globalVolumes.has(id)) throw badRequest(`global volume '${id}' was not found`);
}

/** The account limits the sum of `workers.max` over all its endpoints. */
export function checkQuota(service: Service, max: number, own?: string): void {
  const others = service.endpoints
    .records()
    .filter(({ id }) => id !== own)
    .reduce((sum, { settings }) => sum + settings.workers.max, 0);
  const left = service.workersQuota - others;
  if (max > left)
    throw badRequest(
      `Max workers across all endpoints must not exceed your workers quota (${service.workersQuota}). ` +
        `Reduce the max workers for other endpoints or lower the max worker count for this endpoint to at most ${Math.max(0, left)}.`,
    );
}
