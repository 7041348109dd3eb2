import { createHash } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";

/** The settings that the service copies from a template to a pod. Endpoints get the first six only. (API: Templates) */
const copied = [
  "image",
  "args",
  "disk",
  "env",
  "ports",
  "registry",
  "mounts",
  "startSsh",
  "startJupyter",
  "allowedCudaVersions",
] as const;

/** The settings of a template, from the program or from the service. */
type Settings = { readonly [name in (typeof copied)[number] | "serverless"]?: pulumi.Input<unknown> };

/**
 * A short text that changes when a copied setting changes. The program computes it, so a preview knows it when it knows
 * the settings. It is a secret when one of the settings is.
 */
export function revisionOf(id: pulumi.Output<string>, template: Settings): pulumi.Output<string> {
  const settings = Object.fromEntries(
    [...copied, "serverless" as const].map((name) => [name, template[name]]),
  );
  // The id is not in the digest. It makes users of the revision wait until the service has the settings.
  return pulumi.all([pulumi.output(settings), id]).apply(([known]) => digest(known));
}

function digest({ serverless, startSsh = true, startJupyter = true, ...settings }: Record<string, unknown>) {
  const whole = { ...settings, startSsh, startJupyter };
  const relevant = serverless ? copied.slice(0, 6) : copied;
  const text = JSON.stringify(relevant.map((name) => canonical(whole[name as keyof typeof whole]) ?? null));
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}

/** Gives equal settings one form: the order of keys and of plain lists does not matter, and empty means not set. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(canonical).sort();
  if (typeof value !== "object" || value === null) return value === "" || value === null ? undefined : value;
  const entries = Object.entries(value).map(([key, inner]) => [key, canonical(inner)] as const);
  const given = entries.filter(([, inner]) => inner !== undefined).sort(([a], [b]) => (a < b ? -1 : 1));
  return given.length === 0 ? undefined : Object.fromEntries(given);
}
