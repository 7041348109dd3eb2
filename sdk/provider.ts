import * as pulumi from "@pulumi/pulumi";

/** The account and the addresses that a {@link Provider} uses. */
export interface ProviderArgs {
  /**
   * The API key. Always kept as a secret.
   * Default: `podlumi:apiKey` of the stack configuration, then the environment variable `RUNPOD_API_KEY`.
   */
  apiKey?: pulumi.Input<string>;
  /**
   * Address of REST v2, https unless it is loopback.
   * Default: `podlumi:apiUrl`, then `RUNPOD_API_URL`, then `https://api.runpod.io/v2`.
   */
  apiUrl?: pulumi.Input<string>;
  /**
   * Address of the GraphQL API, https unless it is loopback.
   * Default: `podlumi:graphqlUrl`, then `RUNPOD_GRAPHQL_URL`, then `https://api.runpod.io/graphql`.
   */
  graphqlUrl?: pulumi.Input<string>;
  /**
   * Address of the Serverless queue, https unless it is loopback.
   * Default: `podlumi:queueUrl`, then `RUNPOD_QUEUE_URL`, then `https://api.runpod.ai`.
   */
  queueUrl?: pulumi.Input<string>;
  /**
   * What replacements may lose data: ids of objects, with commas or spaces between them, or `all` for every one that the
   * program itself asks for. Without it, a replacement that loses data fails, in the preview already.
   * Default: `podlumi:confirmDataLoss` of the stack configuration, then none.
   */
  confirmDataLoss?: pulumi.Input<string>;
}

/**
 * The provider of a program that names none. Pulumi keeps names that begin so for its own default providers: it does not
 * show them, and moves resources from one to the other without a change. Part of every state file: it never changes.
 */
const defaultName = "default_podlumi";

/** Where a stack's default provider is kept: beside the stack, since a process may run several, and packages of podlumi. */
const kept = Symbol.for("podlumi:default provider");

/**
 * The default provider of this stack: one of podlumi's own, since its id is the mark by which a stack knows what it made.
 * Pulumi makes it before anything that uses it, and keeps its id for the life of the stack.
 */
export function defaultProvider(): Provider {
  const stack: { [kept]?: Provider } = pulumi.runtime.getStackResource() ?? withoutStack;
  stack[kept] ??= new Provider(defaultName, {}, {}, misspeltKeys());
  return stack[kept];
}

/** Unit tests with mocks have no stack. */
const withoutStack = {};

/** Keys of the stack configuration that begin like podlumi's: the provider knows which of them are none. */
function misspeltKeys(): Record<string, string> {
  const keys = Object.keys(pulumi.runtime.allConfig() ?? {}).filter((key) => key.startsWith("podlumi:"));
  return Object.fromEntries(keys.map((key) => [key, ""]));
}

/** What the provider needs to know of the stack beside its account: where its state is, and how names are made up. */
function stackSettings(): Record<string, string> {
  const organization = organizationOfStack();
  const naming = pulumi.runtime.getConfig("pulumi:autonaming");
  return {
    ...(organization !== "organization" && { "pulumi:organization": organization }),
    ...(naming !== undefined && { "pulumi:autonaming": withStackExpressions(naming, organization) }),
  };
}

/** Pulumi's own word for backends without organizations stands for unit tests, too, which have none. */
function organizationOfStack(): string {
  try {
    return pulumi.getOrganization();
  } catch {
    return "organization";
  }
}

/** The parts of a naming pattern that only a program knows. */
function withStackExpressions(naming: string, organization: string): string {
  const config = new pulumi.Config();
  const quoted = (text: string) => JSON.stringify(text).slice(1, -1);
  return naming
    .replaceAll("${organization}", quoted(organization))
    .replaceAll("${project}", quoted(pulumi.getProject()))
    .replaceAll("${stack}", quoted(pulumi.getStack()))
    .replace(/\$\{config\.([^}]+)\}/g, (_expression, key: string) => quoted(config.require(key)));
}

/** Settings by their keys in the stack configuration. */
export type Configuration = Partial<
  Record<"podlumi:apiKey" | "podlumi:apiUrl" | "podlumi:graphqlUrl" | "podlumi:queueUrl", string>
>;

const configurations = new WeakMap<Provider, pulumi.Output<Configuration>>();

/** What a provider was given, for functions that run in the program itself. It is a secret. */
export function configurationOf(provider: Provider): pulumi.Output<Configuration> {
  return configurations.get(provider) ?? pulumi.output<Configuration>({});
}

/**
 * Another account, or another address, in the same program. Give it to resources with the `provider` option, or
 * to a component with `providers`, which hands it on to everything inside.
 *
 * Changing the key changes no resource. (API: Authentication)
 *
 * @example
 * ```ts
 * const research = new podlumi.Provider("research", { apiKey: config.requireSecret("researchKey") });
 * new podlumi.NetworkVolume("data", { size: 50, dataCenter: "EU-RO-1" }, { provider: research });
 * ```
 */
export class Provider extends pulumi.ProviderResource {
  constructor(name: string, args?: ProviderArgs, opts?: pulumi.ResourceOptions);
  /** @internal */
  constructor(
    name: string,
    args: ProviderArgs | undefined,
    opts: pulumi.ResourceOptions,
    more: Record<string, string>,
  );
  constructor(
    name: string,
    args: ProviderArgs = {},
    opts?: pulumi.ResourceOptions,
    more: Record<string, string> = {},
  ) {
    const config = new pulumi.Config("podlumi");
    const apiKey = args.apiKey ?? config.getSecret("apiKey");
    const configuration = {
      "podlumi:apiKey": apiKey === undefined ? undefined : pulumi.secret(apiKey),
      "podlumi:apiUrl": args.apiUrl ?? config.get("apiUrl"),
      "podlumi:graphqlUrl": args.graphqlUrl ?? config.get("graphqlUrl"),
      "podlumi:queueUrl": args.queueUrl ?? config.get("queueUrl"),
    };
    const confirmed = args.confirmDataLoss ?? config.get("confirmDataLoss");
    const loss = confirmed === undefined ? {} : { "podlumi:confirmDataLoss": confirmed };
    super("pulumi-nodejs", name, { ...more, ...stackSettings(), ...configuration, ...loss }, opts);
    configurations.set(this, pulumi.output(configuration));
  }
}
