import { type Cloud, dataCenters, type Gpu, gpus, MAX_GPUS, offers } from "../catalog";
import { gpuPrice } from "../prices";
import type { Level } from "../state/capacity";
import type { Service } from "../state/service";

const STOCK: Record<Level, string> = { NONE: "None", LOW: "Low", MEDIUM: "Medium", HIGH: "High" };
const LEVELS: Level[] = ["NONE", "LOW", "MEDIUM", "HIGH"];

export interface LowestPriceArgs {
  input?: { gpuCount: number; secureCloud?: boolean | null } | null;
}

export function gpuTypes(service: Service, id?: string | null) {
  return gpus
    .filter((gpu) => !id || gpu.id === id)
    .map((gpu) => ({
      id: gpu.id,
      displayName: gpu.name,
      memoryInGb: gpu.memory,
      secureCloud: gpu.secure,
      communityCloud: gpu.community,
      lowestPrice: ({ input }: LowestPriceArgs) => lowestPrice(service, gpu, input),
    }));
}

function lowestPrice(service: Service, gpu: Gpu, input: LowestPriceArgs["input"]) {
  const { gpuCount = 1, secureCloud } = input ?? {};
  const cloud: Cloud = (secureCloud ?? gpu.secure) ? "SECURE" : "COMMUNITY";
  if (!(cloud === "SECURE" ? gpu.secure : gpu.community))
    return { stockStatus: STOCK.NONE, uninterruptablePrice: null, availableGpuCounts: [] };
  const places = dataCenters.filter((dataCenter) => offers(dataCenter, gpu)).map(({ id }) => id);
  const best = Math.max(
    ...places.map((place) => LEVELS.indexOf(service.capacity.level({ gpu: gpu.id }, place, gpuCount))),
  );
  const free = Math.max(...places.map((place) => service.capacity.free({ gpu: gpu.id }, place)));
  const counts = Array.from({ length: MAX_GPUS[cloud] }, (_, index) => index + 1);
  return {
    stockStatus: STOCK[LEVELS[best] ?? "NONE"],
    uninterruptablePrice: gpuPrice(gpu, cloud),
    availableGpuCounts: counts.filter((count) => count <= free),
  };
}
