import type { Shape } from "../../core/shape";
import { containerOutputs } from "../container/outputs";
import type { ServerlessEndpointState } from "./types";

/** What the class of this kind tells about its outputs. */
export const serverlessEndpointShape: Shape<ServerlessEndpointState> = {
  outputs: {
    ...containerOutputs,
    name: undefined,
    type: undefined,
    requestUrls: undefined,
    gpu: undefined,
    cpu: undefined,
    workers: undefined,
    scaling: undefined,
    flashboot: undefined,
    timeout: undefined,
    dataCenterIds: undefined,
    networkVolumes: undefined,
    templateId: undefined,
    templateRevision: undefined,
    verifiedRelease: undefined,
    createdAt: undefined,
  },
  secretsWhenRead: ["env"],
};
