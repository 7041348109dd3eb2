import { createHash } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";

/** What the service copies from a template to a pod; to an endpoint, it copies the first six. (API: Templates) */
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

/** The settings of a template, of the program or of the service. */
type Settings = { readonly [name in (typeof copied)[number] | "serverless"]?: pulumi.Input<unknown> };

/**
 * A short text that changes when a setting does that is copied. It is made in the program, so that a preview knows it
 * as far as it knows the settings, and it is a secret when one of them is.
 */
export function revisionOf(id: pulumi.Output<string>, template: Settings): pulumi.Output<string> {
  const settings = Object.fromEntries(
    [...copied, "serverless" as const].map((name) => [name, template[name]]),
  );
  // The id is no part of it, but whoever uses the revision has to wait until the service has the settings.
  return pulumi.all([pulumi.output(settings), id]).apply(([known]) => digest(known));
}

function digest({ serverless, startSsh = true, startJupyter = true, ...settings }: Record<string, unknown>) {
  const whole = { ...settings, startSsh, startJupyter };
  const relevant = serverless ? copied.slice(0, 6) : copied;
  const text = JSON.stringify(relevant.map((name) => canonical(whole[name as keyof typeof whole]) ?? null));
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}

/** What means the same is the same: the order of keys and of plain lists is free, and empty is not set. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(canonical).sort();
  if (typeof value !== "object" || value === null) return value === "" || value === null ? undefined : value;
  const entries = Object.entries(value).map(([key, inner]) => [key, canonical(inner)] as const);
  const given = entries.filter(([, inner]) => inner !== undefined).sort(([a], [b]) => (a < b ? -1 : 1));
  return given.length === 0 ? undefined : Object.fromEntries(given);
}
