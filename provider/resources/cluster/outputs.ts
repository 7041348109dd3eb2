import type { Shape } from "../../schema/shape";
import { containerOutputs, mountsOutput } from "../container/outputs";
import { labelOutputs } from "../labels/outputs";
import type { ClusterArgs, ClusterState } from "./types";

const { registry, ...settings } = containerOutputs;

/** The outputs and the other arguments of the class. */
export const clusterShape: Shape<ClusterState, ClusterArgs> = {
  outputs: {
    name: undefined,
    type: undefined,
    compute: { gpuTypeId: undefined, gpuCountPerPod: undefined, podCount: undefined },
    ...settings,
    mounts: mountsOutput,
    startSsh: undefined,
    startJupyter: undefined,
    dataCenterIds: undefined,
    dataCenterId: undefined,
    pods: undefined,
    network: undefined,
    primary: undefined,
    members: undefined,
    cost: undefined,
    template: undefined,
    templateId: undefined,
    templateRevision: undefined,
    expiresAfter: undefined,
    expiresAt: undefined,
    createdAt: undefined,
    ...labelOutputs,
  },
  otherInputs: { capacityTimeout: undefined, waitFor: undefined, waitTimeout: undefined },
};
