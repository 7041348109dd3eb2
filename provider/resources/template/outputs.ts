import type { Shape } from "../../core/kind/shape";
import { containerOutputs } from "../container/outputs";
import type { TemplateState } from "./types";

/** The outputs of the class, and which of them are secret. */
export const templateShape: Shape<TemplateState> = {
  outputs: {
    ...containerOutputs,
    name: undefined,
    mounts: undefined,
    serverless: undefined,
    public: undefined,
    category: undefined,
    startSsh: undefined,
    startJupyter: undefined,
    allowedCudaVersions: undefined,
    readme: undefined,
  },
  secretsWhenRead: ["env"],
  derived: ["revision"],
  digests: ["revision"],
};
