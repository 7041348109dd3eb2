import type { Shape } from "../../schema/shape";
import { containerOutputs } from "../container/outputs";
import type { TemplateArgs, TemplateState } from "./types";

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
