import * as pulumi from "@pulumi/pulumi";
import type { Api } from "../provider/client/api";
import type { FunctionOptions } from "./functions/types";
import type { Configuration, Provider } from "./provider";
import { configurationOf } from "./provider";

type Toolkit = typeof import("../provider/toolkit");

/** The service, and what it takes to ask it something. */
export interface Service extends Toolkit {
  readonly api: Api;
}

/** One client for each account of this process. */
const apis = new Map<string, Api>();

/** The provider's half: loaded with the first call of a function, and from here only. */
function toolkit(): Toolkit {
  return require("../provider/toolkit");
}

/** The service of an account. Fails when the configuration does not allow it. */
export async function serviceOf({ provider }: FunctionOptions): Promise<Service> {
  const configuration: Record<string, string | undefined> | undefined =
    provider === undefined ? pulumi.runtime.allConfig() : await configured(provider);
  const tools = toolkit();
  const settings = tools.settings((key) => configuration?.[key]);
  const account = JSON.stringify(settings);
  const api = apis.get(account) ?? new tools.Api(settings);
  apis.set(account, api);
  return { ...tools, api };
}

/** What is told of a failure; undefined of a defect of podlumi, whose stack is worth something. */
export function expectedText(error: unknown): string | undefined {
  const { ExpectedError, errorText } = toolkit();
  if (error instanceof ExpectedError) return errorText(error);
  return pulumi.RunError.isInstance(error) ? error.message : undefined;
}

/** What Pulumi's own declarations leave out. */
export interface Known {
  isKnown: Promise<boolean>;
}

/** The configuration of a provider, which stays in here. A preview may not know it yet. */
async function configured(provider: Provider): Promise<Configuration> {
  const output = configurationOf(provider) as pulumi.Output<Configuration> & Known;
  if (!(await output.isKnown)) {
    throw new pulumi.RunError(
      "the account of its provider is not known before `pulumi up`: use the form that ends in Output, which waits for it [PODLUMI-NOT-KNOWN-YET]",
    );
  }
  return new Promise((resolve) => output.apply(resolve));
}
