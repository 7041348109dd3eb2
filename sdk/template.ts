import type * as pulumi from "@pulumi/pulumi";
import { templateShape } from "../provider/resources/template/outputs";
import type { TemplateArgs, TemplateState } from "../provider/resources/template/types";
import { declarationOf, Resource } from "./resource";
import { revisionOutput } from "./revision";

export type * from "../provider/resources/template/types";

/**
 * A reusable container configuration for pods or for endpoints. The service copies it into each pod or endpoint that is
 * created from it, so a later edit does not reach existing ones. To roll out edits, pass {@link Template.revision} to
 * them.
 *
 * The service refuses to delete a template that is in use, or that was in use up to two minutes ago. The deletion is
 * retried for `deleteTimeout` seconds.
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
   * Pass it as `templateRevision` to the pods and endpoints of the template: a preview then shows what will roll out. It
   * changes with each setting that the service copies from the template, which are all but name, readme, category and
   * `public`, and of a serverless one also but `startSsh`, `startJupyter` and `allowedCudaVersions`. It is computed from
   * the settings in the program. If the program drops `disk`, the revision changes with the next update, although the
   * template keeps its size: leave `disk` in the program. A template that a run leaves alone, because of `--target` or
   * `ignoreChanges`, keeps its revision. It is a secret when one of the settings is.
   *
   * @example
   * ```ts
   * new podlumi.Pod("trainer", { templateId: template.id, templateRevision: template.revision, gpu });
   * ```
   */
  declare readonly revision: pulumi.Output<string>;

  constructor(name: string, args: TemplateArgs, opts?: pulumi.CustomResourceOptions) {
    super("Template", templateShape, name, args, opts);
    // The base class has made it from the provider's output.
    const settings = opts?.id === undefined ? declarationOf(this).inputs : this;
    this.revision = revisionOutput(this.revision, settings, this.urn);
  }

  /** Reads an existing template by its id. Its `env` is then a secret. Fails when there is none. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Template {
    return new Template(name, undefined as never, { ...opts, id });
  }
}
