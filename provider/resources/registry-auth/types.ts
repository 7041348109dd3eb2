import type * as pulumi from "@pulumi/pulumi";
import type { AdoptArgs } from "../../schema/arguments";

/** Arguments of a {@link RegistryAuth}. (API: Registry credentials, create) */
export interface RegistryAuthArgs extends AdoptArgs {
  /** Name, unique in the account. Default: generated once from the logical name and digits. A change replaces the credential. */
  name?: pulumi.Input<string | undefined>;
  /** User name at the registry. Always a secret in the state, never read back. */
  username: pulumi.Input<string>;
  /** Password or token at the registry. Always a secret in the state, never read back. */
  password: pulumi.Input<string>;
  /** Seconds, 1 to 86400, for which a deletion waits while something names the credential. Default 180. */
  deleteTimeout?: pulumi.Input<number | undefined>;
}

/** Outputs of a {@link RegistryAuth}. */
export interface RegistryAuthState {
  /** Name, unique in the account. */
  name: string;
  /** The user name that the program gives, a secret; absent when the credential is only read. */
  username: string;
  /** The password that the program gives, a secret; absent when the credential is only read. */
  password: string;
}
