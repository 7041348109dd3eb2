import * as pulumi from "@pulumi/pulumi";
import type { ProviderArgs } from "./provider-settings";
import { hasConfiguration, keepConfiguration, prefixed, settingsOf } from "./provider-settings";

/**
 * The name of the default provider. Pulumi reserves names with this prefix for default providers: it does not show
 * them, and it moves resources between them without a change. The name is in every state file, so it must never change.
 */
const defaultName = "default_podlumi";

/**
 * The key of the default provider on the stack resource. One process may run several stacks, so each stack has its own
 * provider. One process may load several copies of podlumi, so the symbol is a global one.
 */
const kept = Symbol.for("podlumi:default provider");

/**
 * The default provider of this stack. podlumi creates its own, because the marks of the stack's objects come from its id.
 * Pulumi creates it before anything that uses it, and keeps its id for the life of the stack.
 */
export function defaultProvider(): Provider {
  const stack = keeper();
  stack[kept] ??= new Provider(defaultName);
  return stack[kept];
}

/** A program does not give the default provider, though children of a resource get it from Pulumi. */
export function isDefaultProvider(provider: pulumi.ProviderResource): boolean {
  return keeper()[kept] === provider;
}

/** Holds the default provider in unit tests with mocks, which have no stack. */
const withoutStack = {};

function keeper(): { [kept]?: Provider } {
  return pulumi.runtime.getStackResource() ?? withoutStack;
}

/**
 * All keys of the stack configuration that begin with `podlumi:`. The provider finds the misspelt ones among them: what they were to set would
 * come from elsewhere.
 */
function givenKeys(): Record<string, string> {
  const keys = Object.keys(pulumi.runtime.allConfig() ?? {}).filter((key) => key.startsWith("podlumi:"));
  return Object.fromEntries(keys.map((key) => [key, ""]));
}

/** Settings of the stack for the provider: the organization, to find the state, and how to make up names. */
function stackSettings(): Record<string, string> {
  const organization = organizationOfStack();
  const naming = pulumi.runtime.getConfig("pulumi:autonaming");
  return {
    ...(organization !== "organization" && { "pulumi:organization": organization }),
    ...(naming !== undefined && { "pulumi:autonaming": naming }),
  };
}

/** Unit tests have no organization. They get the word that Pulumi uses for backends without organizations. */
function organizationOfStack(): string {
  try {
    return pulumi.getOrganization();
  } catch {
    return "organization";
  }
}

/**
 * The name under which Pulumi's SDK hands on podlumi's dynamic providers to children. Under that of their package, `pulumi-nodejs`, it would
 * hand them on to the dynamic resources of everybody.
 */
export const handedOnAs = "podlumi-dynamic";

/** A provider of podlumi, of either face. */
export function isProviderOfPodlumi(provider: pulumi.ProviderResource): provider is Provider {
  return hasConfiguration(provider);
}

/**
 * Uses another account, or other addresses, in the same program. Pass it to resources with the option `provider`, or to
 * a component with the option `providers`. The component passes it on to everything inside.
 *
 * A new key changes no resource. (API: Authentication)
 *
 * @example
 * ```ts
 * const research = new podlumi.Provider("research", { apiKey: config.requireSecret("researchKey") });
 * new podlumi.NetworkVolume("data", { size: 50, dataCenter: "EU-RO-1" }, { provider: research });
 * ```
 */
export class Provider extends pulumi.ProviderResource {
  constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
    const settings = settingsOf(args);
    super("pulumi-nodejs", name, { ...givenKeys(), ...stackSettings(), ...prefixed(settings) }, opts);
    keepConfiguration(this, settings);
  }
}

/** Pulumi's own declarations leave `getPackage` out. */
Object.assign(Provider.prototype, { getPackage: () => handedOnAs });
