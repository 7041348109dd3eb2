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

/** The name of the image that may be pulled, as containers are given it. */
export function imageOf({
  awsUser,
  awsRegion,
  repository,
  tag,
  dockerRegistryUri,
}: Pick<
  RegistryDelegationState,
  "awsUser" | "awsRegion" | "repository" | "tag" | "dockerRegistryUri"
>): string {
  const host = dockerRegistryUri ?? `${awsUser}.dkr.ecr.${awsRegion}.amazonaws.com`;
  return `${host}/${repository}:${tag}`;
}
