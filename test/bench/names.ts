import type { Phase, Provider } from "./life";

/** The phases and the providers, as the tables call them. */
export const titles: Record<Phase, string> = {
  up: "up",
  again: "up again, no change",
  refresh: "refresh",
  destroy: "destroy",
};

export const names: Record<Provider, string> = {
  idle: "does nothing",
  podlumi: "podlumi",
  plugin: "podlumi/plugin",
};
