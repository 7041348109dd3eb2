import * as pulumi from "@pulumi/pulumi";
import type { Api } from "../provider/client/api";
import type { Settings } from "../provider/config";
import type { FunctionOptions } from "./functions/types";
import { mockedService, mocksOfTest } from "./mocked";
import type { Provider } from "./provider";
import type { Configuration } from "./provider-settings";
import { configurationOf } from "./provider-settings";
import type { Service, Toolkit } from "./toolkit";
import { toolkit } from "./toolkit";

/** One client for each account of this process. */
const apis = new Map<string, Api>();

/**
 * The service of an account. Fails when the configuration is incomplete or invalid. In a unit test with mocks, the mocks
 * stand for it.
 */
export async function serviceOf(opts: FunctionOptions): Promise<Service> {
  const { provider } = opts;
  const mocks = mocksOfTest();
  if (mocks !== undefined) return mockedService(toolkit(), mocks, opts);
  const ofStack: Record<string, string | undefined> = pulumi.runtime.allConfig() ?? {};
  const configuration = provider === undefined ? ofStack : await configured(provider);
  const tools = toolkit();
  // The default would take the place of the setting whose key is misspelt.
  const [unknown] = tools.unknownKeys(Object.keys(ofStack));
  if (unknown !== undefined) throw new tools.ConfigurationError(unknown);
  return withSettings(
    tools.settings((key) => configuration[key as keyof Configuration]),
    tools,
  );
}

/** The service of a policy pack, which has the environment only: Pulumi gives it no stack configuration. */
export function serviceOfEnvironment(): Service {
  const tools = toolkit();
  const mocks = mocksOfTest();
  if (mocks !== undefined) return mockedService(tools, mocks, {});
  tools.adviseForCommands();
  return withSettings(tools.environmentSettings(), tools);
}

function withSettings(settings: Settings, tools: Toolkit): Service {
  const account = JSON.stringify(settings);
  const api = apis.get(account) ?? new tools.Api(settings);
  apis.set(account, api);
  return { ...tools, api };
}

/** Actions of the program act outside a dry run, whatever the command. */
export function isToAct(): boolean {
  return !pulumi.runtime.isDryRun();
}

/** The message of an expected failure. Undefined for a defect of podlumi, whose stack trace must not get lost. */
export function expectedText(error: unknown): string | undefined {
  const { ExpectedError, errorText } = toolkit();
  if (error instanceof ExpectedError) return errorText(error);
  return pulumi.RunError.isInstance(error) ? error.message : undefined;
}

/** A message in which all texts of a value are hidden. */
export function masked(message: string, secret: unknown): string {
  const { masked, textsIn } = toolkit();
  return masked(message, textsIn(secret));
}

/** A property of outputs that Pulumi's own declarations leave out. */
export interface Known {
  isKnown: Promise<boolean>;
}

/** The plain configuration of a provider. It holds the key, so it stays in this file. A preview may not know it yet. */
async function configured(provider: Provider): Promise<Configuration> {
  const output = configurationOf(provider) as pulumi.Output<Configuration> & Known;
  if (!(await output.isKnown)) {
    throw new pulumi.RunError(
      "the account of its provider is not known before `pulumi up`: use the form that ends in Output, which waits for it [PODLUMI-NOT-KNOWN-YET]",
    );
  }
  return new Promise((resolve) => output.apply(resolve));
}
