import type { Cloud, Cpu, Gpu } from "./catalog";

export const rounded = (usd: number) => Math.round(usd * 10_000) / 10_000;

/**
 * USD an hour for one GPU.
 * (differs, Prices: they are made up: a cent per GB of a GPU's memory, less in the Community cloud, more for Serverless.)
 */
export function gpuPrice(gpu: Gpu, where: Cloud | "SERVERLESS"): number {
  const factor = { SECURE: 1, COMMUNITY: 0.8, SERVERLESS: 1.5 }[where];
  return rounded(gpu.memory * 0.01 * factor);
}

/** USD an hour for one vCPU. */
export function cpuPrice(cpu: Cpu, where: "SECURE" | "SERVERLESS"): number {
  return rounded(0.01 * cpu.ramGbPerVcpu * (where === "SECURE" ? 1 : 1.25));
}

/** USD an hour for one GB, of disk or of each tier of network volume. */
export const STORAGE_PRICE = { disk: 0.0001, STANDARD: 0.0001, HIGH_PERFORMANCE: 0.0002 };
