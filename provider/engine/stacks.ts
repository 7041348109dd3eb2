import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { basename } from "node:path";
import { kindOfType, partsOfUrn } from "../identity";
import { ancestors, asksForDeletions, configFile, linked, stackFlags } from "./command";

/** Milliseconds that a Pulumi command may take. A state of 1000 resources takes one second. */
const patience = 20_000;

/** A resource in an exported state. */
interface Exported {
  readonly urn: string;
  readonly id?: string;
  readonly type: string;
  readonly external?: boolean;
  readonly provider?: string;
  readonly inputs?: { readonly adopt?: unknown };
  readonly outputs?: { readonly __stack?: string; readonly __urn?: string; readonly __imported?: boolean };
  /** Its replacement is made; it is still to be deleted. */
  readonly delete?: boolean;
  readonly importID?: string;
  readonly taint?: boolean;
  readonly replaceWith?: readonly string[];
  readonly replaceOnChanges?: readonly string[];
  readonly replacementTrigger?: unknown;
  /** Its object is deleted; its replacement is not made yet. */
  readonly pendingReplacement?: boolean;
}

/** The part of an export that matters here. */
interface Deployment {
  readonly manifest?: { readonly time?: string };
  readonly resources?: readonly Exported[];
  readonly pending_operations?: readonly { readonly resource: Exported; readonly type: string }[];
}

/** The object of a resource of podlumi, as the last run left it. */
export interface Stated {
  readonly urn: string;
  readonly id: string;
  /** Its secrets are encrypted. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Its secrets are encrypted. */
  readonly outputs: Readonly<Record<string, unknown>>;
  /** The next run replaces it (`pulumi state taint`). */
  readonly isTainted: boolean;
  /** It is deleted; its replacement is not made yet. */
  readonly isGone: boolean;
  /** What it is replaced with (`replaceWith`), and whether the same provider serves that. */
  readonly replacedWith: readonly { readonly urn: string; readonly isNear: boolean }[];
  /** A change of its inputs may replace it (`replaceOnChanges`). */
  readonly isReplacedOnChanges: boolean;
  /** Its provider, where the program declares one, and whether an option may replace that. */
  readonly provider?:
    | { readonly urn: string; readonly id: string; readonly mayBeReplaced: boolean }
    | undefined;
}

/** A stack's state. */
export interface State {
  /** The stack, with its organization and project. */
  readonly name: string;
  /** The objects of its resources of podlumi. Not those that are replaced, and only still to be deleted. */
  readonly objects: readonly Stated[];
  /** Ids of objects that are still to be deleted, since their resources got others, to import or to read. */
  readonly supplanted: ReadonlySet<string>;
  /** URNs of the resources by the ids of their objects. Not of those that only read an object. */
  readonly holders: ReadonlyMap<string, string>;
  /** Ids of the objects that the program only reads (`get`). No resource of the stack has them. */
  readonly reads: ReadonlySet<string>;
  /** The ids of the providers under which its objects are marked: of those that it has, and of those that it had. */
  readonly markers: ReadonlySet<string>;
  /** The names of stacks, as marks have them, that its objects show: its own, one from before a rename, or that of a stack that had them. */
  readonly shownNames: ReadonlySet<string>;
  /** The ids of its provider resources. */
  readonly providers: ReadonlySet<string>;
  /** URNs of resources that a run is making, or was making when it was interrupted: once for each such run. */
  readonly pending: readonly string[];
  /** What such resources adopt: an id, or an object's name as `{ name }`. */
  readonly adopting: readonly { readonly urn: string; readonly adopt: unknown }[];
  /** When it was written, in milliseconds since the epoch; 0 when it does not say. */
  readonly at: number;
}

/** The name of a stack without its organization, as marks have it. */
export function nameInMarks({ name }: Pick<State, "name">): string {
  return name.split("/").slice(-2).join("/");
}

/**
 * Asks Pulumi about its states; undefined when Pulumi cannot be asked. The engine shows a provider one resource after
 * the other, and some only at the end of a run. To know earlier whether a state has an object, podlumi asks Pulumi
 * itself. That takes a moment, so it asks only about objects whose mark or name raises the question.
 */
export interface Pulumi {
  state(stack: string): Promise<State | undefined>;
  /** All stacks of the backend, with organization and project. */
  stacks(): Promise<string[] | undefined>;
  /** The value of a key of a stack's configuration, as it is now; undefined without one, or when Pulumi does not tell. */
  setting(stack: string, key: string): Promise<string | undefined>;
  /** The stack of this run's command, with organization and project; undefined where nothing shows the command. */
  current(): Promise<string | undefined>;
  /** Whether the command of this run deletes only what the user asks it to delete; undefined where nothing shows the command. */
  asksForDeletions(): boolean | undefined;
}

/** The `pulumi` command of this machine. */
export const pulumi: Pulumi = {
  async state(stack) {
    return twice(async () => stateIn(stack, parsed(await output(["stack", "export", "--stack", stack]))));
  },
  async stacks() {
    const found = () => output(["stack", "ls", "--all", "--json", "--fully-qualify-stack-names"]);
    return twice(async () => parsed<{ name: string }[]>(await found())?.map(({ name }) => name));
  },
  async setting(stack, key) {
    const file = configFile();
    const from = file === undefined ? [] : ["--config-file", file];
    return (await output(["config", "get", key, "--stack", stack, ...from]))?.trim();
  },
  async current() {
    const flags = stackFlags();
    const name = ["stack", "--show-name", "--fully-qualify-stack-names"];
    return flags && (await output([...name, ...flags]))?.trim();
  },
  asksForDeletions,
};

/** Asks once more where there is no answer: a run may have been writing a state at that moment. */
async function twice<T>(ask: () => Promise<T | undefined>): Promise<T | undefined> {
  return (await ask()) ?? (await ask());
}

/** A backend whose stacks have empty states, for tests. */
export const emptyBackend: Pulumi = {
  state: async (name) => stateIn(name, { deployment: {} }),
  stacks: async () => [],
  setting: async () => undefined,
  current: async () => undefined,
  asksForDeletions: () => undefined,
};

/** How many states to export at once: a backend may hold hundreds. */
const atOnce = 4;

/** The states of some stacks. Calls `otherwise` for each stack whose state cannot be read. */
export async function states(
  { state }: Pulumi,
  stacks: readonly string[],
  otherwise: (stack: string) => void = () => undefined,
): Promise<State[]> {
  const waiting = [...stacks];
  const found: State[] = [];
  const lane = async () => {
    for (let stack = waiting.pop(); stack !== undefined; stack = waiting.pop()) {
      const one = await state(stack);
      if (one === undefined) otherwise(stack);
      else found.push(one);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return found;
}

/** The state in an export; undefined when this is no export. */
export function stateIn(name: string, exported: { deployment?: Deployment } | undefined): State | undefined {
  if (exported?.deployment === undefined) return undefined;
  const { resources = [], pending_operations: pending = [], manifest } = exported.deployment;
  const creating = pending.filter(({ type }) => type === "creating").map(({ resource }) => resource);
  const present = resources.filter(({ external, pendingReplacement }) => !external && !pendingReplacement);
  const providerIds = resources.flatMap(({ type, id }) =>
    type.startsWith("pulumi:providers:") ? (id ?? []) : [],
  );
  return {
    name,
    objects: resources.flatMap((resource) => statedIn(resource, resources) ?? []),
    supplanted: new Set(
      resources.flatMap((resource) => (isSupplanted(resource, resources) && resource.id) || []),
    ),
    holders: new Map(present.flatMap(({ id, urn }) => (id === undefined ? [] : [[id, urn] as const]))),
    reads: new Set(resources.flatMap(({ id, external }) => (external ? (id ?? []) : []))),
    pending: creating.map(({ urn }) => urn),
    adopting: creating.flatMap(({ urn, inputs }) =>
      inputs?.adopt === undefined ? [] : [{ urn, adopt: inputs.adopt }],
    ),
    at: Date.parse(manifest?.time ?? "") || 0,
    providers: new Set(providerIds),
    markers: new Set([...providerIds, ...resources.flatMap(({ outputs }) => outputs?.__stack ?? [])]),
    shownNames: new Set(resources.flatMap(({ outputs }) => nameIn(outputs?.__urn) ?? [])),
  };
}

/** The name of the stack in a URN, as marks have it. */
function nameIn(urn: string | undefined): string | undefined {
  if (urn === undefined) return undefined;
  const { stack, project } = partsOfUrn(urn);
  return `${project}/${stack}`;
}

function statedIn(resource: Exported, all: readonly Exported[]): Stated | undefined {
  const { urn, id, type, provider, inputs = {}, outputs = {}, replaceWith = [] } = resource;
  if (id === undefined || resource.external || resource.delete || kindOfType(type) === undefined)
    return undefined;
  const near = (other: string) => all.some((one) => one.urn === other && one.provider === provider);
  const replacedWith = replaceWith.map((other) => ({ urn: other, isNear: near(other) }));
  const [isTainted, isGone] = [resource.taint === true, resource.pendingReplacement === true];
  const isReplacedOnChanges = isFilled(resource.replaceOnChanges);
  const stated = { urn, id, inputs, outputs, isTainted, isGone, replacedWith, isReplacedOnChanges };
  return { ...stated, provider: providerIn(all, provider) };
}

function isSupplanted({ urn, delete: isLeft }: Exported, all: readonly Exported[]): boolean {
  // The program may have lost its `import` by now.
  const isFound = ({ importID, external, outputs }: Exported) =>
    importID !== undefined || external === true || outputs?.__imported === true;
  return isLeft === true && all.some((one) => one.urn === urn && !one.delete && isFound(one));
}

function providerIn(all: readonly Exported[], reference: string | undefined): Stated["provider"] {
  const found = all.find(({ urn, id }) => `${urn}::${id}` === reference);
  if (found?.id === undefined) return undefined;
  const { urn, id, taint, replacementTrigger, replaceOnChanges, replaceWith } = found;
  const isTriggered = (replacementTrigger ?? undefined) !== undefined;
  const mayBeReplaced = taint === true || isTriggered || isFilled(replaceOnChanges) || isFilled(replaceWith);
  // Nothing replaces a default provider, which has no options. A program can call its own alike.
  const isDefault = /^default(_|$)/.test(partsOfUrn(urn).name) && !mayBeReplaced;
  return isDefault ? undefined : { urn, id, mayBeReplaced };
}

function isFilled(list: readonly string[] | undefined): boolean {
  return list !== undefined && list.length > 0;
}

/** Unreadable text is undefined, which means "unknown" and never "empty". */
function parsed<T>(text: string | undefined): T | undefined {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** How to run Pulumi: its executable, and the folder of the project, whose `Pulumi.yaml` may name the backend. */
interface Executable {
  readonly program: string;
  readonly cwd: string;
}

/**
 * Takes the executable and the folder of the engine that started this process, where `/proc` shows them. The executable
 * need not be on the PATH. A provider's own folder is that of the program (`main`), which may be another one. Without
 * `/proc`, uses the PATH and the folder of the shell.
 */
function executable(): Executable {
  for (const id of ancestors()) {
    const program = linked(`/proc/${id}/exe`);
    const cwd = linked(`/proc/${id}/cwd`);
    if (program !== undefined && cwd !== undefined && basename(program) === "pulumi") return { program, cwd };
  }
  const { PWD = "." } = process.env;
  return { program: "pulumi", cwd: existsSync(PWD) ? PWD : "." };
}

/** The output of a Pulumi command; undefined when it fails or does not exist. */
function output(args: readonly string[]): Promise<string | undefined> {
  return new Promise((done) => {
    // Detached: at the end of a run, the engine interrupts the provider's whole process group.
    const { program, cwd } = executable();
    const child = spawn(program, [...args, "--non-interactive"], {
      cwd,
      detached: true,
      stdio: ["ignore", "pipe", "ignore"],
      env: { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "1" },
    });
    const timer = setTimeout(() => child.kill("SIGKILL"), patience);
    const parts: Buffer[] = [];
    child.stdout.on("data", (part: Buffer) => parts.push(part));
    child.on("error", () => done(undefined));
    child.on("close", (code) => {
      clearTimeout(timer);
      done(code === 0 ? Buffer.concat(parts).toString("utf8") : undefined);
    });
  });
}
