import { type KindName, pluginTypeOf, typeOf } from "../../identity";
import { isRecord, type Properties } from "../value";

/** What `pulumi:autonaming` says about names that the program does not give. */
export interface Naming {
  readonly mode: "default" | "verbatim" | "disabled";
  /** Such as `${name}-${hex(4)}`. */
  readonly pattern?: string;
}

/**
 * Reads `pulumi:autonaming`, JSON in the stack configuration. The setting for a kind comes first, then the one for the
 * provider, then the one for everything. The engine calls the dynamic provider `pulumi-nodejs`.
 */
export function namingFor(kind: KindName, configured: string | undefined): Naming {
  const all = parsed(configured);
  const providers = ["podlumi", "pulumi-nodejs"].map((name) => record(record(all.providers)[name]));
  const types = [pluginTypeOf(kind), typeOf(kind)];
  const kinds = providers.flatMap(({ resources }) => types.map((type) => record(record(resources)[type])));
  for (const { mode, pattern } of [...kinds, ...providers, all]) {
    if (typeof pattern === "string") return { mode: "default", pattern };
    if (mode === "default" || mode === "verbatim" || mode === "disabled") return { mode };
  }
  return { mode: "default" };
}

function parsed(text = "{}"): Properties {
  try {
    return record(JSON.parse(text));
  } catch {
    return {}; // The engine has refused it already.
  }
}

function record(value: unknown): Properties {
  return isRecord(value) ? value : {};
}
