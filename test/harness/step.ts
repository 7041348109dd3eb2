import { isDeepStrictEqual } from "node:util";
import type { StepEventMetadata } from "@pulumi/pulumi/automation";

/** One step of the engine: what it does to which resource, and why. */
export interface Step {
  readonly name: string;
  readonly kind: string;
  readonly op: string;
  /** Inputs that differ between the old and the new state. The engine shows these. */
  readonly differs: readonly string[];
  /** Properties whose change replaces the resource. */
  readonly replaces: readonly string[];
}

/** The step of a podlumi resource. Undefined for other resources. */
export function stepOf(metadata: StepEventMetadata | undefined): Step | undefined {
  if (metadata === undefined || !/^(pulumi-nodejs:dynamic\/podlumi|podlumi:index):/.test(metadata.type))
    return undefined;
  return {
    name: nameIn(metadata.urn),
    kind: metadata.type.split(":").at(-1) ?? "",
    op: metadata.op,
    differs: changedKeys(metadata.old?.inputs, metadata.new?.inputs),
    replaces: metadata.keys ?? [],
  };
}

/** The name at the end of a URN. */
export function nameIn(urn = ""): string {
  return urn.split("::").at(-1) ?? "";
}

function changedKeys(old: Record<string, unknown> = {}, now: Record<string, unknown> = {}): string[] {
  const keys = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  // The engine hides properties that begin with two underscores.
  return keys.filter((key) => !key.startsWith("__") && !isDeepStrictEqual(old[key], now[key]));
}
