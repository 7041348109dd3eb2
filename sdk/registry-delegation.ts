import * as pulumi from "@pulumi/pulumi";
import { imageOf, registryDelegationShape } from "../provider/resources/registry-delegation/outputs";
import type {
  RegistryDelegationArgs,
  RegistryDelegationState,
} from "../provider/resources/registry-delegation/types";
import { Resource } from "./resource";

export type * from "../provider/resources/registry-delegation/types";

/**
 * Lets the service pull an image from a private repository of AWS Elastic Container Registry (ECR), without a stored
 * password. The repository's own policy in AWS has to allow it as well.
 *
 * @example
 * ```ts
 * const delegation = new podlumi.RegistryDelegation("ecr", {
 *   resource: "arn:aws:ecr:us-east-2:123456789012:repository/acme/worker:v1",
 * });
 * new podlumi.Pod("worker", { image: delegation.image, gpu: { id: "NVIDIA L4" } });
 * ```
 */
export class RegistryDelegation extends Resource<RegistryDelegationState> {
  constructor(name: string, args: RegistryDelegationArgs, opts?: pulumi.CustomResourceOptions) {
    super("RegistryDelegation", registryDelegationShape, name, args, opts);
    // A state of an earlier release does not have it.
    const { awsUser, awsRegion, repository, tag, dockerRegistryUri } = this;
    const image = pulumi.output({ awsUser, awsRegion, repository, tag, dockerRegistryUri }).apply(imageOf);
    Object.assign(this, { image });
  }

  /** Reads an existing delegation by its id. Fails when there is none. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): RegistryDelegation {
    return new RegistryDelegation(name, undefined as never, { ...opts, id });
  }
}
