type Class = abstract new (...args: never[]) => object;

/** The same class with resources that the plugin serves. */
export function ofPlugin<T extends Class>(original: T): T {
  const Base = original as unknown as new (...args: unknown[]) => object;
  const served = class extends Base {
    static readonly face = "plugin";

    static get(name: string, ...rest: [string, object?] | [object?]): object {
      // An account has one list of SSH keys, so nobody gives its id.
      const [id, opts] = typeof rest[0] === "object" || rest.length === 0 ? ["ssh-keys", rest[0]] : rest;
      return new served(name, undefined, { ...(opts as object | undefined), id });
    }
  };
  return served as unknown as T;
}
