import type * as pulumi from "@pulumi/pulumi";
import { nearestProperty } from "../provider/did-you-mean";
import type { ShapeOf } from "../provider/schema/shape";

type Names = Pick<ShapeOf<object>, "outputs" | "otherInputs">;

/**
 * Options with the arguments in place of `*` in `ignoreChanges`: Pulumi takes that for podlumi's own inputs, too, by which the provider knows
 * the resource and its provider. A name that podlumi has made up, it keeps by itself.
 */
export function withArgumentsIgnored(
  opts: pulumi.CustomResourceOptions,
  { outputs, otherInputs }: Names,
  inputs: object,
): pulumi.CustomResourceOptions {
  const { ignoreChanges = [] } = opts;
  if (!ignoreChanges.includes("*")) return opts;
  const all = new Set(Object.keys({ ...outputs, ...otherInputs, ...inputs }));
  if (!("name" in inputs)) all.delete("name");
  // The engine goes by the order, and complains of a path below an argument that the program has taken out.
  return { ...opts, ignoreChanges: [...all, ...ignoreChanges.filter((one) => one !== "*")] };
}

/** Warnings of paths in `ignoreChanges` that begin with no argument. Pulumi says nothing of them, and ignores nothing. */
export function misspeltIn(paths: readonly string[] = [], { outputs, otherInputs }: Names): string[] {
  const names = Object.keys({ ...outputs, ...otherInputs, adopt: undefined });
  return paths.flatMap((path) => {
    const [, quoted, plain = quoted] = /^\["([^"]+)"\]|^([^.[]+)/.exec(path) ?? [];
    if (plain === undefined || plain === "*" || names.includes(plain)) return [];
    return `ignoreChanges: "${path}" is no argument, so Pulumi ignores nothing by it${nearestProperty(plain, names)} [PODLUMI-ODD]`;
  });
}
