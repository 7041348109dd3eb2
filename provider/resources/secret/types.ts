import type * as pulumi from "@pulumi/pulumi";
import type { AdoptArgs } from "../../schema/arguments";

/** Arguments of a {@link Secret}. (API: Secrets) */
export interface SecretArgs extends AdoptArgs {
  /**
   * Name, unique in the account: 1 to 191 letters, digits, `_`, `.`, `-` or `/`. It begins with a letter or `_`, but
   * not with `RUNPOD`. Default: generated once from the logical name and digits. A change replaces the secret.
   */
  name?: pulumi.Input<string | undefined>;
  /**
   * A description for people, at most 65 000 bytes. podlumi's mark of ownership follows it at the service, and is no part of this. Changed
   * in place if the service can do that; if not, it replaces the secret. Default `""`.
   */
  description?: pulumi.Input<string | undefined>;
  /** The value, at most 16 777 215 bytes. Always a secret in the state, never read back. */
  value: pulumi.Input<string>;
}

/** How containers get the value of a {@link Secret}. */
export interface SecretReference {
  /** The placeholder for the value in `env`: `{{ RUNPOD_SECRET_name }}`. */
  reference: string;
}

/** Outputs of a {@link Secret}. */
export interface SecretState {
  /** Name, unique in the account. {@link Secret.reference} contains it. */
  name: string;
  /** The value that the program gives, as a Pulumi secret; absent when the secret is only read. */
  value: string;
  /** The description without podlumi's mark, or null. */
  description: string | null;
  /**
   * Time of the last change of the value (RFC 3339), or null when it never changed. Absent over GraphQL. When somebody
   * else sets the value, a refresh shows it, and the next `pulumi up` sets the program's again.
   */
  valueLastUpdatedAt?: string | null;
  /** Time of creation (RFC 3339), or null when the service does not say. */
  createdAt: string | null;
}
