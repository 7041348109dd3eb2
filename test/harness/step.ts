import { isDeepStrictEqual } from "node:util";
import type { StepEventMetadata } from "@pulumi/pulumi/automation";

/** One step that the engine announces: what it does to which resource, and why. */
export interface Step {
  readonly name: string;
  readonly kind: string;
  readonly op: string;
  /** Inputs that differ between the state and what is to be, which is what the engine shows. */
  readonly differs: readonly string[];
  /** Properties for which the resource is replaced. */
  readonly replaces: readonly string[];
}

/** The step of a resource of podlumi; undefined for others. */
export function stepOf(metadata: StepEventMetadata | undefined): Step | undefined {
  if (metadata === undefined || !metadata.type.startsWith("pulumi-nodejs:dynamic/podlumi:")) return undefined;
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
  // The engine shows nothing of properties that begin so.
  return keys.filter((key) => !key.startsWith("__") && !isDeepStrictEqual(old[key], now[key]));
}
