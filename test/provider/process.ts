import type { ResourceProvider } from "@pulumi/pulumi/dynamic";
import { type Clock, systemClock } from "../../provider/client/clock";
import { ExpectedError } from "../../provider/client/errors";
import { type Send, transport } from "../../provider/client/transport";
import { type Handler, handler } from "../../provider/core/handler";
import { Run } from "../../provider/core/run";
import type { Properties } from "../../provider/core/value";
import { Command } from "../../provider/engine/command";
import type { State, Stated } from "../../provider/engine/export";
import type { KindName } from "../../provider/identity";
import { definitions } from "../../provider/resources";
import { type Emulator, startEmulator } from "../emulator";
import { fast } from "../harness/account";
import { passed, useFastClock } from "./fast-clock";

/** The emulator of the running test. */
export let emulator: Emulator;

/** The URNs in Pulumi's state by object id, as the test sets them. Undefined: the state cannot be read. */
export let stateHas: Map<string, string> | undefined;
/** Sets the objects in Pulumi's state. */
export const haveInState = (...ids: string[]) => {
  stateHas = new Map(ids.map((id) => [id, urnOf("other")]));
};
/** Sets the only object in Pulumi's state, and the resource that has it. */
export const haveAs = (urn: string, id: string) => {
  stateHas = new Map([[id, urn]]);
};
export const loseState = () => {
  stateHas = undefined;
};

/** What Pulumi tells the provider beside that, until the test sets it. */
const untold = () => ({
  /** Objects in the state, beside their ids. */
  objects: [] as Stated[],
  /** Objects that are still to be deleted, since others were imported or read in their place. */
  supplanted: [] as string[],
  /** Creates that an interrupted run left in the state, with their provider and the name that they asked for. */
  pending: [] as string[],
  pendingMarker: undefined as string | undefined,
  pendingName: undefined as unknown,
  /** Whether these runs were adopting objects. */
  pendingAdopts: false,
  /** How many milliseconds before it is read the state was written. */
  writtenAgo: 0,
  /** The name that the stack has by now. URNs have the former one. */
  renamed: undefined as string | undefined,
  /** The names of stacks that the objects of this one and of the other show, where both have the provider of this one. */
  shown: undefined as { ours: string; theirs: string } | undefined,
  /** Objects that the program of a stack only reads (`get`). */
  reads: {} as { "this stack"?: string[]; "another stack"?: string[] },
  /** Objects in the state of another stack. */
  othersHave: [] as string[],
  /** The same, with more than their ids. */
  othersObjects: [] as Stated[],
  /** What a run of another stack is adopting. */
  othersAdopt: [] as unknown[],
  /** The state of the other stack cannot be read. */
  otherIsLost: false,
  /** How many providers of the stack may serve resources of podlumi. */
  serving: 1,
  /** What the user has confirmed since the provider got its configuration. */
  confirmed: undefined as string | undefined,
  /** The stack of the command. */
  current: undefined as string | undefined,
  command: new Command([]),
});
/** What Pulumi tells in the running test, which sets it. */
export let backend = untold();

/** An object in Pulumi's state, of which the state tells no more than this. */
export const stated = (urn: string, id: string, more: Partial<Stated> = {}): Stated => ({
  urn,
  id,
  inputs: {},
  outputs: {},
  servedBy: undefined,
  isTainted: false,
  isGone: false,
  isGoing: false,
  isKept: false,
  isRetained: false,
  replacedWith: [],
  isReplacedOnChanges: false,
  ...more,
});
/**
 * Lets the other stack have the provider of this one, as after `pulumi state move`. The objects of the two show these names of stacks,
 * as after a rename.
 */
export const shareProvider = (ours = "project/before", theirs = "project/dev") => {
  backend.shown = { ours, theirs };
};
/** Sets the engine's command, such as `destroy --yes`. Undefined: nothing shows it. */
export const runs = (line: string | undefined, environment?: NodeJS.ProcessEnv) => {
  backend.command = new Command(line === undefined ? [] : [["pulumi", ...line.split(" ")]], environment);
};

/** The emulated service has the machine's time. What it waits for comes by the provider's clock, however busy the machine is. */
const service = { ...fast, clock: { now: () => Date.now() + skipped, sleep: passed } };

/** Milliseconds by which the service's time is ahead of the machine's. */
let skipped = 0;
/** Lets so many milliseconds pass at the service at once. */
export const letServicePass = (milliseconds: number) => {
  skipped += milliseconds;
};

/** The name of another stack. */
const other = "organization/project/prod";

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
  stateHas = new Map();
  backend = untold();
});
afterEach(async () => {
  // A refresh lists ahead, and the end of a run leaves requests behind. They would be retried after the end of the specification.
  running.isOver = true;
  for (const run of begun.splice(0)) run.cancel();
  jest.restoreAllMocks();
  await emulator.close();
});

/** Goes on with a service whose secrets are over GraphQL. */
export async function withoutSecretsOverRest(): Promise<void> {
  await emulator.close();
  emulator = await startEmulator({ ...service, features: { restSecrets: false } });
}

/** The state of a stack, as the test has set it. Undefined: it cannot be read. */
function stateOf(name: string): State | undefined {
  const isOther = name === other;
  if (isOther ? backend.otherIsLost : name !== (backend.renamed ?? name)) return undefined;
  const holders = isOther ? new Map(backend.othersHave.map((id) => [id, urnOf("it")])) : stateHas;
  if (holders === undefined) return undefined;
  const { pendingMarker, shown } = backend;
  return {
    name,
    objects: [
      ...backend.objects,
      ...(isOther ? backend.othersObjects : []),
      ...[...holders].map(([id, urn]) => stated(urn, id)),
    ],
    holders,
    readInstead: new Set(),
    reads: new Set(backend.reads[isOther ? "another stack" : "this stack"]),
    serving: backend.serving,
    providers: new Set(backend.renamed === undefined ? [] : [stacks.ours]),
    markers: new Set([
      ...(shown ? [stacks.ours] : []),
      ...(isOther || pendingMarker === undefined ? [] : [pendingMarker]),
    ]),
    leaving: new Set(),
    supplanted: new Set(backend.supplanted),
    dropped: new Set(),
    shownNames: new Set(shown && [isOther ? shown.theirs : shown.ours]),
    pending: backend.pending.map((urn) => ({
      urn,
      marker: pendingMarker ?? stacks.ours,
      name: backend.pendingName,
      adopts: backend.pendingAdopts,
    })),
    adopting: isOther ? backend.othersAdopt.map((adopt) => ({ urn: urnOf("networkVolume"), adopt })) : [],
    at: systemClock.now() - backend.writtenAgo,
  };
}

/** The stacks that Pulumi knows beside the one of the test. The other one is there where a test says something of it. */
function stackNames(): string[] {
  const { renamed, shown, otherIsLost, othersHave, othersObjects, othersAdopt, reads } = backend;
  const held = [...othersHave, ...othersObjects, ...othersAdopt, ...(reads["another stack"] ?? [])];
  const hasOther = shown !== undefined || otherIsLost || held.length > 0;
  return [...(renamed === undefined ? [] : [renamed]), ...(hasOther ? [other] : [])];
}

/** A provider like that of a new process: it remembers nothing of earlier runs. */
export function provider(environment: NodeJS.ProcessEnv = {}): { run: Run } & Record<Kind, Handler> {
  const pulumi = {
    state: async (name: string) => stateOf(name),
    stacks: async () => stackNames(),
    setting: async (stack: string) => (stack === (backend.renamed ?? stack) ? backend.confirmed : undefined),
    current: async () => backend.current,
    command: () => backend.command,
  };
  const run = new Run({ ...emulator.env, ...environment }, pulumi, ...untilTestEnds());
  begun.push(run);
  const handlers = kinds.map((kind) => [kind, handler(definitions[capitalized(kind)], run)]);
  return { run, ...Object.fromEntries(handlers) };
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
  const all = { ...rest, __provider: "p", __urn: urnOf(kind), __stack: stacks.ours, ...changes };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** Checks and creates a resource, as the engine does when the resource is not in the state. */
export async function begin(of: ResourceProvider, kind: Kind, changes: Properties = {}) {
  const { inputs: checked, failures = [] } = (await of.check?.({}, declared(kind, changes))) ?? {};
  if (failures.length > 0) throw new Error(JSON.stringify(failures));
  return createAsPending(of, checked);
}

/** Creates an object with the name from the table. */
export const create = (of: ResourceProvider, kind: Kind, changes: Properties = {}) =>
  createAsPending(of, { ...declared(kind), name: inputs[kind].name, ...changes });

/** The engine writes into the state what it begins to create. */
async function createAsPending(of: ResourceProvider, given: Properties) {
  backend.pending = [...backend.pending, String(given.__urn)];
  return of.create(given);
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
