export type { CostEstimate, CostRange } from "../../provider/cost/estimate";
export type { Costed } from "./output";
export { totalCost } from "./output";
