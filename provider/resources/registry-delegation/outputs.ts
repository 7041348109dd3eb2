import type { Shape } from "../../core/shape";
import type { RegistryDelegationState } from "./types";

/** What the class of this kind tells about its outputs. */
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
