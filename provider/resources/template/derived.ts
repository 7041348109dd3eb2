import { createHash } from "node:crypto";

/** The settings that an endpoint takes over when its template is applied again. (API: Templates) */
const ofEndpoints = ["image", "args", "disk", "env", "ports", "registry"] as const;

/** The settings that the service copies from a template to a pod. (API: Templates) */
const ofPods = [...ofEndpoints, "mounts", "startSsh", "startJupyter", "allowedCudaVersions"] as const;

/** The settings of a template on which its revision depends. */
export const revised = [...ofPods, "entrypoint", "cmd", "serverless"] as const;

/** The settings of a template, from the program or from the service. */
export type Settings<Value = unknown> = { readonly [name in (typeof revised)[number]]?: Value };

/** A short text that changes when a copied setting changes. */
export function revisionOf({
  serverless,
  startSsh = true,
  startJupyter = true,
  ...settings
}: Settings): string {
  const whole = { ...settings, args: argsOf(settings), startSsh, startJupyter };
  const relevant = serverless ? ofEndpoints : ofPods;
  const form = (name: (typeof ofPods)[number]) =>
    name === "env" ? variables(whole.env) : canonical(whole[name]);
  const text = JSON.stringify(relevant.map((name) => form(name) ?? null));
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}

/** The command in one text: in a list, the order counts. An empty list is as none. */
function argsOf({ args, entrypoint, cmd }: Settings): unknown {
  const filled = Object.entries({ entrypoint, cmd }).filter(([, list]) => canonical(list) !== undefined);
  return args === undefined && filled.length > 0 ? JSON.stringify(Object.fromEntries(filled)) : args;
}

/** Gives equal variables one form. One with an empty text is set, too. */
function variables(env: unknown): unknown {
  const set = Object.entries(Object(env)).filter(([, text]) => text !== undefined && text !== null);
  return set.length === 0 ? undefined : Object.fromEntries(set.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Gives equal settings one form: lists of plain values are sets, the order of keys does not matter, and empty means not set. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : [...new Set(value.map(canonical))].sort();
  if (typeof value !== "object" || value === null) return value === "" || value === null ? undefined : value;
  const entries = Object.entries(value).map(([key, inner]) => [key, canonical(inner)] as const);
  const given = entries.filter(([, inner]) => inner !== undefined).sort(([a], [b]) => (a < b ? -1 : 1));
  return given.length === 0 ? undefined : Object.fromEntries(given);
}
