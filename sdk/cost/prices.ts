import type { CpuType, GpuType } from "../../provider/functions/catalog/types";
import type { Service } from "../toolkit";

/** The list prices of the catalog. */
export interface Prices {
  readonly gpus: readonly GpuType[];
  readonly cpus: readonly CpuType[];
}

/** Asks the catalog. */
export async function pricesOf({ api, functions }: Pick<Service, "api" | "functions">): Promise<Prices> {
  const [gpus, cpus] = await Promise.all([
    functions.getGpuTypes.ask(api, {}),
    functions.getCpuTypes.ask(api, {}),
  ]);
  return { gpus, cpus };
}
