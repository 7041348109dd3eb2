import { plain, type Shape } from "../../schema/shape";
import type { SecretArgs, SecretState } from "./types";

export const secretShape: Shape<SecretState, SecretArgs> = {
  outputs: plain("name", "value", "description", "valueLastUpdatedAt", "createdAt"),
  otherInputs: { deleteTimeout: undefined },
  secrets: ["value"],
  derived: ["reference"],
};

/** The placeholder for the value of a secret in `env`. (API: Secrets) */
export const referenceTo = (name: string) => `{{ RUNPOD_SECRET_${name} }}`;
