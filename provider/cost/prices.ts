import type { Api } from "../client/api";
import type { functions } from "../functions";
import type { Prices } from "./estimate";

/** The prices of the catalog. */
export async function pricesOf(service: { api: Api; functions: typeof functions }): Promise<Prices> {
  const [gpus, cpus] = await Promise.all([
    service.functions.getGpuTypes.ask(service.api, {}),
    service.functions.getCpuTypes.ask(service.api, {}),
  ]);
  return { gpus, cpus };
}
