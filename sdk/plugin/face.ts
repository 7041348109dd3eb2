type Class = new (...args: never[]) => object;

/** The same class with resources that the plugin serves. `onlyId`: the id of the one object that an account has. */
export function ofPlugin<T extends Class>(original: T, onlyId?: string): T {
  const Base = original as unknown as new (...args: unknown[]) => object;
  const served = class extends Base {
    static readonly face = "plugin";

    static get(name: string, ...rest: unknown[]): object {
      const [id, opts] = onlyId === undefined ? rest : [onlyId, ...rest];
      return new served(name, undefined, { ...(opts as object | undefined), id });
    }
  };
  return served as unknown as T;
}
