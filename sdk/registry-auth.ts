import type * as pulumi from "@pulumi/pulumi";
import { registryAuthShape } from "../provider/resources/registry-auth/outputs";
import type { RegistryAuthArgs, RegistryAuthState } from "../provider/resources/registry-auth/types";
import { Resource } from "./resource";

export type * from "../provider/resources/registry-auth/types";

/**
 * A stored credential for pulling private images. Pass its id as `registry` to a pod, an endpoint or a template.
 *
 * A new user name or password is set in place if the service can do that: over REST if its contract says so, else over
 * GraphQL (`updateRegistryAuth`), which retires in early 2027. If neither can, it replaces the credential. Names are
 * unique, so the replacement deletes the old credential first. The service refuses that while a pod uses the
 * credential.
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

  /** Reads an existing credential by its id. The service returns only its name. Fails when there is none. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): RegistryAuth {
    return new RegistryAuth(name, undefined as never, { ...opts, id });
  }
}
