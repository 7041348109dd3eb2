import { covers, filtered, isEmpty, type Properties } from "../../provider/core/value";
import type { Emulator } from "../emulator";
import { type Entry, exists } from "./engine";
import type { Ledger } from "./ledger";
import type { Kind } from "./process";
import { closed, type Declared, resolved } from "./program";
import type { Stack } from "./stack";

/** What went wrong in a scenario. Each finding is a sentence. */
export interface Findings {
  /** Objects of another owner that a stack changed, took over or deleted. */
  touched: string[];
  leaked: string[];
  duplicated: string[];
  lost: string[];
  other: string[];
}

export const noFindings = (): Findings => ({ touched: [], leaked: [], duplicated: [], lost: [], other: [] });

export interface Existing {
  readonly kind: Kind;
  readonly id: string;
  readonly name: string;
  readonly object: Properties;
}

/** All objects in the account, of the kinds that scenarios use. */
export function existing({ service }: Emulator): Existing[] {
  const all = service.snapshot();
  const byKind: Record<Kind, readonly { id: string; name: string | null }[]> = {
    Pod: all.pods,
    Cluster: all.clusters,
    ServerlessEndpoint: all.endpoints,
    Template: all.templates,
    NetworkVolume: all.networkVolumes,
    GlobalVolume: all.globalVolumes,
    RegistryAuth: all.registries,
    RegistryDelegation: all.delegations,
    Secret: all.secrets,
  };
  return Object.entries(byKind).flatMap(([kind, objects]) =>
    objects.map((object) => ({
      kind: kind as Kind,
      id: object.id,
      name: String(object.name),
      object: { ...object } as Properties,
    })),
  );
}

/** Compares a stack's program, state and objects at the end of a scenario, when they should agree. */
export function compared(emulator: Emulator, stack: Stack, ledger: Ledger, findings: Findings): void {
  const { program, templated, label } = stack;
  const { state } = stack.engine;
  const there = existing(emulator);
  for (const { slot, id } of state.filter(exists)) {
    const owner = ledger.ownerOf(id);
    if (owner !== label) findings.touched.push(`${slot} of ${label} is ${id}, which is ${owner}'s`);
    if (!there.some((object) => object.id === id)) findings.lost.push(`${slot} (${id}) is in the state only`);
  }
  for (const declared of closed(program)) {
    const entries = state.filter((entry) => entry.slot === declared.slot);
    if (entries.length === 0) findings.lost.push(`${declared.slot} of ${label} is declared and nowhere`);
    if (entries.length > 1)
      findings.duplicated.push(`${declared.slot} of ${label} is ${entries.length} times in the state`);
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
}

/** The fields of an object that differ from the program. */
function differences(
  emulator: Emulator,
  state: readonly Entry[],
  declared: Declared,
  entry: Entry,
  templated: boolean,
): string[] {
  const look = (slot: string, key?: string) => {
    const entry = state.find((other) => other.slot === slot);
    return key === undefined ? entry?.id : entry?.outputs[key];
  };
  const { id } = entry;
  const args = resolved(declared.args, look) as Properties;
  const object = held(emulator, declared.kind, id);
  const wanted = { ...(templated ? {} : cleared[declared.kind]), ...args };
  /** Whether the object has environment variables that the program does not declare. */
  const superfluous = (key: string, value: unknown) =>
    key === "env" &&
    !templated &&
    Object.keys(object.env as object).length > Object.keys(value as object).length;
  // Nothing can read these, so they may keep old values after an unfinished update or a restored state.
  const unseen = entry.unsure ? ["value", "username", "password"] : [];
  const wrong = Object.entries(wanted).filter(
    ([key, value]) =>
      key in object && !unseen.includes(key) && (!covers(object[key], value) || superfluous(key, value)),
  );
  return wrong.map(
    ([key, value]) =>
      `${declared.slot}.${key} (${id}) is ${JSON.stringify(object[key])} instead of ${JSON.stringify(value)}`,
  );
}

const nothing = { args: "", env: {}, ports: [], registry: null };

/** The values that settings must have when the program leaves them out. */
const cleared: Record<Kind, Properties> = {
  Pod: { ...nothing, mounts: {}, locked: false, desiredStatus: "RUNNING" },
  ServerlessEndpoint: {
    ...nothing,
    networkVolumes: [],
    globalVolumes: [],
    workers: { min: 0, max: 3 },
    timeout: 300_000,
    flashboot: "OFF",
  },
  Template: { ...nothing, mounts: {}, readme: "", serverless: false, startSsh: true },
  Cluster: {},
  NetworkVolume: {},
  GlobalVolume: {},
  RegistryDelegation: {},
  RegistryAuth: {},
  Secret: {},
};

/** An object in the form of a program's arguments, with the fields that no read returns. */
function held({ service }: Emulator, kind: Kind, id: string): Properties {
  switch (kind) {
    case "Pod": {
      const pod = service.pods.get(id);
      const { template, bootEnv } = service.pods.record(id);
      return {
        ...pod,
        env: ownVariables(pod.env),
        templateId: template,
        startJupyter: "JUPYTER_PASSWORD" in bootEnv,
        desiredStatus: pod.status === "EXITED" || pod.status === "ERROR" ? pod.status : "RUNNING",
      };
    }
    case "ServerlessEndpoint": {
      const endpoint = service.endpoints.get(id);
      return { ...endpoint, env: ownVariables(endpoint.env) };
    }
    case "Cluster":
      return { image: service.clusters.pods(id)[0]?.image, ...service.clusters.get(id) };
    case "Template":
      return { ...service.templates.get(id), readme: service.templates.readme(id) };
    case "NetworkVolume":
      return { ...service.volumes.get(id) };
    case "GlobalVolume":
      return { ...service.globalVolumes.get(id) };
    case "RegistryDelegation":
      return { ...service.delegations.list().find((one) => one.id === id) };
    case "RegistryAuth":
      return { ...service.registries.valueOf(id) };
    case "Secret":
      return { ...service.secrets.get(id), value: service.secrets.valueOf(id) };
  }
}

/** The variables that are neither the platform's nor podlumi's mark. */
export function ownVariables(env: unknown): Properties {
  return filtered((env ?? {}) as Properties, (name) => !/^(RUNPOD_|PUBLIC_KEY|JUPYTER_|PODLUMI_)/.test(name));
}

export function isClean(findings: Findings): boolean {
  return Object.values(findings).every(isEmpty);
}
