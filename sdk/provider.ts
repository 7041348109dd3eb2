import * as pulumi from "@pulumi/pulumi";

/** The account and the addresses that a {@link Provider} uses. */
export interface ProviderArgs {
  /**
   * The API key. Always kept as a secret. An output that resolves to nothing is an error, since the default may be the key of another
   * account.
   * Default: `podlumi:apiKey` of the stack configuration, then the environment variable `RUNPOD_API_KEY`.
   */
  apiKey?: pulumi.Input<string | undefined>;
  /**
   * Address of REST v2. Must be https, except for a loopback address.
   * Default: `podlumi:apiUrl`, then `RUNPOD_API_URL`, then `https://api.runpod.io/v2`.
   */
  apiUrl?: pulumi.Input<string | undefined>;
  /**
   * Address of the GraphQL API. Must be https, except for a loopback address.
   * Default: `podlumi:graphqlUrl`, then `RUNPOD_GRAPHQL_URL`, then `https://api.runpod.io/graphql`.
   */
  graphqlUrl?: pulumi.Input<string | undefined>;
  /**
   * Address of the Serverless queue. Must be https, except for a loopback address.
   * Default: `podlumi:queueUrl`, then `RUNPOD_QUEUE_URL`, then `https://api.runpod.ai`.
   */
  queueUrl?: pulumi.Input<string | undefined>;
  /**
   * Objects whose data a replacement may delete: object ids, separated by commas or spaces. `all` allows every
   * replacement that a change of the program causes. Without this, a replacement that loses data fails, and so does its
   * preview.
   * Default: `podlumi:confirmDataLoss` of the stack configuration, then none.
   */
  confirmDataLoss?: pulumi.Input<string | undefined>;
}

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

/** Whether a provider is that one. A program does not give it, though children of a resource get it from Pulumi. */
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

/** The key of all providers' settings. */
const settingsKept = Symbol.for("podlumi:configurations");

/** Settings by their keys in the stack configuration. */
export type Configuration = Partial<
  Record<"podlumi:apiKey" | "podlumi:apiUrl" | "podlumi:graphqlUrl" | "podlumi:queueUrl", string>
>;

/**
 * The settings of all providers. One process may load several copies of podlumi, and a provider of one is a provider of all, so the
 * symbol is a global one.
 */
const configurations = keptConfigurations();

function keptConfigurations(): WeakMap<pulumi.ProviderResource, pulumi.Output<Configuration>> {
  const all = globalThis as { [settingsKept]?: ReturnType<typeof keptConfigurations> };
  all[settingsKept] ??= new WeakMap();
  return all[settingsKept];
}

/**
 * The settings of a provider: its arguments first, then the stack configuration. The key is a secret. Of arguments that do not exist, only the
 * names: the provider finds what is misspelt.
 */
export function settingsOf(args: ProviderArgs): pulumi.Inputs {
  const config = new pulumi.Config("podlumi");
  const apiKey: pulumi.Input<string | undefined> = args.apiKey ?? config.getSecret("apiKey");
  const ofStack = (name: string) =>
    isConfigSecret(`podlumi:${name}`) ? config.getSecret(name) : config.get(name);
  const settingOf = (name: Exclude<keyof ProviderArgs, "apiKey">) => orElse(args[name], ofStack(name));
  const given = Object.entries(args).filter(([, value]) => value !== undefined);
  return {
    ...Object.fromEntries(given.map(([name]) => [name, ""])),
    // Without a key, the engine would leave it out, and the provider would take that of the environment. An empty one is an error.
    apiKey: apiKey === undefined ? undefined : pulumi.secret(apiKey).apply((key) => key ?? ""),
    apiUrl: settingOf("apiUrl"),
    graphqlUrl: settingOf("graphqlUrl"),
    queueUrl: settingOf("queueUrl"),
    confirmDataLoss: settingOf("confirmDataLoss"),
  };
}

/** Whether the user keeps a key of the stack configuration as a secret. Pulumi's own declarations leave this out. */
const { isConfigSecret } = pulumi.runtime as unknown as { isConfigSecret(key: string): boolean };

/** A setting of a program, or another value where that is undefined, also only in the end. */
function orElse(
  given: pulumi.Input<string | undefined>,
  other: string | pulumi.Output<string> | undefined,
): typeof given {
  const isLater = typeof given === "object" && given !== null;
  return isLater ? pulumi.output(given).apply((value) => pulumi.output(value ?? other)) : (given ?? other);
}

/** Stores the account of a provider for {@link configurationOf}. */
export function keepConfiguration(
  provider: pulumi.ProviderResource,
  { confirmDataLoss, ...settings }: pulumi.Inputs,
): void {
  configurations.set(provider, pulumi.output(prefixed(settings)) as pulumi.Output<Configuration>);
}

/** Settings by their keys in the stack configuration. */
function prefixed(settings: pulumi.Inputs): pulumi.Inputs {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [`podlumi:${name}`, value]));
}

/**
 * The name under which Pulumi's SDK hands on podlumi's dynamic providers to children. Under that of their package, `pulumi-nodejs`, it would
 * hand them on to the dynamic resources of everybody.
 */
export const handedOnAs = "podlumi-dynamic";

/** Whether a provider is podlumi's, of either face. */
export function isProviderOfPodlumi(provider: pulumi.ProviderResource): provider is Provider {
  return configurations.has(provider);
}

/**
 * The settings of a provider, for functions that run in the program itself. A secret when they hold a key. Throws for a provider of
 * another package.
 */
export function configurationOf(provider: pulumi.ProviderResource): pulumi.Output<Configuration> {
  const configuration = configurations.get(provider);
  if (configuration !== undefined) return configuration;
  // The account of the environment would be another one.
  throw new pulumi.RunError(
    "its provider is not a `Provider` of podlumi, so its account is not known [PODLUMI-CONFIGURATION]",
  );
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
