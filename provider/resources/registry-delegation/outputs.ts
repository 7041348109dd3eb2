import { plain, type Shape } from "../../schema/shape";
import type { RegistryDelegationArgs, RegistryDelegationState } from "./types";

export const registryDelegationShape: Shape<RegistryDelegationState, RegistryDelegationArgs> = {
  outputs: plain(
    "name",
    "resource",
    "awsUser",
    "awsRegion",
    "repository",
    "tag",
    "dockerRegistryUri",
    "image",
    "delegatorUserId",
    "createdAt",
  ),
  otherInputs: {},
};

type NameParts = "awsUser" | "awsRegion" | "repository" | "tag" | "dockerRegistryUri";

/** The name of the image that may be pulled, as containers are given it. */
export function imageOf(parts: Pick<RegistryDelegationState, NameParts>): string {
  const host = parts.dockerRegistryUri ?? `${parts.awsUser}.dkr.ecr.${parts.awsRegion}.amazonaws.com`;
  return `${host}/${parts.repository}:${parts.tag}`;
}
