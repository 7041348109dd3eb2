import { plain, type Shape } from "../../schema/shape";
import { containerOutputs, podOutputs } from "../container/outputs";
import type { ClusterArgs, ClusterState } from "./types";

const { registry, ...settings } = containerOutputs;

export const clusterShape: Shape<ClusterState, ClusterArgs> = {
  outputs: {
    type: undefined,
    compute: plain("gpuTypeId", "gpuCountPerPod", "podCount"),
    ...settings,
    ...podOutputs,
    ...plain("pods", "network", "primary", "members"),
  },
  otherInputs: plain("capacityTimeout", "waitFor", "waitTimeout"),
};
