import type { Shape } from "../../schema/shape";
import { containerOutputs } from "../container/outputs";
import type { TemplateArgs, TemplateState } from "./types";

/** The outputs and the other arguments of the class, and which of them are secret. */
export const templateShape: Shape<TemplateState, TemplateArgs> = {
  outputs: {
    ...containerOutputs,
    name: undefined,
    mounts: { persistent: undefined },
    serverless: undefined,
    public: undefined,
    category: undefined,
    startSsh: undefined,
    startJupyter: undefined,
    allowedCudaVersions: undefined,
    readme: undefined,
  },
  otherInputs: { deleteTimeout: undefined },
  secretsWhenRead: ["env"],
  derived: ["revision"],
  digests: ["revision"],
};
