import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { Refusal } from "../harness/plugin-client";
import { type Face, type FaceName, typeOfFace } from "./face";
import type { Kind, ProviderProcess } from "./process";
import { closed, type Declared, type Program, references, resolved, withSecretArgs } from "./program";

type Properties = Record<string, unknown>;

/** A resource in the state file. */
export interface Entry {
  readonly slot: string;
  readonly kind: Kind;
  readonly id: string;
  /** The provider that made or last changed it, which will delete it. */
  face: FaceName;
  inputs: Properties;
  outputs: Properties;
  /** The slots that each input refers to. */
  uses: Readonly<Record<string, readonly string[]>>;
  /** Its last update may be unfinished, so the object may still have settings that the program has since removed. */
  unsure?: true;
  /** The object exists, but its creation or update ended with an initialization failure. */
  initErrors?: readonly string[];
  /** Its replacement exists, and it must still be deleted. */
  doomed?: boolean;
  /** Its object is deleted, and the replacement must still be created. */
  pendingReplacement?: boolean;
}

/** A refusal that has left an object. */
type InitializationFailure = Required<Refusal>;

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The error messages of a command. Empty when it succeeded. */
export type Errors = string[];

/**
 * A model of the Pulumi engine. It models everything that decides which objects exist: checks and diffs run one after
 * the other, other calls in parallel. Resources that left the program are deleted last, and only when nothing failed.
 * Replacements create first or delete first. The state learns only from answers. A program may change its face: each
 * resource goes on under the type of the other provider.
 */
export class Engine {
  state: Entry[] = [];
  /** The ids of the stack's provider resources, while it has them. */
  stackIds: Partial<Record<FaceName, string>> = {};
  /** The face whose classes the program uses. */
  face: FaceName = "dynamic";
  /** How often a hook of the program has a failed create, update or deletion tried again (`onError`). */
  tries = 0;

  /** `stack` is the stack's name, which can change. */
  constructor(public stack: string) {}

  /** The URN of each object in the state, by its id. Stands in for a query of Pulumi's state. */
  holders(): Map<string, string> {
    return new Map(this.state.filter(exists).map((entry) => [entry.id, this.urnOf(entry)]));
  }

  private urnOf({ slot, kind, face }: Pick<Entry, "slot" | "kind" | "face">): string {
    return `urn:pulumi:${this.stack}::chaos::${typeOfFace[face](kind)}::${slot}`;
  }

  /** Calls the provider of a resource, which begins with the first call. */
  private call<T>(
    provider: ProviderProcess,
    resource: Pick<Entry, "slot" | "kind" | "face">,
    call: (face: Face, urn: string) => Promise<T>,
  ): Promise<T> {
    const { face } = resource;
    this.stackIds[face] ??= randomUUID();
    return provider.call(face, this.stackIds[face], (served) => call(served, this.urnOf(resource)));
  }

  /** The same with a hook: each try gets what the first one got, and the last one counts. */
  private async trying<T>(
    provider: ProviderProcess,
    resource: Pick<Entry, "slot" | "kind" | "face">,
    call: (face: Face, urn: string) => Promise<T>,
  ): Promise<T> {
    for (let left = this.tries; ; left--) {
      try {
        return await this.call(provider, resource, call);
      } catch (error) {
        if (left === 0 || provider.killed || provider.cancelled) throw error;
      }
    }
  }

  /** Returns the errors. After the first error no new step begins. */
  async up(provider: ProviderProcess, program: Program): Promise<Errors> {
    const errors: Errors = [];
    this.stackIds[this.face] ??= randomUUID();
    const guard = guarded(errors);
    const made = new Map<string, Promise<Entry | undefined>>();
    let turn: Promise<unknown> = Promise.resolve();
    for (const declared of closed(program)) {
      const needed = references(declared.args).map((slot) => made.get(slot));
      const registered = Promise.all(needed).then((entries) => {
        if (entries.some((entry) => entry === undefined)) return undefined;
        const planned = turn.then(() => guard(() => this.plan(provider, declared)));
        turn = planned;
        return planned.then((step) => (step === undefined ? undefined : guard(step)));
      });
      made.set(declared.slot, registered);
    }
    await Promise.all(made.values());
    if (errors.length === 0) await this.deleteAll(provider, guard, program);
    await ended(provider);
    // A provider resource leaves the state when the program does not use it any more.
    if (errors.length === 0) this.stackIds = { [this.face]: this.stackIds[this.face] };
    return errors;
  }

  async destroy(provider: ProviderProcess): Promise<Errors> {
    const errors: Errors = [];
    await this.deleteAll(provider, guarded(errors), []);
    await ended(provider);
    // The engine deletes the provider resources last. The next up creates a new one.
    if (this.state.length === 0) this.stackIds = {};
    return errors;
  }

  async refresh(provider: ProviderProcess): Promise<Errors> {
    const errors: Errors = [];
    const guard = guarded(errors);
    const read = async (entry: Entry) => {
      const { id, inputs, outputs } = await this.call(provider, entry, (of, urn) =>
        of.read(urn, entry.id, entry),
      );
      if (id === "") return this.remove(entry);
      Object.assign(entry, { inputs, outputs });
    };
    await Promise.all(this.state.filter(exists).map((entry) => guard(() => read(entry))));
    await ended(provider);
    return errors;
  }

  /** Checks and diffs one resource. Returns the step that creates, updates or replaces it. */
  private async plan(
    provider: ProviderProcess,
    { slot, kind, args }: Declared,
  ): Promise<() => Promise<Entry>> {
    const old = this.state.find((entry) => entry.slot === slot && entry.kind === kind && !entry.doomed);
    const look = (name: string, key?: string) => {
      const entry = this.state.find((other) => other.slot === name && exists(other) && !other.doomed);
      return key === undefined ? entry?.id : entry?.outputs[key];
    };
    const { face } = this;
    const fresh = { slot, kind, face };
    const given = withSecretArgs(kind, resolved(args, look) as Properties);
    const uses = Object.fromEntries(Object.entries(args).map(([key, value]) => [key, references(value)]));
    const check = async (olds?: Properties) => {
      const { inputs, failures } = await this.call(provider, fresh, (of, urn) => of.check(urn, olds, given));
      if (failures.length > 0) throw new Error(`${slot}: ${JSON.stringify(failures)}`);
      return inputs;
    };
    const make = async (inputs: Properties) => {
      try {
        const { id, outputs } = await this.trying(provider, fresh, (of, urn) => of.create(urn, inputs));
        return this.add({ ...fresh, uses, inputs, id, outputs });
      } catch (error) {
        if (isInitializationFailure(error)) {
          const { id, properties: outputs, reasons: initErrors } = error;
          this.add({ ...fresh, uses, inputs, id, outputs, initErrors });
        }
        throw error;
      }
    };
    if (old === undefined || old.pendingReplacement) {
      const inputs = await check();
      return () => make(inputs);
    }
    const inputs = await check(old.inputs);
    const { changes, replaces, deleteBeforeReplace } = await this.call(provider, fresh, (of, urn) =>
      of.diff(urn, old, inputs),
    );
    if (replaces.length > 0) {
      const again = await check();
      if (!deleteBeforeReplace)
        return async () => {
          const fresh = await make(again).finally(() => {
            if (this.state.some((entry) => entry !== old && entry.slot === slot && !entry.doomed))
              old.doomed = true;
          });
          return fresh;
        };
      for (const entry of await this.dependents(provider, old)) await this.delete(provider, entry, true);
      return async () => {
        await this.delete(provider, old, true);
        return make(again);
      };
    }
    // When the provider does not say whether there are changes, the engine compares the inputs.
    const differ = changes ?? !isDeepStrictEqual(old.inputs, inputs);
    if (!differ && old.initErrors === undefined) {
      return async () => Object.assign(old, { inputs, uses, face });
    }
    return () => this.update(provider, old, inputs, uses);
  }

  private async update(provider: ProviderProcess, old: Entry, inputs: Properties, uses: Entry["uses"]) {
    // Aliases make the entry one of the program's face.
    const { face } = this;
    try {
      const { outputs } = await this.trying(provider, { ...old, face }, (of, urn) =>
        of.update(urn, old, inputs),
      );
      return Object.assign(old, { inputs, uses, face, outputs, initErrors: undefined });
    } catch (error) {
      old.unsure = true;
      if (isInitializationFailure(error)) {
        Object.assign(old, { inputs, uses, face, outputs: error.properties, initErrors: error.reasons });
      }
      throw error;
    }
  }

  /** The resources that a delete-before-replace must delete too: those that a change of its outputs would replace. */
  private async dependents(provider: ProviderProcess, gone: Entry): Promise<Entry[]> {
    const found: Entry[] = [];
    for (const entry of this.state.filter((other) => exists(other) && !other.doomed)) {
      const keys = Object.keys(entry.uses).filter((key) => entry.uses[key]?.includes(gone.slot));
      if (keys.length === 0) continue;
      const unsure = { ...entry.inputs, ...Object.fromEntries(keys.map((key) => [key, unknown])) };
      const { replaces } = await this.call(provider, entry, (of, urn) => of.diff(urn, entry, unsure));
      if (replaces.length > 0) found.push(...(await this.dependents(provider, entry)), entry);
    }
    return found;
  }

  /** Deletes all resources that are not in the program. Users are deleted before the resources that they use. */
  private async deleteAll(
    provider: ProviderProcess,
    guard: ReturnType<typeof guarded>,
    program: Program,
  ): Promise<void> {
    const declared = new Set(program.map(({ slot }) => slot));
    this.state = this.state.filter((entry) => !entry.pendingReplacement || declared.has(entry.slot));
    const going = this.state.filter((entry) => entry.doomed || !declared.has(entry.slot));
    const gone = new Map<Entry, Promise<boolean>>();
    const leave = (entry: Entry): Promise<boolean> => {
      const known = gone.get(entry);
      if (known !== undefined) return known;
      const users = going.filter((other) => Object.values(other.uses).flat().includes(entry.slot));
      const done = Promise.all(users.map(leave)).then(async (all) => {
        if (!all.every(Boolean)) return false;
        return (await guard(() => this.delete(provider, entry, false).then(() => true))) ?? false;
      });
      gone.set(entry, done);
      return done;
    };
    await Promise.all(going.map(leave));
  }

  private async delete(provider: ProviderProcess, entry: Entry, pendingReplacement: boolean): Promise<void> {
    await this.trying(provider, entry, (of, urn) => of.delete(urn, entry));
    if (pendingReplacement) entry.pendingReplacement = true;
    else this.remove(entry);
  }

  private add(entry: Entry): Entry {
    this.state = this.state.filter((old) => old.slot !== entry.slot || !old.pendingReplacement);
    this.state.push(entry);
    return entry;
  }

  private remove(entry: Entry): void {
    this.state = this.state.filter((other) => other !== entry);
  }
}

/** The engine interrupts the provider at the end of a command, and lets it finish. */
async function ended(provider: ProviderProcess): Promise<void> {
  await provider.end().catch(() => undefined);
}

/** Whether the resource has an object, according to the state. */
export function exists(entry: Entry): boolean {
  return !entry.pendingReplacement;
}

/** Wraps an action: skips it after an earlier failure, and collects its own failure. Both return undefined. */
function guarded(errors: Errors) {
  return async <T>(act: () => Promise<T>): Promise<T | undefined> => {
    if (errors.length > 0) return undefined;
    try {
      return await act();
    } catch (error) {
      errors.push(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  };
}

function isInitializationFailure(error: unknown): error is InitializationFailure {
  return error instanceof Refusal && error.id !== undefined;
}
