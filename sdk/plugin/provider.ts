import * as pulumi from "@pulumi/pulumi";
import type { ProviderArgs } from "../provider-settings";
import { keepConfiguration, settingsOf } from "../provider-settings";

/** The same as `Provider` of `podlumi`, for resources that the plugin serves. */
export class Provider extends pulumi.ProviderResource {
  constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
    const settings = settingsOf(args);
    super("podlumi", name, settings, opts);
    keepConfiguration(this, settings);
  }
}
