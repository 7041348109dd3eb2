import { covers, isEmpty, type Properties } from "../../provider/core/value";
import type { Emulator } from "../emulator";
import { type Entry, exists } from "./engine";
import type { Kind } from "./process";
import { closed, type Declared, type Program, resolved } from "./program";

/** What a scenario must not end with, each told in a sentence. */
export interface Findings {
  leaked: string[];
  duplicated: string[];
  lost: string[];
  other: string[];
}

export interface Existing {
  readonly kind: Kind;
  readonly id: string;
  readonly name: string;
}

/** Everything in the account. */
export function existing({ service }: Emulator): Existing[] {
  const { pods, endpoints, templates, networkVolumes, registries, secrets } = service.snapshot();
  const all: Record<Kind, readonly { id: string; name: string }[]> = {
    pod: pods,
    serverlessEndpoint: endpoints,
    template: templates,
    networkVolume: networkVolumes,
    registryAuth: registries,
    secret: secrets,
  };
  return Object.entries(all).flatMap(([kind, objects]) =>
    objects.map(({ id, name }) => ({ kind: kind as Kind, id, name })),
  );
}

/** Compares the account, the state and the program once everything should agree. */
export function compared(
  emulator: Emulator,
  state: readonly Entry[],
  program: Program,
  /** Slots that ever had a template, which leaves traces that no program declares. */
  templated: ReadonlySet<string>,
): Findings {
  const findings: Findings = { leaked: [], duplicated: [], lost: [], other: [] };
  const inState = new Map(state.filter(exists).map((entry) => [entry.id, entry]));
  const there = existing(emulator);
  for (const { kind, id, name } of there) {
    if (inState.has(id)) continue;
    const twin = state.some((entry) => entry.kind === kind && entry.outputs.name === name);
    findings[twin ? "duplicated" : "leaked"].push(`${kind} "${name}" (${id}) is in no state`);
  }
  for (const { slot, id } of inState.values()) {
    if (!there.some((object) => object.id === id)) findings.lost.push(`${slot} (${id}) is in the state only`);
  }
  for (const declared of closed(program)) {
    const entries = state.filter((entry) => entry.slot === declared.slot);
    if (entries.length === 0) findings.lost.push(`${declared.slot} is declared and nowhere`);
    if (entries.length > 1) findings.other.push(`${declared.slot} is ${entries.length} times in the state`);
    const [entry] = entries;
    if (entry !== undefined && there.some(({ id }) => id === entry.id)) {
      findings.other.push(
        ...differences(emulator, state, declared, entry, entry.unsure || templated.has(declared.slot)),
      );
    }
  }
  for (const { slot } of state) {
    if (!program.some((declared) => declared.slot === slot)) findings.other.push(`${slot} is not declared`);
  }
  return findings;
}

/** Fields of the object that are not what the program says. */
function differences(
  emulator: Emulator,
  state: readonly Entry[],
  declared: Declared,
  { id }: Entry,
  templated: boolean,
): string[] {
  const look = (slot: string, key?: string) => {
    const entry = state.find((other) => other.slot === slot);
    return key === undefined ? entry?.id : entry?.outputs[key];
  };
  const args = resolved(declared.args, look) as Properties;
  const object = held(emulator, declared.kind, id);
  const wanted = { ...(templated ? {} : cleared[declared.kind]), ...args };
  /** Variables that nobody declared. */
  const superfluous = (key: string, value: unknown) =>
    key === "env" &&
    !templated &&
    Object.keys(object.env as object).length > Object.keys(value as object).length;
  const wrong = Object.entries(wanted).filter(
    ([key, value]) => key in object && (!covers(object[key], value) || superfluous(key, value)),
  );
  return wrong.map(
    ([key, value]) =>
      `${declared.slot}.${key} (${id}) is ${JSON.stringify(object[key])} instead of ${JSON.stringify(value)}`,
  );
}

const nothing = { args: "", env: {}, ports: [], registry: null };

/** What the service holds of what a program does not say. */
const cleared: Record<Kind, Properties> = {
  pod: { ...nothing, mounts: {}, locked: false, desiredStatus: "RUNNING" },
  serverlessEndpoint: {
    ...nothing,
    networkVolumes: [],
    workers: { min: 0, max: 3 },
    timeout: 300_000,
    flashboot: "OFF",
  },
  template: { ...nothing, mounts: {}, readme: "", serverless: false, startSsh: true },
  networkVolume: {},
  registryAuth: {},
  secret: {},
};

/** An object with what only the service knows of it. */
function held({ service }: Emulator, kind: Kind, id: string): Properties {
  switch (kind) {
    case "pod": {
      const pod = service.pods.get(id);
      const { template, bootEnv } = service.pods.record(id);
      const own = Object.entries(pod.env).filter(([name]) => !/^(RUNPOD_|PUBLIC_KEY|JUPYTER_)/.test(name));
      return {
        ...pod,
        env: Object.fromEntries(own),
        templateId: template,
        startJupyter: "JUPYTER_PASSWORD" in bootEnv,
        desiredStatus: pod.status === "EXITED" || pod.status === "ERROR" ? pod.status : "RUNNING",
      };
    }
    case "serverlessEndpoint":
      return { ...service.endpoints.get(id) };
    case "template":
      return { ...service.templates.get(id), readme: service.templates.readme(id) };
    case "networkVolume":
      return { ...service.volumes.get(id) };
    case "registryAuth":
      return { ...service.registries.valueOf(id) };
    case "secret":
      return { ...service.secrets.get(id), value: service.secrets.valueOf(id) };
  }
}

export function isClean(findings: Findings): boolean {
  return Object.values(findings).every(isEmpty);
}
