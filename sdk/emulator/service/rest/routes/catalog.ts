import { z } from "zod";
import { cpus, dataCenters, findCpu, findDataCenter, findGpu, gpus } from "../../catalog";
import { badRequest, notFound } from "../../state/problem";
import { cpuView, dataCenterView, gpuView } from "../catalog-views";
import {
  type CpuQuery,
  cpuQuery,
  dataCenterInclude,
  dataCenterQuery,
  type GpuQuery,
  gpuQuery,
  templateQuery,
} from "../queries";
import { route } from "../route";

/** `include` needs a product. The filters of availability need `include` (API: Catalog). */
function checkInclude({ include, ...filters }: { include?: string[]; product?: string[] }): void {
  if (include && !filters.product) throw badRequest("include=AVAILABILITY requires product");
  const [stray] = Object.entries(filters).find(([, value]) => value !== undefined) ?? [];
  if (!include && stray) throw badRequest(`${stray} is valid only with include=AVAILABILITY`);
}

function checkGpuQuery(query: GpuQuery): void {
  checkInclude(query);
  if (query.cudaVersions && query.minCudaVersion)
    throw badRequest("cudaVersions and minCudaVersion are mutually exclusive");
}

function checkCpuQuery(query: CpuQuery): void {
  checkInclude(query);
  if (query.vcpuCount && !Number.isInteger(Math.log2(query.vcpuCount)))
    throw badRequest("vcpuCount must be a power of two");
}

function found<T>(entry: T | undefined): T {
  if (entry === undefined) throw notFound();
  return entry;
}

export const catalogRoutes = [
  route({
    method: "GET",
    path: "/catalog/gpus",
    operationId: "listGpuTypes",
    summary: "List GPU types",
    query: gpuQuery,
    handle: ({ service, query }) => {
      checkGpuQuery(query);
      const views = gpus.map((gpu) => gpuView(service, gpu, query));
      // The list leaves out types that no data center of these countries has. A single read does not.
      return { gpus: views.filter(({ dataCenters }) => !query.countryCodes || dataCenters) };
    },
  }),
  route({
    method: "GET",
    path: "/catalog/gpus/{id}",
    operationId: "getGpuType",
    summary: "Read a GPU type",
    query: gpuQuery,
    handle: ({ service, params, query }) => {
      checkGpuQuery(query);
      return gpuView(service, found(findGpu(params.id)), query);
    },
  }),
  route({
    method: "GET",
    path: "/catalog/cpus",
    operationId: "listCpuTypes",
    summary: "List CPU flavors",
    query: cpuQuery,
    handle: ({ service, query }) => {
      checkCpuQuery(query);
      return { cpus: cpus.map((cpu) => cpuView(service, cpu, query)) };
    },
  }),
  route({
    method: "GET",
    path: "/catalog/cpus/{id}",
    operationId: "getCpuType",
    summary: "Read a CPU flavor",
    query: cpuQuery,
    handle: ({ service, params, query }) => {
      checkCpuQuery(query);
      return cpuView(service, found(findCpu(params.id)), query);
    },
  }),
  route({
    method: "GET",
    path: "/catalog/datacenters",
    operationId: "listDataCenters",
    summary: "List data centers",
    query: dataCenterQuery,
    // A data center must be in one of the regions, but have all of the volume types and certifications.
    handle: ({ service, query }) => ({
      dataCenters: dataCenters
        .filter(({ region }) => query.regions?.includes(region) ?? true)
        .filter(
          ({ networkVolumeTypes }) =>
            query.networkVolumeTypes?.every((type) => networkVolumeTypes.includes(type)) ?? true,
        )
        .filter(({ compliance }) => query.compliance?.every((one) => compliance.includes(one)) ?? true)
        .filter(
          ({ globalNetwork }) => query.globalNetwork === undefined || globalNetwork === query.globalNetwork,
        )
        .map((dataCenter) => dataCenterView(service, dataCenter, query.include)),
    }),
  }),
  route({
    method: "GET",
    path: "/catalog/datacenters/{id}",
    operationId: "getDataCenter",
    summary: "Read a data center",
    query: z.object({ include: dataCenterInclude }),
    handle: ({ service, params, query }) =>
      dataCenterView(service, found(findDataCenter(params.id)), query.include),
  }),
  route({
    method: "GET",
    path: "/catalog/templates",
    operationId: "listPublicTemplates",
    summary: "List public templates",
    query: templateQuery,
    paged: "one page",
    handle: ({ service, query }) => ({ templates: service.templates.listPublic(query.source) }),
  }),
];
