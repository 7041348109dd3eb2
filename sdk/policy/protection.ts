import type { ResourceValidationPolicy } from "@pulumi/policy";
import type { Unwrap } from "@pulumi/pulumi";
import type { PodArgs } from "../pod";
import type { Look, PolicyOptions } from "./define";
import { keptByAdopted, resourcePolicy } from "./define";
import { checked } from "./options";

/**
 * Resources that hold data have Pulumi's option `protect`: network volumes, global volumes, clusters, and pods with
 * `mounts.persistent`. Pulumi then refuses to delete it, also where a rename without `aliases` would. Pulumi does not show
 * the option `retainOnDelete` to policies, so a resource that has it needs `protect`, too. A pod that is adopted, or that
 * has a template, has to declare `mounts` (`mounts: {}` for none) or be protected.
 *
 * @example
 * ```ts
 * new PolicyPack("data", { policies: [protectedData()] });
 * new podlumi.NetworkVolume("data", { size: 50, dataCenter: "EU-RO-1" }, { protect: true }); // passes
 * ```
 */
export function protectedData(options: PolicyOptions = {}): ResourceValidationPolicy {
  return resourcePolicy(
    {
      name: "protected-data",
      description: "What holds data is protected.",
      ...checked("protectedData", options, {}),
    },
    {
      Cluster: unprotected(() => `a cluster holds data: ${fix}`),
      GlobalVolume: unprotected(() => `a volume holds data: ${fix}`),
      NetworkVolume: unprotected(() => `a volume holds data: ${fix}`),
      Pod: unprotected(({ mounts, adopt, templateId }: Unwrap<PodArgs>) => {
        if (mounts !== undefined)
          return mounts.persistent === undefined ? undefined : `mounts.persistent holds data: ${fix}`;
        if (adopt !== undefined) return keptByAdopted("mounts", `declare it, or ${fix}`);
        return templateId === undefined
          ? undefined
          : `mounts is not declared, and the template may give a mount that holds data: declare it, or ${fix}`;
      }),
    },
  );
}

const fix = "set the resource option protect to true";

/** The violation, if the resource is not protected and holds data. */
function unprotected<P>(why: (properties: P) => string | undefined): Look<P> {
  return (properties, { protect }) => {
    const violation = protect ? undefined : why(properties);
    return violation === undefined ? [] : [violation];
  };
}
