import * as pulumi from "@pulumi/pulumi";
import type { Api } from "../../provider/client/api";
import { inTime, systemClock } from "../../provider/client/clock";
import { ConfigurationError, ExpectedError, errorText, NoAnswerError } from "../../provider/client/errors";
import type { LogQuery } from "../../provider/client/logs";
import type { Send } from "../../provider/client/transport";
import { limits } from "../../provider/client/transport";
import { configOf, faultsOf, unknownArguments, unknownKeys } from "../../provider/config";
import { Run } from "../../provider/core/call/run";
import type { Handler } from "../../provider/core/handler";
import { handler } from "../../provider/core/handler";
import { withoutInternals } from "../../provider/core/state/internals";
import { holdsSecret, unwrapped, withSecrets } from "../../provider/core/state/secret-value";
import { secretsInput } from "../../provider/core/state/secrets";
import { nameResourcesOnStderr } from "../../provider/engine/log";
import { functions } from "../../provider/functions";
import { terminatePod } from "../../provider/functions/about-object";
import type { FunctionDefinition } from "../../provider/functions/definition";
import { asProperties, wrongArguments } from "../../provider/functions/definition";
import type { FunctionName } from "../../provider/functions/signatures";
import { kindOfType } from "../../provider/identity";
import type { KindName } from "../../provider/resources";
import { definitions } from "../../provider/resources";
import { act } from "../../provider/resources/pod/life-cycle";
import { printed } from "../../provider/schema/failure";
import type { Properties } from "../../provider/value";
import { knownOf } from "../../provider/value";
import type { Implementation } from "../emulator/load";
import type { MockOptions } from "./types";

type Account = Awaited<ReturnType<Implementation["offlineEmulator"]>>;

/** No request leaves this process, so the key opens nothing. The addresses are the service's own, as outputs have them. */
const environment = { RUNPOD_API_KEY: "mocks" };
const queueUrl = "https://api.runpod.ai";

/** Mocks that answer with podlumi's provider and an emulated account, in one run of the engine. */
export function answering(
  account: Account,
  { others = {}, refused }: Pick<MockOptions, "others" | "refused">,
): pulumi.runtime.Mocks & { end(): void } {
  const onlyProvider = { deployment: { resources: [{ id: "mocks" }] } };
  const run = new Run(environment, async () => onlyProvider, systemClock, through(account));
  account.service.queueUrl = queueUrl;
  // No display of an engine shows whose a warning is.
  nameResourcesOnStderr();
  const handlers = Object.fromEntries(
    Object.entries(definitions).map(([name, definition]) => [name, handler(definition, run)]),
  ) as Record<KindName, Handler>;
  return {
    // Waits that nobody needs any more would keep a test runner from ending.
    end: () => run.cancel("the account of this test was closed"),
    newResource: (args) => {
      const kind = kindOfType(args.type);
      const made = told(async () => {
        const faults = kind === undefined ? faultsOfProvider(args) : faultsOfStack(args);
        if (faults.length > 0) throw new ConfigurationError(faults.join("; "));
        if (kind === undefined) return others.newResource?.(args) ?? otherResource(args);
        return resource(handlers[kind as KindName], args);
      });
      if (refused === undefined) return made;
      return made.catch(({ details: message }) => {
        refused({ name: args.name, type: args.type, message });
        return otherResource(args);
      });
    },
    call: (args) => {
      const name = kindOfType(args.token);
      const asked = unwrapped(args.inputs) as Properties;
      if (name === undefined) return others.call?.(args) ?? args.inputs;
      return told(async () => {
        const [fault] = faultsOfStack(args);
        if (fault !== undefined) throw new ConfigurationError(fault);
        return answer(account, run.api(), name, asked);
      });
    },
  };
}

/**
 * Hands requests to the account, without a network, and with the limit on time of those that go over one. It has all interfaces at one
 * address, and the queues below `/queue`.
 */
export function through(account: Account): Send {
  return async ({ call, method, url, headers, body, signal, hold = 0 }) => {
    const below = url.origin === queueUrl ? "/queue" : "";
    const path = `${below}${url.pathname}${url.search}`;
    const failed = (why: string, cause?: unknown) =>
      new NoAnswerError(call, url.origin, true, why, { cause });
    const answer = account.answer({ method, path, headers, body, signal }).catch((error) => {
      // A fault has cut the connection, or who asks has given up.
      const { code, message } = error as NodeJS.ErrnoException;
      throw failed(signal?.aborted ? (signal.reason as Error).message : (code ?? message), error);
    });
    const inTimeAnswer = await inTime(limits.headers + hold, answer);
    if (inTimeAnswer === undefined) throw failed("UND_ERR_HEADERS_TIMEOUT");
    return inTimeAnswer;
  };
}

/** The faults by which a preview refuses the arguments of a provider, in either face. Providers of other packages have none. */
function faultsOfProvider({ type, inputs }: pulumi.runtime.MockResourceArgs): string[] {
  const args = knownOf(unwrapped(inputs) as Properties);
  if (type === "pulumi:providers:pulumi-nodejs") return faultsIn(args);
  if (type !== "pulumi:providers:podlumi") return [];
  return [
    ...unknownKeys(Object.keys(pulumi.runtime.allConfig() ?? {})),
    ...unknownArguments(Object.keys(args)),
    ...faultsIn(configOf(args)),
  ];
}

/** The same of the configuration of the stack, for what names no provider. */
function faultsOfStack({ provider }: { readonly provider?: string }): string[] {
  return provider ? [] : faultsIn(pulumi.runtime.allConfig() ?? {});
}

function faultsIn(config: Readonly<Record<string, unknown>>): string[] {
  return faultsOf((key) => config[key] as string | undefined, Object.keys(config), environment);
}

function otherResource({ name, inputs, custom }: pulumi.runtime.MockResourceArgs) {
  return { id: custom === false ? undefined : `${name}_id`, state: inputs };
}

/** Pulumi tells only the `details` of what mocks throw. */
async function told<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const text = error instanceof ExpectedError ? errorText(error) : String((error as Error).message);
    throw Object.assign(error as Error, { details: text });
  }
}

async function resource(handler: Handler, args: pulumi.runtime.MockResourceArgs) {
  const { __provider, ...given } = args.inputs as Properties;
  if (args.id) return found(handler, args.id);
  const whose = { __urn: `urn:pulumi:stack::project::${args.type}::${args.name}`, __providerId: "mocks" };
  const secret = Object.keys(given).filter((name) => holdsSecret(given[name]));
  const asked: Properties = { ...whose, ...unwrapped(given), [secretsInput]: secret };
  const { inputs, failures = [] } = await handler.check(undefined, asked);
  if (failures.length > 0) {
    const reasons = failures.map((failure) => printed(failure).reason);
    throw new Error(`${args.name} is refused: ${reasons.join("; ")}`);
  }
  const { id, outs } = await handler.create(inputs);
  return { id, state: withSecrets(withoutInternals(outs ?? {}), secret) };
}

async function found(handler: Handler, id: string) {
  const { id: same, props } = await handler.read(id);
  if (!same) throw new Error(`there is no ${handler.kind.noun} ${id} in the account of this test`);
  return { id: same, state: withoutInternals(props ?? {}) };
}

const actions = { startPod: "start", stopPod: "stop", restartPod: "restart" } as const;

/** The result of a function, in the form that the plugin's responses have. */
async function answer(account: Account, api: Api, name: string, args: Properties): Promise<Properties> {
  const { logs } = account.service;
  const pod = (args.id ?? args.podId) as string;
  switch (name) {
    case "startPod":
    case "stopPod":
    case "restartPod":
      return { ...(await act(api, pod, actions[name])) };
    case "terminatePod":
      await terminatePod(api, pod);
      return {};
    case "podLogs":
    case "getPodLogs":
      return { lines: linesOf(logs.ofPod(pod), args) };
    case "workerLogs":
    case "getWorkerLogs":
      return { lines: linesOf(logs.ofWorker(String(args.endpointId), String(args.workerId)), args) };
  }
  if (!Object.hasOwn(functions, name)) throw new Error(`podlumi has no function ${name}`);
  const definition = functions[name as FunctionName] as FunctionDefinition<Properties, unknown>;
  const wrong = wrongArguments(definition, args);
  if (wrong.length > 0) throw new Error(wrong.join("\n"));
  return asProperties(await definition.ask(api, args), definition);
}

function linesOf(
  events: ReturnType<Account["service"]["logs"]["ofPod"]>,
  { source, since, tail = 100 }: LogQuery,
): Properties[] {
  const wanted = events.filter((event) => event.source === (source ?? event.source));
  const found =
    since === undefined
      ? wanted.slice(Math.max(0, wanted.length - tail))
      : wanted.filter(({ at }) => at >= Date.parse(since));
  return found.map(({ at, source, line }) => ({ ts: new Date(at).toISOString(), source, line }));
}
