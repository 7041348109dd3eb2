export type { CostEstimate, CostRange } from "./estimate";
export { type Costed, totalCost } from "./output";
