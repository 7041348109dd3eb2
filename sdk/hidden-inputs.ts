import * as pulumi from "@pulumi/pulumi";
import { providerOf } from "../provider/identity";
import type { Provider } from "./provider";
import { namesOfSecrets } from "./secret-inputs";

/** The names of the arguments that a program gives to the objects of each kind that it creates, by their provider or their stack. */
const made = new WeakMap<object, Map<string, Set<string>>>();

/**
 * Notes what the program creates, and promises all of it at the first resource of a provider: a promise waits until the program does. The
 * provider can ask the service for all kinds at once then.
 */
function madeWith(provider: Provider | undefined, kind: string, inputs: object): Promise<object> | undefined {
  const key = provider ?? pulumi.runtime.getStackResource();
  if (key === undefined) return undefined;
  const known = made.get(key);
  const kinds = known ?? new Map<string, Set<string>>();
  made.set(key, kinds.set(kind, new Set([...(kinds.get(kind) ?? []), ...Object.keys(inputs)])));
  if (known !== undefined) return undefined;
  return Promise.resolve().then(() =>
    Object.fromEntries([...kinds].map(([one, names]) => [one, [...names]])),
  );
}

// Inputs that only the provider reads. Their names begin with `__`.

/** For the provider of either face, where it may create an object. */
export function forCreate(
  kind: string,
  provider: Provider | undefined,
  inputs: Record<string, unknown>,
  opts: pulumi.CustomResourceOptions,
): object {
  const isMade = hasStack() && opts.import === undefined && inputs.adopt === undefined;
  const __kinds = isMade ? madeWith(provider, kind, inputs) : undefined;
  return __kinds === undefined ? {} : { __kinds };
}

/** Unit tests with mocks have no stack, and no provider that reads these inputs. */
const hasStack = () => pulumi.runtime.getStackResource() !== undefined;

/** For the dynamic provider. `servedBy` promises the provider of the resource. */
export function forDynamicProvider(
  kind: string,
  __urn: string | Promise<string>,
  lookup: boolean,
  inputs: Record<string, unknown>,
  servedBy: Promise<pulumi.ProviderResource | undefined>,
): Record<string, unknown> {
  const __provider = providerOf(kind);
  // A mark names the resource and the stack. The engine tells the provider neither, so they are inputs.
  if (lookup) return { __urn, __provider };
  const __providerId = servedBy.then((one) => one?.id);
  // Nor which inputs are secret.
  const __secrets = hasStack() ? namesOfSecrets(inputs) : undefined;
  return { __urn, __providerId, __provider, ...(__secrets !== undefined && { __secrets }) };
}
