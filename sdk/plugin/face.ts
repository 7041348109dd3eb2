type Class = abstract new (...args: never[]) => object;

/** The same class, whose resources the plugin serves. */
export function ofPlugin<T extends Class>(original: T): T {
  const Base = original as unknown as new (...args: unknown[]) => object;
  const served = class extends Base {
    static readonly face = "plugin";
  };
  return served as unknown as T;
}
