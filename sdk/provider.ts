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
  constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
    const config = new pulumi.Config("podlumi");
    const apiKey = args.apiKey ?? config.getSecret("apiKey");
    const configuration = {
      "podlumi:apiKey": apiKey === undefined ? undefined : pulumi.secret(apiKey),
      "podlumi:apiUrl": args.apiUrl ?? config.get("apiUrl"),
      "podlumi:graphqlUrl": args.graphqlUrl ?? config.get("graphqlUrl"),
      "podlumi:queueUrl": args.queueUrl ?? config.get("queueUrl"),
    };
    super("pulumi-nodejs", name, configuration, opts);
    configurations.set(this, pulumi.output(configuration));
  }
}
