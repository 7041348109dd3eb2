import * as fc from "fast-check";
import { secret, withSecrets } from "../../provider/core/state/secret-value";
import { definitions } from "../../provider/resources";
import { isRecord, type Properties } from "../../provider/value";
import type { Kind } from "./process";

/** A resource of a program. In its arguments `$slot` is the id of another resource, and `$slot.key` an output of it. */
export interface Declared {
  readonly slot: string;
  readonly kind: Kind;
  readonly args: Properties;
}

/** Resources, each after the ones that it refers to. */
export type Program = readonly Declared[];

/** What happens to each slot in a stage: new arguments, no change, or removal. */
export type Edit = Record<string, Properties | "keep" | "drop">;

/** Secret values. They may appear only in requests, in encrypted outputs and in the account. */
export const secretValues = ["correct-horse-1", "battery-staple-2", "hunter-hunter-3"];

const { constantFrom, record } = fc;
const nothing = fc.constant(undefined);
const some = <T>(...values: T[]) => fc.oneof({ withCrossShrink: true }, nothing, constantFrom(...values));

const image = constantFrom("org/app:1", "org/app:2");
const value = constantFrom(...secretValues);
const env = some<Properties>(
  { MODE: "fast" },
  { MODE: "slow" },
  { MODE: "fast", EXTRA: "1" },
  { TOKEN: "{{ RUNPOD_SECRET_$secret0.name }}" },
  { PASSWORD: "correct-horse-1" },
);
const container = {
  image,
  args: some("--a", "--b"),
  disk: some(20, 30),
  env,
  ports: some(["80/http"], ["22/tcp", "80/http"]),
};

const volume = record({
  // Most volumes get their name from podlumi. A name from the program has no mark, so two volumes could look alike.
  name: fc.oneof({ weight: 3, arbitrary: nothing }, { weight: 1, arbitrary: constantFrom("data", "more") }),
  size: constantFrom(10, 20, 30),
  dataCenter: constantFrom("EU-RO-1", "US-GA-2"),
});
const credential = record({ username: value, password: value });
const template = (own: Record<string, fc.Arbitrary<unknown>>) =>
  record({ ...container, readme: some("# one", "# two"), startSsh: some(true, false), ...own });
const pod = record({
  ...container,
  name: some("web", "job"),
  gpu: constantFrom({ id: "NVIDIA L4" }, { id: "NVIDIA A40", count: 2 }),
  mounts: some<Properties>(
    { persistent: { size: 20, path: "/data" } },
    { persistent: { size: 30, path: "/data" } },
    { network: [{ volumeId: "$volume0", path: "/net" }] },
  ),
  startJupyter: some(true),
  templateId: some("$template0"),
  registry: some("$registry0"),
  locked: some(true, false),
  desiredStatus: some("RUNNING", "EXITED"),
  waitFor: some("NONE"),
});
const endpoint = record({
  ...container,
  name: some("api", "batch"),
  type: fc.constant("QUEUE"),
  scaling: constantFrom({ type: "QUEUE_DELAY", queueDelay: 4 }, { type: "REQUEST_COUNT", requestCount: 2 }),
  gpu: constantFrom({ pools: ["ADA_24"] }, { pools: ["ADA_24", "AMPERE_48"] }),
  workers: some({ min: 0, max: 2 }, { min: 1, max: 3 }),
  timeout: some(60_000),
  flashboot: some("FLASHBOOT"),
  registry: some("$registry1"),
});
const storage = constantFrom<Properties>(
  {},
  { networkVolumes: ["$volume1"] },
  { globalVolumes: ["$global0"] },
);
const endpointWithStorage = fc.tuple(endpoint, storage).map(([args, volumes]) => ({ ...args, ...volumes }));
const cluster = record({
  name: some("train"),
  type: constantFrom("TRAINING", "SLURM"),
  compute: constantFrom(
    { gpuTypeId: "NVIDIA H100 80GB HBM3", gpuCountPerPod: 8, podCount: 2 },
    { gpuTypeId: "NVIDIA H100 80GB HBM3", gpuCountPerPod: 8, podCount: 3 },
  ),
  image,
  env: some<Properties>({ MODE: "fast" }, { TOKEN: "{{ RUNPOD_SECRET_$secret0.name }}" }),
  mounts: some({ network: [{ volumeId: "$volume0", path: "/net" }] }),
  waitFor: some("NONE"),
});
const delegation = record({
  name: constantFrom("ecr", "ecr2"),
  resource: constantFrom("1", "2").map((tag) => `arn:aws:ecr:us-east-2:123456789012:repository/app:${tag}`),
});
const endpointOfTemplate = endpointWithStorage.map((args) => ({ ...args, templateId: "$template1" }));

/**
 * All resources that a program can have, each after the ones that it refers to. Names of templates, secrets and
 * credentials are unique. Pods, endpoints and volumes share names, so that two can look alike.
 */
const slots: Record<string, { kind: Kind; args: fc.Arbitrary<Properties> }> = {
  registry0: { kind: "RegistryAuth", args: credential },
  registry1: { kind: "RegistryAuth", args: credential },
  secret0: { kind: "Secret", args: record({ name: some("token", "token2"), value }) },
  secret1: { kind: "Secret", args: record({ value }) },
  volume0: { kind: "NetworkVolume", args: volume },
  volume1: { kind: "NetworkVolume", args: volume },
  global0: { kind: "GlobalVolume", args: record({ name: some("models", "weights") }) },
  delegation0: { kind: "RegistryDelegation", args: delegation },
  template0: {
    kind: "Template",
    args: template({
      name: some("base", "base2"),
      mounts: some({ persistent: { size: 20, path: "/t" } }),
    }),
  },
  template1: { kind: "Template", args: template({ serverless: fc.constant(true) }) },
  template2: { kind: "Template", args: template({ registry: some("$registry0") }) },
  pod0: { kind: "Pod", args: pod },
  pod1: { kind: "Pod", args: pod },
  endpoint0: { kind: "ServerlessEndpoint", args: endpointWithStorage },
  endpoint1: { kind: "ServerlessEndpoint", args: endpointOfTemplate },
  cluster0: { kind: "Cluster", args: cluster },
};

/** Random edits of all slots. The first edit decides which resources exist. */
export function edits(first: boolean): fc.Arbitrary<Edit> {
  const weight = first ? { keep: 6, drop: 0, args: 5 } : { keep: 7, drop: 2, args: 3 };
  const entries = Object.entries(slots).map(([slot, { args }]) => [
    slot,
    fc.oneof(
      { withCrossShrink: true },
      { weight: weight.keep, arbitrary: fc.constant("keep" as const) },
      { weight: weight.drop, arbitrary: fc.constant("drop" as const) },
      { weight: weight.args, arbitrary: args },
    ),
  ]);
  return record(Object.fromEntries(entries)) as fc.Arbitrary<Edit>;
}

/**
 * The program after an edit. The service refuses to delete a template while an endpoint that was made from it exists,
 * even if the endpoint no longer refers to it. So the edit does not drop such a template.
 */
export function edited(program: Program, edit: Edit): Program {
  const before = new Map(program.map((declared) => [declared.slot, declared.args]));
  return Object.entries(slots).flatMap(([slot, { kind }]) => {
    const held = slot === "template1" && before.has("endpoint1") && edit.endpoint1 !== "drop";
    const change = held && edit[slot] === "drop" ? "keep" : (edit[slot] ?? "keep");
    const args = change === "keep" ? before.get(slot) : change === "drop" ? undefined : change;
    return args === undefined ? [] : [{ slot, kind, args: defined(args) }];
  });
}

/** The program of one stack. Names that must be unique in the account get the stack's label as a suffix. */
export function forStack(program: Program, label: string): Program {
  const suffix = `-${label}`;
  return program.map((declared) => {
    const { name } = declared.args;
    const unique = declared.kind === "Secret" || declared.kind === "Template";
    if (!unique || typeof name !== "string" || name.endsWith(suffix)) return declared;
    return { ...declared, args: { ...declared.args, name: `${name}${suffix}` } };
  });
}

function defined(args: Properties): Properties {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
}

const reference = /\$([a-z]+\d)(?:\.(\w+))?/;

/** The slots that a value refers to. */
export function references(value: unknown): string[] {
  return [...JSON.stringify(value ?? null).matchAll(new RegExp(reference, "g"))].map(([, slot]) =>
    String(slot),
  );
}

/** The program without arguments that refer to slots that it does not have. */
export function closed(program: Program): Program {
  const declared = new Set(program.map(({ slot }) => slot));
  return program.map((resource) => {
    const kept = Object.entries(resource.args).filter(([, value]) =>
      references(value).every((slot) => declared.has(slot)),
    );
    return { ...resource, args: Object.fromEntries(kept) };
  });
}

/** A value with all references resolved. */
export function resolved(value: unknown, look: (slot: string, key: string | undefined) => unknown): unknown {
  if (typeof value === "string") {
    return value.replace(reference, (_all, slot: string, key?: string) => String(look(slot, key)));
  }
  if (Array.isArray(value)) return value.map((item) => resolved(item, look));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolved(inner, look)]));
}

/** Arguments as they reach the engine: what the program or the class makes a secret is wrapped. */
export function withSecretArgs(kind: Kind, args: Properties): Properties {
  const wrapped = (value: unknown): unknown => {
    if (typeof value === "string" && secretValues.includes(value)) return secret(value);
    if (Array.isArray(value)) return value.map(wrapped);
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, wrapped(inner)]));
  };
  return withSecrets(wrapped(args) as Properties, [...(definitions[kind].outputs.shape.secrets ?? [])]);
}
