export type { CostEstimate, CostRange } from "./estimate";
export type { Costed } from "./output";
export { totalCost } from "./output";
