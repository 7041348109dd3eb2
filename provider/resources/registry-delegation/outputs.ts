import type { Shape } from "../../schema/shape";
import type { RegistryDelegationArgs, RegistryDelegationState } from "./types";

/** The outputs and the other arguments of the class. */
export const registryDelegationShape: Shape<RegistryDelegationState, RegistryDelegationArgs> = {
  outputs: {
    name: undefined,
    resource: undefined,
    awsUser: undefined,
    awsRegion: undefined,
    repository: undefined,
    tag: undefined,
    dockerRegistryUri: undefined,
    image: undefined,
    delegatorUserId: undefined,
    createdAt: undefined,
  },
  otherInputs: {},
};
