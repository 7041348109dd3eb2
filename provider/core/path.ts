import type { Properties } from "./value";

/** The place of a value in others, such as the inputs. */
export type Path = readonly (string | number)[];

/** A path as Pulumi writes it: `mounts.network[0].path`, `env["MY.KEY"]`. */
export function propertyPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    if (!/^[A-Za-z_$][\w$]*$/.test(String(key))) return `${text}[${JSON.stringify(String(key))}]`;
    return text === "" ? String(key) : `${text}.${String(key)}`;
  }, "");
}

/** A nested value; undefined when there is nothing at the path. */
export function at(inputs: Properties, ...path: Path): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === "object" && value !== null ? (value as Properties)[key] : undefined),
    inputs,
  );
}
