import type { Prices } from "../../sdk/cost/basis";
import { cpus, gpus } from "../../sdk/emulator/service/catalog";
import { cpuPrice, gpuPrice } from "../../sdk/emulator/service/prices";

/** The prices of the emulator's catalog. */
export const prices = {
  gpus: gpus.map((gpu) => ({
    ...gpu,
    price: {
      secure: gpu.secure ? gpuPrice(gpu, "SECURE") : 0,
      community: gpu.community ? gpuPrice(gpu, "COMMUNITY") : 0,
      ...(gpu.pool && { serverless: gpuPrice(gpu, "SERVERLESS") }),
    },
  })),
  cpus: cpus.map((cpu) => ({
    ...cpu,
    price: {
      securePerVcpu: cpuPrice(cpu, "SECURE"),
      serverlessPerVcpu: cpuPrice(cpu, "SERVERLESS"),
    },
  })),
} as unknown as Prices;
