import * as pulumi from "@pulumi/pulumi";

/** The account and the addresses that a {@link Provider} uses. */
export interface ProviderArgs {
  /**
   * The API key. Always kept as a secret. An argument without a value, such as a variable that is not set, is an error, since the default
   * may be the key of another account.
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
   * Objects whose data a change of the program may delete by a replacement: object ids, separated by commas or spaces, or
   * `all`. Without this, such a change fails, and so does its preview. Drift is never confirmed.
   * Default: `podlumi:confirmDataLoss` of the stack configuration, then none.
   */
  confirmDataLoss?: pulumi.Input<string | undefined>;
  /**
   * Tags for every pod, endpoint, cluster and network volume, e.g. `{ team: "ml" }`. The resource's own value of a key wins.
   * Default: `podlumi:defaultTags` of the stack configuration, then none.
   */
  defaultTags?: pulumi.Input<Record<string, pulumi.Input<string>> | undefined>;
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
  // Of a variable that is not set, too: the default may be the key of another account.
  const apiKey: pulumi.Input<string | undefined> =
    "apiKey" in args ? (args.apiKey ?? "") : config.getSecret("apiKey");
  const ofStack = (name: string) =>
    isConfigSecret(`podlumi:${name}`) ? config.getSecret(name) : config.get(name);
  const settingOf = (name: Exclude<keyof ProviderArgs, "apiKey" | "defaultTags">) =>
    orElse(args[name], ofStack(name));
  const given = Object.entries(args).filter(([, value]) => value !== undefined);
  return {
    ...Object.fromEntries(given.map(([name]) => [name, ""])),
    // Without a key, the engine would leave it out, and the provider would take that of the environment. An empty one is an error.
    apiKey: apiKey === undefined ? undefined : pulumi.secret(apiKey).apply((key) => key ?? ""),
    apiUrl: settingOf("apiUrl"),
    graphqlUrl: settingOf("graphqlUrl"),
    queueUrl: settingOf("queueUrl"),
    confirmDataLoss: settingOf("confirmDataLoss"),
    defaultTags: orElse(asJson(args.defaultTags), ofStack("defaultTags")),
  };
}

/** True of a key that the user keeps as a secret. Pulumi's own declarations leave this out. */
const { isConfigSecret } = pulumi.runtime as unknown as { isConfigSecret(key: string): boolean };

/** The engine keeps settings as texts. */
function asJson(tags: ProviderArgs["defaultTags"]): pulumi.Input<string | undefined> {
  return tags === undefined ? undefined : pulumi.output(tags).apply((all) => all && JSON.stringify(all));
}

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
  { confirmDataLoss, defaultTags, ...settings }: pulumi.Inputs,
): void {
  configurations.set(provider, pulumi.output(prefixed(settings)) as pulumi.Output<Configuration>);
}

/** Settings by their keys in the stack configuration. */
export function prefixed(settings: pulumi.Inputs): pulumi.Inputs {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [`podlumi:${name}`, value]));
}

/** A provider of podlumi, of either face. */
export function hasConfiguration(provider: pulumi.ProviderResource): boolean {
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
