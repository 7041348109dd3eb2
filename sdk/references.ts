import * as pulumi from "@pulumi/pulumi";
import type { Known } from "./service";

/** A resource of podlumi, to which arguments of others may refer. */
interface Referred {
  readonly resource: pulumi.CustomResource & { readonly reference?: unknown };
  urn(): string | Promise<string>;
}

/** Each resource by itself, and by the output that is its `id`. */
const resources = new WeakMap<object, Referred>();

export function noteResource(resource: Referred["resource"], urn: Referred["urn"]): void {
  const referred = { resource, urn };
  resources.set(resource, referred).set(resource.id, referred);
}

/**
 * The URNs of resources by the path of their id in the arguments: a preview does not know the id of a new resource, but it knows what
 * the program declares of it.
 */
export class Uses {
  readonly urns: Record<string, unknown> = {};
  private readonly later: Promise<unknown>[] = [];

  /** Waits for what may hold more of them. What fails there fails as an argument, too. */
  awaits(value: Promise<unknown>): void {
    this.later.push(value.catch(() => undefined));
  }

  input(): { __uses?: unknown } {
    if (this.later.length > 0) return { __uses: this.all() };
    return Object.keys(this.urns).length > 0 ? { __uses: this.urns } : {};
  }

  private async all(): Promise<object | undefined> {
    // The list grows meanwhile: an output can hold another one.
    for (const one of this.later) await one;
    return Object.keys(this.urns).length > 0 ? this.urns : undefined;
  }
}

/** The arguments, in which each resource of podlumi is replaced by its id, and a secret in `env` by its reference. */
export function withIds(
  values: Record<string, unknown>,
  uses: Uses,
  path = "",
  inEnv = false,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      // The input of a job can have an `env` of its own.
      path === "" ? idOf(value, uses, name, name === "env") : idOf(value, uses, `${path}.${name}`, inEnv),
    ]),
  );
}

function idOf(value: unknown, uses: Uses, path: string, inEnv: boolean): unknown {
  if (Array.isArray(value)) return value.map((item, index) => idOf(item, uses, `${path}[${index}]`, inEnv));
  if (typeof value !== "object" || value === null) return value;
  const referred = resources.get(value);
  if (referred !== undefined) {
    const { id, reference } = referred.resource;
    if (inEnv) return value === referred.resource ? reference || id : value;
    uses.urns[path] = referred.urn();
    return id;
  }
  const replaced = (known: unknown) => idOf(known, uses, path, inEnv);
  // `pulumi.output` would make the whole unknown where a part is.
  if (pulumi.Output.isInstance(value)) {
    const ids: unknown = value.apply(replaced);
    if (!inEnv) uses.awaits((ids as Known).isKnown);
    return ids;
  }
  if (value instanceof Promise) {
    const ids = value.then(replaced);
    if (!inEnv) uses.awaits(ids);
    return ids;
  }
  // Instances of classes stay as they are.
  const isPlain = Object.getPrototypeOf(value) === Object.prototype;
  return isPlain ? withIds(value as Record<string, unknown>, uses, path, inEnv) : value;
}
