import type { Shape } from "../../schema/shape";
import { containerOutputs, podOutputs } from "../container/outputs";
import type { ClusterArgs, ClusterState } from "./types";

const { registry, ...settings } = containerOutputs;

export const clusterShape: Shape<ClusterState, ClusterArgs> = {
  outputs: {
    type: undefined,
    compute: { gpuTypeId: undefined, gpuCountPerPod: undefined, podCount: undefined },
    ...settings,
    ...podOutputs,
    pods: undefined,
    network: undefined,
    primary: undefined,
    members: undefined,
  },
  otherInputs: { capacityTimeout: undefined, waitFor: undefined, waitTimeout: undefined },
};
