import type { ResourceValidationPolicy } from "@pulumi/policy";
import { typeOf } from "../../provider/identity";
import type { KindName } from "../../provider/resources";

export type Properties = Record<string, unknown>;

/** What a policy says of a resource with these arguments, without an engine. */
export async function violations(
  policy: ResourceValidationPolicy,
  kind: KindName,
  props: Properties,
  opts = { protect: false },
) {
  const found: string[] = [];
  const look = policy.validateResource as (args: object, report: (text: string) => void) => unknown;
  await look({ type: typeOf(kind), props, opts }, (text) => found.push(text));
  return found;
}
