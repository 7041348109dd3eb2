import type { Prices } from "../../provider/cost/estimate";
import { pricesOf } from "../../provider/cost/prices";
import { attempted } from "../functions/function";
import { serviceOfEnvironment } from "../service";

/** The prices of the catalog, for policies. Fails as the functions of a program do. */
export function getPrices(): Promise<Prices> {
  return attempted("prices of the catalog", async () => pricesOf(serviceOfEnvironment()));
}
