import type { Shape } from "../../schema/shape";
import type { SecretArgs, SecretState } from "./types";

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

/** The placeholder for the value of a secret in `env`. (API: Secrets) */
export const referenceTo = (name: string) => `{{ RUNPOD_SECRET_${name} }}`;
