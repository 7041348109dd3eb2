import type { Shape } from "../../schema/shape";
import { containerOutputs } from "../container/outputs";
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
    gpu: undefined,
    cpu: undefined,
    workers: undefined,
    scaling: undefined,
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
