import type { Prices } from "../../provider/cost/estimate";
import { pricesOf } from "../../provider/cost/prices";
import { plain } from "../functions/function";

/** The prices of the catalog, for policies. Fails as the functions of a program do. */
export const getPrices = plain<Record<never, never>, Prices>("prices of the catalog", pricesOf);
