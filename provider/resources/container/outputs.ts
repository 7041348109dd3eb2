import type { FillingOf } from "../../schema/shape";
import { unknownValue } from "../../value";
import type { ContainerState, CpuState } from "./types";

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

/** A CPU selection, to which the service adds its memory. */
export const cpuOutput = {
  id: undefined,
  vcpuCount: undefined,
  memory: unknownValue,
} satisfies FillingOf<CpuState>;

/** Outputs that pods, clusters and endpoints have beside the settings of their containers. */
export const runningOutputs = {
  name: undefined,
  dataCenterIds: undefined,
  templateId: undefined,
  templateRevision: undefined,
  expiresAfter: undefined,
  expiresAt: undefined,
  createdAt: undefined,
  tags: undefined,
  costCenter: undefined,
};

/** The same of pods, single or in a cluster. */
export const podOutputs = {
  ...runningOutputs,
  mounts: { persistent: undefined, network: undefined },
  startSsh: undefined,
  startJupyter: undefined,
  dataCenterId: undefined,
  template: undefined,
  cost: undefined,
};
