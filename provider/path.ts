/** The place of a value in others, such as the inputs. */
export type Path = readonly PropertyKey[];

/** A path as Pulumi writes it: `mounts.network[0].path`, `env["MY.KEY"]`. */
export function propertyPath(path: Path): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    if (!/^[A-Za-z_$][\w$]*$/.test(String(key))) return `${text}[${JSON.stringify(String(key))}]`;
    return text === "" ? String(key) : `${text}.${String(key)}`;
  }, "");
}

/** Undefined when there is nothing at the path. */
export function at(value: unknown, ...path: Path): unknown {
  return path.reduce(
    (inner, key) =>
      typeof inner === "object" && inner !== null ? (inner as Record<PropertyKey, unknown>)[key] : undefined,
    value,
  );
}
