import type * as pulumi from "@pulumi/pulumi";
import type { AdoptArgs } from "../../core/arguments";

/** Arguments of a {@link Secret}. (API: Secrets) */
export interface SecretArgs extends AdoptArgs {
  /**
   * Name, unique in the account: 1 to 191 letters, digits, `_`, `.`, `-` or `/`, beginning with a letter or `_`,
   * and not with `RUNPOD`. Default: made up from the logical name and digits, and kept for life. A change replaces the secret.
   */
  name?: pulumi.Input<string>;
  /** The value, at most 16 777 215 bytes. Always kept as a secret, never read back. */
  value: pulumi.Input<string>;
}

/** Outputs of a {@link Secret}. */
export interface SecretState {
  /** Unique in the account, and part of {@link Secret.reference}. */
  name: string;
  /** The value of the program, a secret; absent from a secret that is only read. */
  value: string;
  /** What the account's owner noted about it, or null. */
  description: string | null;
  /** When it was made (RFC 3339), or null where the service does not tell. */
  createdAt: string | null;
}
