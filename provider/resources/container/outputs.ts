import type { ContainerState } from "./types";

/** The outputs of {@link ContainerState}, for the classes that have them. */
export const containerOutputs = {
  image: undefined,
  args: undefined,
  entrypoint: undefined,
  cmd: undefined,
  disk: undefined,
  env: undefined,
  ports: undefined,
  registry: undefined,
} satisfies Record<keyof ContainerState, undefined>;
