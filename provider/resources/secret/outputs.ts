import type { Shape } from "../../schema/shape";
import type { SecretArgs, SecretState } from "./types";

/** The outputs and the other arguments of the class, and which of them are secret. */
export const secretShape: Shape<SecretState, SecretArgs> = {
  outputs: {
    name: undefined,
    value: undefined,
    description: undefined,
    valueLastUpdatedAt: undefined,
    createdAt: undefined,
  },
  otherInputs: {},
  secrets: ["value"],
  derived: ["reference"],
};
