import type { Shape } from "../../schema/shape";
import { mountsOutput } from "../container/outputs";
import type { ClusterArgs, ClusterState } from "./types";

/** The outputs and the other arguments of the class. */
export const clusterShape: Shape<ClusterState, ClusterArgs> = {
  outputs: {
    name: undefined,
    type: undefined,
    compute: { gpuTypeId: undefined, gpuCountPerPod: undefined, podCount: undefined },
    image: undefined,
    args: undefined,
    entrypoint: undefined,
    cmd: undefined,
    disk: undefined,
    env: undefined,
    ports: undefined,
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
  },
  otherInputs: { capacityTimeout: undefined, waitFor: undefined, waitTimeout: undefined },
};
