import type { ResourceProvider } from "@pulumi/pulumi/dynamic";
import { type Clock, systemClock } from "../../provider/client/clock";
import { ExpectedError } from "../../provider/client/errors";
import { type Send, transport } from "../../provider/client/transport";
import { Run } from "../../provider/core/call/run";
import { type Handler, handler } from "../../provider/core/handler";
import { Served } from "../../provider/plugin/served";
import { definitions, type KindName } from "../../provider/resources";
import type { Properties } from "../../provider/value";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../sdk/emulator/service";
import { fast } from "../harness/account";
import { passed, useFastClock } from "./fast-clock";

/** The emulator of the running test. */
export let emulator: Emulator;

/** The URNs in the state of the stack by object id, as the test sets them. Undefined: Pulumi does not tell the state. */
export let stateHas: Map<string, string> | undefined;
/** Sets the objects in the state. */
export const haveInState = (...ids: string[]) => {
  stateHas = new Map(ids.map((id) => [id, urnOf("other")]));
};
export const loseState = () => {
  stateHas = undefined;
};
/** How often the provider has asked for the state of its stack. */
export let exports = 0;

/** The emulated service has the machine's time. What it waits for comes by the provider's clock, however busy the machine is. */
const service = { ...fast, clock: { now: () => Date.now() + skipped, sleep: passed } };

/** Milliseconds by which the service's time is ahead of the machine's. */
let skipped = 0;
/** Lets so many milliseconds pass at the service at once. */
export const letServicePass = (milliseconds: number) => {
  skipped += milliseconds;
};

/** The runs of the running test. */
const begun: Run[] = [];

/** The running test. */
let running = { isOver: false };

/** The clock and the connection of a run. They end with its test, also for what a cancellation does not end. */
function untilTestEnds(): [Clock, Send] {
  const own = running;
  const send = transport();
  const going = async () => {
    if (own.isOver) throw new ExpectedError("the test is over", "PODLUMI-CANCELLED");
  };
  const clock: Clock = {
    now: () => systemClock.now(),
    random: () => systemClock.random(),
    sleep: (milliseconds, signal) => going().then(() => systemClock.sleep(milliseconds, signal)),
  };
  return [clock, (request) => going().then(() => send(request))];
}

beforeEach(async () => {
  useFastClock();
  skipped = 0;
  running = { isOver: false };
  emulator = await startEmulator(service);
  emulator.service.userId = "user1emulator";
  stateHas = new Map();
  exports = 0;
});
afterEach(async () => {
  // A refresh lists ahead, and the end of a run leaves requests behind. They would be retried after the end of the specification.
  running.isOver = true;
  for (const run of begun.splice(0)) run.cancel();
  jest.restoreAllMocks();
  await emulator.close();
});

/** Goes on with a service whose secrets are over GraphQL. */
export const withoutSecretsOverRest = () => goOnWith({ restSecrets: false });

/** Goes on with another service. */
export async function goOnWith(features: EmulatorOptions["features"]): Promise<void> {
  await emulator.close();
  emulator = await startEmulator({ ...service, features });
}

/** The export of the stack's state, as the test has set it. */
async function exportState(): Promise<unknown> {
  exports += 1;
  if (stateHas === undefined) return undefined;
  const having = [...stateHas].map(([id, urn]) => ({ id, urn }));
  const serving = {
    id: stacks.ours,
    urn: "urn:pulumi:dev::project::pulumi:providers:pulumi-nodejs::default_podlumi",
  };
  return { deployment: { resources: [serving, ...having] } };
}

/** A provider like that of a new process: it remembers nothing of earlier runs. */
export function provider(environment: NodeJS.ProcessEnv = {}): { run: Run } & Record<Kind, Handler> {
  const run = new Run({ ...emulator.env, ...environment }, exportState, ...untilTestEnds());
  begun.push(run);
  const handlers = kinds.map((kind) => [kind, handler(definitions[capitalized(kind)], run)]);
  return { run, ...Object.fromEntries(handlers) };
}

/** A kind as the plugin serves it, in a process of its own. */
export function served(kind: Kind): Served {
  return new Served(definitions[capitalized(kind)], provider().run, () => undefined);
}

export const inputs = {
  cluster: {
    name: "training",
    type: "TRAINING",
    compute: { gpuTypeId: "NVIDIA H200", gpuCountPerPod: 8, podCount: 2 },
    image: "org/train:1",
    env: { A: "1" },
  },
  networkVolume: { name: "data", size: 20, dataCenter: "EU-RO-1" },
  pod: {
    name: "trainer",
    image: "org/pod:1",
    gpu: { id: "NVIDIA L4" },
    env: { A: "1" },
    ports: ["22/tcp", "80/http"],
  },
  registryAuth: { name: "ghcr", username: "bot", password: "hunter22" },
  registryDelegation: { name: "ecr", resource: "arn:aws:ecr:us-east-2:123456789012:repository/app:v1" },
  secret: { name: "token", value: "hunter22" },
  serverlessEndpoint: {
    name: "llm",
    type: "QUEUE",
    image: "org/worker:1",
    gpu: { pools: ["ADA_24"], excludedTypes: [] },
    scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
  },
  template: { name: "worker", image: "org/worker:1", env: { A: "1" } },
} satisfies Partial<Record<Uncapitalize<KindName>, Properties>>;

export type Kind = keyof typeof inputs;

export const kinds = Object.keys(inputs) as Kind[];
export const urnOf = (kind: string, name = "it", stack = "dev") =>
  `urn:pulumi:${stack}::project::pulumi-nodejs:dynamic/podlumi:${capitalized(kind)}::${name}`;
const capitalized = <T extends string>(text: T) =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}` as Capitalize<T>;

/** The ids of two stacks' provider resources, from which marks are made. */
export const stacks = {
  ours: "4c1f9f6e-0b7e-4d59-9d2e-1f0c5a7b8d11",
  theirs: "b7a3d2c4-5e6f-4a1b-8c9d-0e1f2a3b4c5d",
};

/** The inputs of a resource as they reach the provider. They have no name, so that podlumi chooses one. */
export function declared(kind: Kind, changes: Properties = {}): Properties {
  const { name, ...rest } = inputs[kind];
  const all = { ...rest, __provider: "p", __urn: urnOf(kind), __providerId: stacks.ours, ...changes };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** A resource with changes of the inputs in the table: of this provider, or of that of a new process. */
type Given = [of: ResourceProvider, kind: Kind, changes?: Properties] | [kind: Kind, changes?: Properties];

const given = ([first, ...rest]: Given): [of: ResourceProvider, kind: Kind, changes: Properties] =>
  typeof first === "string"
    ? [provider()[first], first, (rest[0] as Properties | undefined) ?? {}]
    : [first, rest[0] as Kind, rest[1] ?? {}];

/** Checks and creates a resource, as the engine does when the resource is not in the state. */
export async function begin(...resource: Given) {
  const [of, kind, changes] = given(resource);
  const { inputs: checked, failures = [] } = (await of.check?.({}, declared(kind, changes))) ?? {};
  if (failures.length > 0) throw new Error(JSON.stringify(failures));
  return of.create(checked);
}

/** Creates an object with the name from the table. */
export async function create(...resource: Given) {
  const [of, kind, changes] = given(resource);
  return of.create({ ...declared(kind), name: inputs[kind].name, ...changes });
}

/** Collects what an action prints to standard error. */
export async function heard<T>(act: () => Promise<T>): Promise<{ result: T; said: string }> {
  const said: string[] = [];
  const write = jest.spyOn(process.stderr, "write").mockImplementation((text) => said.push(String(text)) > 0);
  const result = await act();
  write.mockRestore();
  return { result, said: said.join("") };
}

/** The ids of all objects. */
export const existing = () =>
  Object.values(emulator.service.snapshot()).flatMap((all) => all.map(({ id }) => id));

export const creations = [
  { match: { method: "POST", path: "/pods" } },
  { match: { method: "POST", path: "/clusters" } },
  { match: { method: "POST", path: "/registries/delegations" } },
  { match: { method: "POST", path: "/serverless" } },
  { match: { method: "POST", path: "/templates" } },
  { match: { method: "POST", path: "/network-volumes" } },
  { match: { method: "POST", path: "/registries" } },
  { match: { method: "POST", path: "/account/secrets" } },
  { match: { operation: "secretCreate" } },
];
