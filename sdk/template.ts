import type * as pulumi from "@pulumi/pulumi";
import { templateShape } from "../provider/resources/template/outputs";
import type { TemplateArgs, TemplateState } from "../provider/resources/template/types";
import { Resource } from "./resource";
import { revisionOf } from "./revision";

export * from "../provider/resources/template/types";

/**
 * A reusable container configuration for pods or for endpoints. The service copies it when something is made
 * from it: a later edit does not reach what exists, unless that is given the template's {@link Template.revision}.
 *
 * The service refuses to delete a template that is in use, or was up to two minutes ago: deletion is tried again
 * until it is free.
 *
 * @example
 * ```ts
 * const template = new podlumi.Template("vllm", {
 *   image: "vllm/vllm-openai:v0.11.0",
 *   disk: 40,
 *   serverless: true,
 *   env: { MODEL: "Qwen/Qwen3-8B" },
 * });
 * ```
 */
export class Template extends Resource<TemplateState> {
  /**
   * Changes when the settings change that are copied from the template, and not with its name, readme, category or
   * publicity. For the `templateRevision` of what is made from it. It follows from what the program says, so that a
   * preview shows what will roll out, and is a secret when a part of that is.
   *
   * @example
   * ```ts
   * new podlumi.Pod("trainer", { templateId: template.id, templateRevision: template.revision, gpu });
   * ```
   */
  readonly revision: pulumi.Output<string>;

  constructor(name: string, args: TemplateArgs, opts?: pulumi.CustomResourceOptions) {
    super("Template", templateShape, name, args, opts);
    this.revision = revisionOf(this.id, opts?.id === undefined ? (args ?? {}) : this);
  }

  /** Reads an existing template by its id; its `env` is then a secret. Fails when there is none. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Template {
    return new Template(name, undefined as never, { ...opts, id });
  }
}
