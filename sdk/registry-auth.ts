import type * as pulumi from "@pulumi/pulumi";
import type { AdoptArgs } from "./adopt";
import type { Shape } from "./resource";
import { Resource } from "./resource";

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

const shape: Shape<RegistryAuthState> = {
  outputs: { name: undefined, username: undefined, password: undefined },
  secrets: ["username", "password"],
};

/**
 * A stored credential with which private images are pulled: give its id as `registry` to a pod, an endpoint or
 * a template.
 *
 * A new user name or password is set in place where the service can (GraphQL `updateRegistryAuth`), and
 * replaces the credential where it cannot. The old one is then deleted first, since names are unique, which the
 * service refuses while a pod uses it.
 *
 * @example
 * ```ts
 * const auth = new podlumi.RegistryAuth("ghcr", {
 *   username: "acme-bot",
 *   password: config.requireSecret("ghcrToken"),
 * });
 * ```
 */
export class RegistryAuth extends Resource<RegistryAuthState> {
  constructor(name: string, args: RegistryAuthArgs, opts?: pulumi.CustomResourceOptions) {
    super("RegistryAuth", shape, name, args, opts);
  }

  /** Reads an existing credential by its id: its name only, as the service tells no more. Fails when there is none. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): RegistryAuth {
    return new RegistryAuth(name, undefined as never, { ...opts, id });
  }
}
