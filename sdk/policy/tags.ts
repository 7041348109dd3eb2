import type { ResourceValidationPolicy } from "@pulumi/policy";
import type { Look, PolicyOptions } from "./define";
import { resourcePolicy } from "./define";
import { checked } from "./options";

/** The tags that everything must have. */
export interface RequiredTagsOptions extends PolicyOptions {
  /** Keys of tags. */
  keys: readonly string[];
  /** The allowed values of some of these keys. Default: any value. */
  allowed?: Readonly<Record<string, readonly string[]>>;
}

/**
 * Pods, endpoints, clusters and network volumes have these tags, from their own argument `tags` or from `defaultTags` of the
 * provider. An object that the program adopts has to declare them, too.
 *
 * @example
 * ```ts
 * requiredTags({ keys: ["team", "env"], allowed: { env: ["dev", "prod"] } });
 * ```
 */
export function requiredTags(options: RequiredTagsOptions): ResourceValidationPolicy {
  const known = checked("requiredTags", options, { keys: "texts" }, { allowed: "textsByKey" });
  const { keys, allowed = {}, ...rest } = known;
  const look: Look<{ tags?: Record<string, string> }> = ({ tags = {} }) =>
    keys.flatMap((key) => {
      const [value, values] = [tags[key], allowed[key]];
      const choose = values === undefined ? "" : `: choose from ${values.join(", ")}`;
      if (value === undefined) return [`tags.${key} is missing${choose}`];
      return values?.includes(value) === false
        ? [`tags.${key} is "${value}", which is not allowed${choose}`]
        : [];
    });
  return resourcePolicy(
    { name: "required-tags", description: `Everything has the tags ${keys.join(", ")}.`, ...rest },
    { Cluster: look, NetworkVolume: look, Pod: look, ServerlessEndpoint: look },
  );
}
