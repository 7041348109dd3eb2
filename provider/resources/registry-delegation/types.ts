import type * as pulumi from "@pulumi/pulumi";
import type { AdoptArgs } from "../../schema/arguments";

/** Arguments of a {@link RegistryDelegation}. (API: Registry delegations, create) */
export interface RegistryDelegationArgs extends AdoptArgs {
  /** Name; need not be unique. Default: generated once from the logical name and digits. A change replaces the delegation. */
  name?: pulumi.Input<string | undefined>;
  /**
   * ARN of an image in ECR with its tag, e.g. `arn:aws:ecr:us-east-2:123456789012:repository/acme/worker:v1`, or its
   * name, if the service answers "Invalid ARN format". Another image replaces the delegation.
   */
  resource: pulumi.Input<string>;
}

/** Outputs of a {@link RegistryDelegation}. */
export interface RegistryDelegationState {
  /** Name; need not be unique. Null when it was created without a name outside podlumi. */
  name: string | null;
  /** As the program gives it; undefined when the delegation is only read. */
  resource: string | undefined;
  /** AWS account or role that owns the repository. */
  awsUser: string;
  /** AWS region of the repository, e.g. `us-east-2`. */
  awsRegion: string;
  /** Repository in ECR, without registry and tag, e.g. `acme/worker`. */
  repository: string;
  /** Tag of the image that may be pulled. */
  tag: string;
  /** Host of the registry, the first part of the image's name; undefined when the service does not say. */
  dockerRegistryUri: string | undefined;
  /** The name of the image, for `image` of what runs it, which then waits for the delegation. */
  image: string;
  /** Id of the RunPod user who created it. */
  delegatorUserId: string;
  /** Time of creation (RFC 3339). */
  createdAt: string;
}
