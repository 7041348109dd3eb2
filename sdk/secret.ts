import * as pulumi from "@pulumi/pulumi";
import type { AdoptArgs } from "./adopt";
import type { Shape } from "./resource";
import { Resource } from "./resource";

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

const shape: Shape<SecretState> = {
  outputs: { name: undefined, value: undefined, description: undefined, createdAt: undefined },
  secrets: ["value"],
};

/**
 * A sensitive value that the service stores and puts into containers when they boot.
 *
 * A new value is set in place where the service can, and replaces the secret where it cannot. Containers that
 * run keep the old value until they restart.
 *
 * @example
 * ```ts
 * const token = new podlumi.Secret("hf_token", { value: config.requireSecret("hfToken") });
 * new podlumi.Template("vllm", { image: "vllm/vllm-openai:v0.11.0", env: { HF_TOKEN: token.reference } });
 * ```
 */
export class Secret extends Resource<SecretState> {
  constructor(name: string, args: SecretArgs, opts?: pulumi.CustomResourceOptions) {
    super("Secret", shape, name, args, opts);
  }

  /** The text that stands for the value in `env`: `{{ RUNPOD_SECRET_name }}`. It is no secret itself. */
  get reference(): pulumi.Output<string> {
    return pulumi.interpolate`{{ RUNPOD_SECRET_${this.name} }}`;
  }

  /** Reads an existing secret by its id: all but its value. Fails when there is none. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Secret {
    return new Secret(name, undefined as never, { ...opts, id });
  }
}
