import type { Shape } from "../../core/kind/shape";
import type { SecretState } from "./types";

/** The outputs of the class, and which of them are secret. */
export const secretShape: Shape<SecretState> = {
  outputs: {
    name: undefined,
    value: undefined,
    description: undefined,
    valueLastUpdatedAt: undefined,
    createdAt: undefined,
  },
  secrets: ["value"],
  derived: ["reference"],
};
