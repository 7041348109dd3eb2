import type { Shape } from "../../schema/shape";
import { containerOutputs } from "../container/outputs";
import type { PodArgs, PodState } from "./types";

/** The outputs and the other arguments of the class, and which of them are secret. */
export const podShape: Shape<PodState, PodArgs> = {
  outputs: {
    ...containerOutputs,
    name: undefined,
    status: undefined,
    actions: undefined,
    desiredStatus: undefined,
    gpu: undefined,
    cpu: undefined,
    cloud: undefined,
    dataCenterId: undefined,
    dataCenterIds: undefined,
    placement: undefined,
    cudaVersion: undefined,
    mounts: undefined,
    ssh: undefined,
    urls: undefined,
    tcpAddresses: undefined,
    runtime: undefined,
    globalNetworking: undefined,
    cluster: undefined,
    template: undefined,
    templateId: undefined,
    templateRevision: undefined,
    startSsh: undefined,
    startJupyter: undefined,
    cost: undefined,
    locked: undefined,
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
