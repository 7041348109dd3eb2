import { plain, type Shape } from "../../schema/shape";
import { containerOutputs } from "../container/outputs";
import type { TemplateArgs, TemplateState } from "./types";

export const templateShape: Shape<TemplateState, TemplateArgs> = {
  outputs: {
    ...containerOutputs,
    name: undefined,
    mounts: { persistent: undefined },
    ...plain("serverless", "public", "category", "startSsh", "startJupyter", "allowedCudaVersions", "readme"),
  },
  otherInputs: { deleteTimeout: undefined },
  secretsWhenRead: ["env"],
  derived: ["revision"],
  digests: ["revision"],
};
