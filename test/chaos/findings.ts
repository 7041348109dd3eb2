import { definitions } from "../../provider/resources";
import { covers, filtered, isEmpty, type Properties } from "../../provider/value";
import type { Emulator } from "../../sdk/emulator/service";
import { type Entry, exists } from "./engine";
import type { Ledger } from "./ledger";
import type { Kind } from "./process";
import { closed, type Declared, resolved } from "./program";
import type { Stack } from "./stack";

/** What went wrong in a scenario. Each finding is a sentence. */
export const noFindings = () => ({
  /** Objects of another owner that a stack changed, took over or deleted. */
  touched: [] as string[],
  /** What a stack made, and neither its state, nor a mark, nor a message tells of. */
  leaked: [] as string[],
  /** What a stack made beside what it has for the same resource. */
  duplicated: [] as string[],
  lost: [] as string[],
  other: [] as string[],
});

export type Findings = ReturnType<typeof noFindings>;

export interface Existing {
  readonly kind: Kind;
  readonly id: string;
  readonly name: string;
  readonly object: Properties;
}

/** A kind of objects, as people have it in the console. */
interface Console {
  list(): readonly { id: string; name: string | null }[];
  delete(id: string): void;
}

/** The kinds that scenarios use. */
function consoles({ service }: Emulator): Partial<Record<Kind, Console>> {
  return {
    Pod: service.pods,
    Cluster: service.clusters,
    ServerlessEndpoint: service.endpoints,
    Template: service.templates,
    NetworkVolume: service.volumes,
    GlobalVolume: service.globalVolumes,
    RegistryAuth: service.registries,
    RegistryDelegation: service.delegations,
    Secret: service.secrets,
  };
}

/** All objects in the account. */
export function existing(emulator: Emulator): Existing[] {
  return Object.entries(consoles(emulator)).flatMap(([kind, all]) =>
    all.list().map((object) => ({
      kind: kind as Kind,
      id: object.id,
      name: String(object.name),
      object: { ...object } as Properties,
    })),
  );
}

/** Deletes an object by hand, unless it is in use. */
export function remove(emulator: Emulator, { kind, id }: Existing): void {
  try {
    consoles(emulator)[kind]?.delete(id);
  } catch {
    // A later call tries again.
  }
}

/** Compares a stack's program, state and objects at the end of a scenario, when they should agree. */
export function compared(emulator: Emulator, stack: Stack, ledger: Ledger, findings: Findings): void {
  const { label } = stack;
  const { state } = stack.engine;
  const there = new Map(existing(emulator).map((one) => [one.id, one]));
  for (const { slot, id } of state.filter(exists)) {
    const owner = ledger.ownerOf(id);
    if (owner !== label) findings.touched.push(`${slot} of ${label} is ${id}, which is ${owner}'s`);
    if (!there.has(id)) findings.lost.push(`${slot} (${id}) is in the state only`);
  }
  for (const declared of closed(stack.program)) {
    const { slot } = declared;
    const [entry, ...more] = state.filter((one) => one.slot === slot);
    const object = there.get(String(entry?.id));
    if (entry === undefined) findings.lost.push(`${slot} of ${label} is declared and nowhere`);
    else if (object !== undefined)
      findings.other.push(...differences(stack, declared, entry, held(emulator, object)));
    if (more.length > 0) findings.duplicated.push(`${slot} of ${label} is several times in the state`);
  }
  for (const { slot } of state)
    if (!stack.program.some((one) => one.slot === slot)) findings.other.push(`${slot} is not declared`);
}

/** Sorts what a stack has left, after the ups have succeeded and what messages named is deleted. */
export function judgeLeftovers(stack: Stack, findings: Findings): void {
  for (const one of stack.leftovers()) {
    const what = `${one.kind} "${one.name}" (${one.id}) of ${stack.label}`;
    // The service refuses to delete what is in use.
    if (stack.isTold(one)) continue;
    if (definitions[one.kind].naming?.mark !== undefined && !stack.isMarked(one))
      findings.leaked.push(`${what} is in no state, has no mark, and was never told of`);
    else if (stack.isDuplicate(one)) findings.duplicated.push(`${what} is beside what the state has`);
    else if (stack.isMarked(one)) stack.tally.swept += 1;
    else stack.tally.unmarked += 1;
  }
}

/** The fields of an object that differ from the program. */
function differences(stack: Stack, declared: Declared, entry: Entry, object: Properties): string[] {
  const look = (slot: string, key?: string) => {
    const found = stack.engine.state.find((other) => other.slot === slot);
    return key === undefined ? found?.id : found?.outputs[key];
  };
  const { slot, kind } = declared;
  const { id, unsure } = entry;
  const keepsMore = unsure || stack.templated.has(slot);
  const args = resolved(declared.args, look) as Properties;
  const wanted = { ...(keepsMore ? {} : cleared[kind]), ...args };
  /** Whether the object has environment variables that the program does not declare. */
  const superfluous = (key: string, value: unknown) =>
    key === "env" &&
    !keepsMore &&
    Object.keys(object.env as object).length > Object.keys(value as object).length;
  // Nothing can read these, so they may keep old values after an unfinished update.
  const unseen = unsure ? ["value", "username", "password"] : [];
  const wrong = Object.entries(wanted).filter(
    ([key, value]) =>
      key in object && !unseen.includes(key) && (!covers(object[key], value) || superfluous(key, value)),
  );
  return wrong.map(
    ([key, value]) =>
      `${slot}.${key} (${id}) is ${JSON.stringify(object[key])} instead of ${JSON.stringify(value)}`,
  );
}

const nothing = { args: "", env: {}, ports: [], registry: null };

/** The values that settings must have when the program leaves them out. */
const cleared: Partial<Record<Kind, Properties>> = {
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
};

/** An object in the form of a program's arguments, with the fields that no read returns. */
function held({ service }: Emulator, { kind, id, object }: Existing): Properties {
  const podOf = () => {
    const { template, bootEnv } = service.pods.record(id);
    const isStopped = object.status === "EXITED" || object.status === "ERROR";
    const desiredStatus = isStopped ? object.status : "RUNNING";
    return { templateId: template, startJupyter: "JUPYTER_PASSWORD" in bootEnv, desiredStatus };
  };
  const unread: Partial<Record<Kind, () => object>> = {
    Pod: podOf,
    Cluster: () => ({ image: service.clusters.pods(id)[0]?.image }),
    Template: () => ({ readme: service.templates.readme(id) }),
    RegistryAuth: () => service.registries.valueOf(id),
    Secret: () => ({ value: service.secrets.valueOf(id) }),
  };
  return {
    ...object,
    ...(object.env !== undefined && { env: ownVariables(object.env) }),
    ...unread[kind]?.(),
  };
}

/** The variables that are neither the platform's nor podlumi's mark. */
export function ownVariables(env: unknown): Properties {
  return filtered((env ?? {}) as Properties, (name) => !/^(RUNPOD_|PUBLIC_KEY|JUPYTER_|PODLUMI_)/.test(name));
}

export function isClean(findings: Findings): boolean {
  return Object.values(findings).every(isEmpty);
}
