import type { Failure } from "../../schema/failure";
import type { Properties } from "../../value";
import { containerFields } from "../container";

// A cluster takes no credential. (API: Clusters, create)
const { registry, ...settings } = containerFields;

export { settings };

/** Arguments that do not go beside a template. A time limit is a variable. (API: Clusters, create) */
export const besideTemplate = [...Object.keys(settings), "mounts", "expiresAfter"];

/** A setting of a cluster from a template. */
export function besideTemplateFailure(inputs: Properties): Failure | undefined {
  const property = besideTemplate.find((name) => inputs[name] !== undefined);
  const reason = "a cluster from a template has no settings of its own: remove it, or remove templateId";
  return property === undefined ? undefined : { property, reason };
}
