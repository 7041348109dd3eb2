import type { ResourceValidationPolicy } from "@pulumi/policy";
import type { Unwrap } from "@pulumi/pulumi";
import { defaultWorkers } from "../../provider/resources/serverless-endpoint/outputs";
import type { ServerlessEndpointArgs } from "../serverless-endpoint";
import type { TemplateArgs } from "../template";
import type { PolicyOptions } from "./define";
import { keptByAdopted, resourcePolicy } from "./define";
import { checked } from "./options";

/**
 * No template may be public to other accounts. A template that the program adopts has to declare `public`.
 *
 * @example
 * ```ts
 * new PolicyPack("private", { policies: [noPublicTemplates()] });
 * ```
 */
export function noPublicTemplates(options: PolicyOptions = {}): ResourceValidationPolicy {
  return resourcePolicy(
    {
      name: "no-public-templates",
      description: "Templates are for this account only.",
      ...checked("noPublicTemplates", options, {}),
    },
    {
      Template(template: Unwrap<TemplateArgs>) {
        if (template.public === undefined && template.adopt !== undefined)
          return [keptByAdopted("public", "set it to false")];
        return template.public ? ["public is true, so that every account may use it: remove it"] : [];
      },
    },
  );
}

/** How long a worker may be idle. */
export interface IdleTimeoutOptions extends PolicyOptions {
  /** Seconds. Default: any number, but the program has to set one. */
  max?: number;
}

/**
 * Endpoints set `workers.idleTimeout`, the time for which an idle worker keeps running and costing. QUEUE endpoints
 * that scale on REQUEST_COUNT have no such setting and pass.
 *
 * @example
 * ```ts
 * requiredIdleTimeout({ max: 60 });
 * ```
 */
export function requiredIdleTimeout(options: IdleTimeoutOptions = {}): ResourceValidationPolicy {
  const known = checked("requiredIdleTimeout", options, {}, { max: "number" });
  const { max = Number.POSITIVE_INFINITY, ...rest } = known;
  const most = max === Number.POSITIVE_INFINITY ? "" : `, at most ${max} s`;
  return resourcePolicy(
    { name: "required-idle-timeout", description: `Endpoints have an idle timeout${most}.`, ...rest },
    {
      ServerlessEndpoint({ type, scaling, workers }: Unwrap<ServerlessEndpointArgs>) {
        if (type === "QUEUE" && scaling.type === "REQUEST_COUNT") return [];
        const seconds = workers?.idleTimeout;
        if (seconds === undefined) return [`workers.idleTimeout is missing: set it${most}`];
        return seconds > max ? [`workers.idleTimeout is ${seconds} s: set it to ${max} s or less`] : [];
      },
    },
  );
}

/** How many workers an endpoint may have. */
export interface MaxWorkersOptions extends PolicyOptions {
  /** The most workers of an endpoint. */
  max: number;
}

/**
 * No endpoint may have more than `max` workers. An endpoint without `workers.max` counts with 3, its default; one that
 * the program adopts has to declare it.
 *
 * @example
 * ```ts
 * maxWorkers({ max: 5 });
 * ```
 */
export function maxWorkers(options: MaxWorkersOptions): ResourceValidationPolicy {
  const { max, ...rest } = checked("maxWorkers", options, { max: "number" });
  return resourcePolicy(
    { name: "max-workers", description: `Endpoints have at most ${max} workers.`, ...rest },
    {
      ServerlessEndpoint({ workers, adopt }: Unwrap<ServerlessEndpointArgs>) {
        if (workers?.max === undefined && adopt !== undefined)
          return [keptByAdopted("workers.max", `set it to ${max} or less`)];
        const most = workers?.max ?? defaultWorkers.max;
        return most > max ? [`workers.max is ${most}: set it to ${max} or less`] : [];
      },
    },
  );
}
