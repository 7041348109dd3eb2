import * as pulumi from "@pulumi/pulumi";
import type { ProviderArgs } from "../provider";
import { keepConfiguration } from "../provider";

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
    const config = new pulumi.Config("podlumi");
    const apiKey = args.apiKey ?? config.getSecret("apiKey");
    const settings = {
      apiKey: apiKey === undefined ? undefined : pulumi.secret(apiKey),
      apiUrl: args.apiUrl ?? config.get("apiUrl"),
      graphqlUrl: args.graphqlUrl ?? config.get("graphqlUrl"),
      queueUrl: args.queueUrl ?? config.get("queueUrl"),
    };
    const confirmDataLoss = args.confirmDataLoss ?? config.get("confirmDataLoss");
    super("podlumi", name, { ...settings, ...(confirmDataLoss !== undefined && { confirmDataLoss }) }, opts);
    keepConfiguration(
      this,
      Object.fromEntries(Object.entries(settings).map(([setting, value]) => [`podlumi:${setting}`, value])),
    );
  }
}
