import type { ContainerState } from "./types";

/** Output keys of {@link ContainerState}, for the classes. */
export const containerOutputs = {
  image: undefined,
  args: undefined,
  disk: undefined,
  env: undefined,
  ports: undefined,
  registry: undefined,
} satisfies Record<keyof ContainerState, undefined>;
