import type { Failure } from "../../schema/failure";
import type { Properties } from "../../value";

/** What a program cannot give beside a template. A time limit is a variable. (API: Clusters, create) */
export const besideTemplate = [
  "image",
  "args",
  "entrypoint",
  "cmd",
  "disk",
  "env",
  "ports",
  "mounts",
  "expiresAfter",
] as const;

/** A setting of a cluster from a template. */
export function besideTemplateFailure(inputs: Properties): Failure | undefined {
  const property = besideTemplate.find((name) => inputs[name] !== undefined);
  const reason = "a cluster from a template has no settings of its own: remove it, or remove templateId";
  return property && { property, reason };
}
