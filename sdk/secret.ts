import type * as pulumi from "@pulumi/pulumi";
import { referenceTo, secretShape } from "../provider/resources/secret/outputs";
import type { SecretArgs, SecretState } from "../provider/resources/secret/types";
import { Resource } from "./resource";

export type * from "../provider/resources/secret/types";

/**
 * A sensitive value that the service stores and puts into containers when they start.
 *
 * A new value is set in place if the service can do that. If not, it replaces the secret. Running containers keep the
 * old value until they restart. To roll out the new one, change any variable of their `env`, such as `TOKEN_VERSION: "2"`: that restarts a
 * pod, and gives an endpoint a new release with new workers.
 *
 * @example
 * ```ts
 * const token = new podlumi.Secret("hf_token", { value: config.requireSecret("hfToken") });
 * new podlumi.Template("chat", { image: "vllm/vllm-openai:v0.11.0", env: { HF_TOKEN: token.reference } });
 * ```
 */
export class Secret extends Resource<SecretState> {
  constructor(name: string, args: SecretArgs, opts?: pulumi.CustomResourceOptions) {
    super("Secret", secretShape, name, args, opts);
  }

  /** The placeholder for the value in `env`: `{{ RUNPOD_SECRET_name }}`. The placeholder is secret only if the name is. */
  get reference(): pulumi.Output<string> {
    return this.name.apply(referenceTo);
  }

  /** Reads an existing secret by its id, without its value. Fails when there is none. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Secret {
    return new Secret(name, undefined as never, { ...opts, id });
  }
}
