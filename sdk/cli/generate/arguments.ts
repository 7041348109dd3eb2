import type { z } from "zod";
import type { Observed } from "../../../provider/core/definition";
import type { Field } from "../../../provider/core/field";
import { withoutPlatform } from "../../../provider/core/platform";
import { covers, isEmpty, isRecord, type Properties } from "../../../provider/core/value";
import type { KindName } from "../../../provider/identity";
import { definitionOf } from "../kinds";

/** The arguments that declare an object: all that is not a default, in the shape that a program writes. */
export function argumentsOf(kind: KindName, observed: Observed): Properties {
  const fields = Object.entries(definitionOf(kind).fields as Record<string, Field>);
  const own = { ...observed, ...derived(kind, observed) };
  const args = fields.map(([name, field]) => [name, argument(field, own[name])]);
  return Object.fromEntries(args.filter(([, value]) => value !== undefined));
}

/** What the service answers under another name, or in parts. */
function derived(kind: KindName, observed: Observed): Properties {
  switch (kind) {
    case "Pod":
      return { env: withoutPlatform(observed.env), templateId: observed.template };
    case "RegistryDelegation": {
      const { awsRegion, awsUser, repository, tag } = observed;
      return { resource: `arn:aws:ecr:${awsRegion}:${awsUser}:repository/${repository}:${tag}` };
    }
    case "Cluster":
    case "ServerlessEndpoint":
      return { env: withoutPlatform(observed.env) };
    default:
      return {};
  }
}

function argument(field: Field, observed: unknown): unknown {
  if (field.change === "none" || isEmpty(observed)) return undefined;
  if ("cleared" in field && covers(observed, field.cleared)) return undefined;
  const written = field.normalize && field.wire ? field.wire(observed) : observed;
  if (written === field.default) return undefined;
  return fitted(field.schema, withoutDefaults(field, written));
}

/** An object without the keys that hold what they hold by default. */
function withoutDefaults({ clearedKeys = {} }: Field, value: unknown): unknown {
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(
    ([key, item]) => !isEmpty(item) && !(key in clearedKeys && covers(item, clearedKeys[key])),
  );
  return Object.fromEntries(kept);
}

/** A value without the keys that no program writes; undefined where it cannot be written at all. */
function fitted(schema: z.ZodType, value: unknown): unknown {
  const fit = structuredClone({ value });
  for (const issue of schema.safeParse(value).error?.issues ?? []) {
    if (issue.code !== "unrecognized_keys") return undefined;
    const holder = issue.path.reduce<unknown>((inner, key) => (inner as Properties)[String(key)], fit.value);
    for (const key of issue.keys) delete (holder as Properties)[key];
  }
  return schema.safeParse(fit.value).success ? fit.value : undefined;
}
