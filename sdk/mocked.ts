import * as pulumi from "@pulumi/pulumi";
import { pluginTokenOf } from "../provider/identity";
import type { FunctionOptions } from "./functions/types";
import type { AskMocks, Service, Toolkit } from "./toolkit";

/** The mocks of a unit test, from `pulumi.runtime.setMocks`; undefined when an engine runs the program, or none does. */
export function mocksOfTest(): pulumi.runtime.Mocks | undefined {
  // The monitor of mocks holds them. That of an engine is a gRPC client.
  const monitor = pulumi.runtime.getMonitor() as { mocks?: pulumi.runtime.Mocks } | undefined;
  return monitor?.mocks;
}

/**
 * In a unit test, the mocks stand for the account, and nothing reaches a service. Their `call` gets the token of a
 * function, such as `podlumi:index:getGpuTypes`. If the function returns a list, they answer it under the name that it
 * has in a response of the plugin.
 */
export function mockedService(
  tools: Toolkit,
  mocks: pulumi.runtime.Mocks,
  { provider }: FunctionOptions,
): Service {
  const mocked: AskMocks = async (name, args) => {
    const whose = provider && (await plain(pulumi.interpolate`${provider.urn}::${provider.id}`));
    const answer = await mocks.call({ token: pluginTokenOf(name), inputs: { ...args }, provider: whose });
    return (await plain(answer)) ?? {};
  };
  const functions = Object.entries(tools.functions).map(([name, { list, ...definition }]) => {
    const ask = (_api: unknown, args: object) =>
      list ? listOf(mocked, name, args, list) : asked(mocked, name, args);
    return [name, { ...definition, ask }];
  });
  return {
    ...tools,
    functions: Object.fromEntries(functions),
    act: (_api, id, verb) => asked(mocked, `${verb}Pod`, { id }) as ReturnType<Toolkit["act"]>,
    mocked,
    api: noAccount,
  };
}

/** Any use of it is a request that a unit test must not send. */
const noAccount = new Proxy({} as Service["api"], {
  get: () => {
    throw notMocked("this");
  },
});

function notMocked(what: string): Error {
  return new pulumi.RunError(
    `the mocks of this test do not answer ${what}, and a test must not reach an account: use the mocks of podlumi/testing, or answer it in \`call\` of your own [PODLUMI-NOT-MOCKED]`,
  );
}

/** The answer of mocks. Mocks that do not know the function answer an empty object. */
async function asked(mocked: AskMocks, name: string, args: object): Promise<Record<string, unknown>> {
  const answer = await mocked(name, args);
  if (Object.keys(answer).length === 0) throw notMocked(pluginTokenOf(name));
  return answer;
}

/** A list that mocks answer. */
export async function listOf(mocked: AskMocks, name: string, args: object, list: string): Promise<unknown[]> {
  const { [list]: all } = await asked(mocked, name, args);
  if (!Array.isArray(all)) throw notMocked(`${pluginTokenOf(name)} with a list called ${list}`);
  return all;
}

/** The value of an output, or of what holds outputs. */
function plain<T>(value: T): Promise<pulumi.Unwrap<T>> {
  return new Promise((resolve) => (pulumi.output(value) as pulumi.Output<pulumi.Unwrap<T>>).apply(resolve));
}
