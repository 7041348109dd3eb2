import { defaultWorkers } from "../../cost/estimate";
import type { Shape } from "../../schema/shape";
import { unknownValue } from "../../value";
import { containerOutputs, cpuOutput } from "../container/outputs";
import type { ServerlessEndpointArgs, ServerlessEndpointState } from "./types";

/** The outputs and the other arguments of the class, and which of them are secret. */
export const serverlessEndpointShape: Shape<ServerlessEndpointState, ServerlessEndpointArgs> = {
  outputs: {
    ...containerOutputs,
    name: undefined,
    type: undefined,
    requestUrls: undefined,
    baseUrl: undefined,
    openaiBaseUrl: undefined,
    gpu: {
      pools: undefined,
      count: 1,
      excludedTypes: unknownValue,
      allowedCudaVersions: unknownValue,
      minCudaVersion: unknownValue,
    },
    cpu: cpuOutput,
    workers: { ...defaultWorkers, idleTimeout: unknownValue },
    scaling: { type: undefined, queueDelay: undefined, requestCount: undefined },
    flashboot: undefined,
    timeout: undefined,
    dataCenterIds: undefined,
    networkVolumes: undefined,
    globalVolumes: undefined,
    templateId: undefined,
    templateRevision: undefined,
    verifiedRelease: undefined,
    expiresAfter: undefined,
    expiresAt: undefined,
    createdAt: undefined,
  },
  otherInputs: { verify: undefined, waitFor: undefined, waitTimeout: undefined, waitForRollout: undefined },
  secretsWhenRead: ["env"],
};
