import type { RegistryDelegationState } from "./types";

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
