import type { Prices } from "../../provider/cost/estimate";
import { plain } from "../functions/function";
import type { Service } from "../service";

/** The prices of the catalog, asked for once per run. */
export async function pricesOf({ api, functions }: Service): Promise<Prices> {
  const [gpus, cpus] = await Promise.all([
    functions.getGpuTypes.ask(api, {}),
    functions.getCpuTypes.ask(api, {}),
  ]);
  return { gpus, cpus };
}

/** The prices of the catalog, for policies and the command line. Fails as the functions of a program do. */
export const getPrices = plain<Record<never, never>, Prices>("prices of the catalog", pricesOf);
