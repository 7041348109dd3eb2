import * as pulumi from "@pulumi/pulumi";

/** Promises the names of the inputs that are secret, or hold something secret; undefined where none of them can be. */
export function namesOfSecrets(inputs: Record<string, unknown>): Promise<string[] | undefined> | undefined {
  const names = Object.keys(inputs).filter((name) => mayBeSecret(inputs[name]));
  if (names.length === 0) return undefined;
  const found = Promise.all(names.map((name) => isSecretInput(inputs[name])));
  return found.then(
    (secret) => (secret.some(Boolean) ? names.filter((_name, index) => secret[index]) : undefined),
    // The input itself fails as well, and tells why.
    () => undefined,
  );
}

function isSecretInput(value: unknown): Promise<boolean> {
  return pulumi.isSecret(pulumi.Output.isInstance(value) ? value : pulumi.output(value));
}

/** True of an output, and of a value with one inside. Instances of other classes can hold themselves. */
function mayBeSecret(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (pulumi.Output.isInstance(value) || value instanceof Promise) return true;
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  return isPlain && Object.values(value).some(mayBeSecret);
}
