export * from "./billing";
export * from "./catalog";
export * from "./cheapest-gpu";
export type { Inputs, OutputFunction, OutputOf, PlainFunction } from "./function";
export * from "./logs";
export * from "./lookups";
export * from "./operations";
