import type { Service } from "../toolkit";
import type { Prices } from "./basis";

/** Asks the catalog. */
export async function pricesOf({ api, functions }: Pick<Service, "api" | "functions">): Promise<Prices> {
  const [gpus, cpus] = await Promise.all([
    functions.getGpuTypes.ask(api, {}),
    functions.getCpuTypes.ask(api, {}),
  ]);
  return { gpus, cpus };
}
