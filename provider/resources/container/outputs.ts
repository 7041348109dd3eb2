import { type FillingOf, plain } from "../../schema/shape";
import { unknownValue } from "../../value";
import type { ContainerState, CpuState } from "./types";

/** The outputs of {@link ContainerState}, for the classes that have them. */
export const containerOutputs = plain(
  "image",
  "args",
  "entrypoint",
  "cmd",
  "disk",
  "env",
  "ports",
  "registry",
) satisfies Record<keyof ContainerState, undefined>;

/** A CPU selection, to which the service adds its memory. */
export const cpuOutput = {
  id: undefined,
  vcpuCount: undefined,
  memory: unknownValue,
} satisfies FillingOf<CpuState>;

/** Outputs that pods, clusters and endpoints have beside the settings of their containers. */
export const runningOutputs = plain(
  "name",
  "dataCenterIds",
  "templateId",
  "templateRevision",
  "expiresAfter",
  "expiresAt",
  "createdAt",
  "tags",
  "costCenter",
);

/** The same of pods, single or in a cluster. */
export const podOutputs = {
  ...runningOutputs,
  mounts: plain("persistent", "network"),
  ...plain("startSsh", "startJupyter", "dataCenterId", "template", "cost"),
};
