import type * as pulumi from "@pulumi/pulumi";
import type { AdoptArgs } from "../../core/arguments";

/** Arguments of a {@link RegistryDelegation}. (API: Registry delegations, create) */
export interface RegistryDelegationArgs extends AdoptArgs {
  /** Name; need not be unique. Default: made up from the logical name and digits, and kept for life. A change replaces the delegation. */
  name?: pulumi.Input<string>;
  /**
   * ARN of an image in ECR with its tag, e.g. `arn:aws:ecr:us-east-2:123456789012:repository/acme/worker:v1`. The
   * image must exist. A change replaces the delegation.
   */
  resource: pulumi.Input<string>;
}

/** Outputs of a {@link RegistryDelegation}. */
export interface RegistryDelegationState {
  /** Not unique in the account; null where somebody else made it without one. */
  name: string | null;
  /** The ARN of the program; undefined for one that is only read. */
  resource: string | undefined;
  /** AWS account or role that owns the repository. */
  awsUser: string;
  /** AWS region of the repository, e.g. `us-east-2`. */
  awsRegion: string;
  /** Repository in ECR, without registry and tag, e.g. `acme/worker`. */
  repository: string;
  /** Tag of the image that may be pulled. */
  tag: string;
  /** Host of the registry, the first part of the image's name; undefined where the service does not tell. */
  dockerRegistryUri: string | undefined;
  /** The user of this service who made it. */
  delegatorUserId: string;
  /** RFC 3339. */
  createdAt: string;
}
