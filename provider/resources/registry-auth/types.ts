import type * as pulumi from "@pulumi/pulumi";
import type { AdoptArgs } from "../../core/arguments";

/** Arguments of a {@link RegistryAuth}. (API: Registry credentials, create) */
export interface RegistryAuthArgs extends AdoptArgs {
  /** Name, unique in the account. Default: made up from the logical name and digits, and kept for life. A change replaces the credential. */
  name?: pulumi.Input<string>;
  /** User name at the registry. Kept as a secret, never read back. */
  username: pulumi.Input<string>;
  /** Password or token at the registry. Kept as a secret, never read back. */
  password: pulumi.Input<string>;
  /** Seconds for which its deletion is tried again; the service refuses to delete the credential while a pod uses it. Default 180. */
  deleteTimeout?: pulumi.Input<number>;
}

/** Outputs of a {@link RegistryAuth}. */
export interface RegistryAuthState {
  /** Unique in the account. */
  name: string;
  /** The user name of the program, a secret; absent from a credential that is only read. */
  username: string;
  /** The password of the program, a secret; absent from a credential that is only read. */
  password: string;
}
