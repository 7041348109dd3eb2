export * from "./account";
export * from "./billing";
export * from "./catalog";
export * from "./cheapest-gpu";
export * from "./lists";
export * from "./logs";
export * from "./lookups";
export * from "./operations";
export type * from "./types";
