import type { Shape } from "../../schema/shape";
import { unknownValue } from "../../value";
import { containerOutputs, cpuOutput, mountsOutput } from "../container/outputs";
import type { PodArgs, PodState } from "./types";

/** The outputs and the other arguments of the class, and which of them are secret. */
export const podShape: Shape<PodState, PodArgs> = {
  outputs: {
    ...containerOutputs,
    name: undefined,
    status: undefined,
    actions: undefined,
    desiredStatus: undefined,
    gpu: { id: undefined, count: 1, vcpuCount: unknownValue, memory: unknownValue },
    cpu: cpuOutput,
    cloud: undefined,
    dataCenterId: undefined,
    dataCenterIds: undefined,
    placement: undefined,
    cudaVersion: undefined,
    mounts: mountsOutput,
    ssh: undefined,
    urls: undefined,
    tcpAddresses: undefined,
    runtime: undefined,
    globalNetworking: { enabled: undefined, ip: unknownValue, internalDns: unknownValue },
    cluster: undefined,
    template: undefined,
    templateId: undefined,
    templateRevision: undefined,
    startSsh: undefined,
    startJupyter: undefined,
    cost: undefined,
    locked: undefined,
    selfStop: { after: undefined, idle: undefined, action: "stop" },
    expiresAfter: undefined,
    expiresAt: undefined,
    createdAt: undefined,
    startedAt: undefined,
  },
  otherInputs: {
    placements: undefined,
    capacityTimeout: undefined,
    waitFor: undefined,
    waitTimeout: undefined,
  },
  secretsWhenRead: ["env"],
};
