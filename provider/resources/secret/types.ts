import type * as pulumi from "@pulumi/pulumi";
import type { AdoptArgs } from "../../schema/arguments";

/** Arguments of a {@link Secret}. (API: Secrets) */
export interface SecretArgs extends AdoptArgs {
  /**
   * Name, unique in the account: 1 to 191 letters, digits, `_`, `.`, `-` or `/`, from a letter or `_` on, not
   * `RUNPOD`. Default: generated once from the logical name and digits. A change replaces the secret.
   */
  name?: pulumi.Input<string | undefined>;
  /**
   * A description for people, at most 65 000 bytes, before podlumi's mark. Replaces the secret where the service is
   * older. Default `""`.
   */
  description?: pulumi.Input<string | undefined>;
  /** The value, at most 16 777 215 bytes. Always a secret in the state, never read back. */
  value: pulumi.Input<string>;
  /** Seconds, 1 to 86400, for which a deletion waits while something names the secret. Default 180. */
  deleteTimeout?: pulumi.Input<number | undefined>;
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
   * Time of the last change of the value (RFC 3339), null when it never changed. If somebody else sets it, a refresh
   * shows that, and the next `pulumi up` restores the program's.
   */
  valueLastUpdatedAt?: string | null;
  /** Time of creation (RFC 3339), or null when the service does not say. */
  createdAt: string | null;
}
