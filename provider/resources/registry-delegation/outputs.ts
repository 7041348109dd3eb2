import type { Shape } from "../../core/kind/shape";
import type { RegistryDelegationState } from "./types";

/** The outputs of the class. */
export const registryDelegationShape: Shape<RegistryDelegationState> = {
  outputs: {
    name: undefined,
    resource: undefined,
    awsUser: undefined,
    awsRegion: undefined,
    repository: undefined,
    tag: undefined,
    dockerRegistryUri: undefined,
    delegatorUserId: undefined,
    createdAt: undefined,
  },
};
