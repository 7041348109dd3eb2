import type * as pulumi from "@pulumi/pulumi";
import { registryAuthShape } from "../provider/resources/registry-auth/outputs";
import type { RegistryAuthArgs, RegistryAuthState } from "../provider/resources/registry-auth/types";
import { Resource } from "./resource";

export * from "../provider/resources/registry-auth/types";

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
    super("RegistryAuth", registryAuthShape, name, args, opts);
  }

  /** Reads an existing credential by its id: its name only, as the service tells no more. Fails when there is none. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): RegistryAuth {
    return new RegistryAuth(name, undefined as never, { ...opts, id });
  }
}
