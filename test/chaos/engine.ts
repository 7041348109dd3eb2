import { isDeepStrictEqual } from "node:util";
import { unknownValue } from "../../provider/value";
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
  inputs: Properties;
  outputs: Properties;
  /** The slots that each input refers to. */
  uses: Readonly<Record<string, readonly string[]>>;
  /** A killed update may have set what the program has since removed. */
  unsure?: true;
  /** The object exists, but its creation or update ended with an initialization failure. */
  initErrors?: readonly string[] | undefined;
  /** The user wants another object in its place. */
  tainted?: true;
  /** Its replacement exists, and it must still be deleted. */
  doomed?: true;
  /** Its object is deleted, and the replacement must still be created. */
  pendingReplacement?: true;
}

/** The error messages of a command. Empty when it succeeded. */
export type Errors = string[];

/** Does something unless something failed before, and notes its failure. Both return undefined. */
type Guard = <T>(act: () => Promise<T>) => Promise<T | undefined>;

/**
 * A model of the Pulumi engine, of everything that decides which objects exist. Checks and diffs run one after the other, other calls in
 * parallel. Resources that left the program are deleted last, and only when nothing failed. Replacements create first or delete first. The
 * state learns only from answers.
 */
export class Engine {
  state: Entry[] = [];
  /** The id of the stack's provider resource, while it has one. */
  providerId: string | undefined;
  /** How often a hook of the program has a failed create, update or deletion tried again (`onError`). */
  tries = 0;

  /** `stack` is the stack's name, which can change. */
  constructor(
    public stack: string,
    readonly face: FaceName,
  ) {}

  /** The next run that succeeds deletes the object. */
  isDoomed(id: string): boolean {
    return this.state.some((entry) => entry.id === id && entry.doomed === true);
  }

  /** What `pulumi stack export` shows. */
  exported() {
    const resources = this.state.map((entry) => ({ id: entry.id, urn: this.urnOf(entry) }));
    return { deployment: { resources: [{ id: this.providerId }, ...resources] } };
  }

  urnOf({ slot, kind }: Pick<Entry, "slot" | "kind">): string {
    return `urn:pulumi:${this.stack}::chaos::${typeOfFace[this.face](kind)}::${slot}`;
  }

  /** Returns the errors. After the first error no new step begins. */
  async up(provider: ProviderProcess, program: Program): Promise<Errors> {
    const [errors, guard] = guarded();
    const made = new Map<string, Promise<Entry | undefined>>();
    let turn: Promise<unknown> = Promise.resolve();
    for (const declared of closed(program)) {
      const needed = references(declared.args).map((slot) => made.get(slot));
      const registered = Promise.all(needed).then((entries) => {
        if (entries.some((entry) => entry === undefined)) return undefined;
        const planned = turn.then(() => guard(() => this.plan(provider, declared)));
        turn = planned;
        return planned.then((step) => step && guard(step));
      });
      made.set(declared.slot, registered);
    }
    await Promise.all(made.values());
    if (errors.length === 0) await this.deleteAll(provider, guard, program);
    return errors;
  }

  async destroy(provider: ProviderProcess): Promise<Errors> {
    const [errors, guard] = guarded();
    await this.deleteAll(provider, guard, []);
    // The engine deletes the provider resource last. The next up creates a new one.
    if (this.state.length === 0) this.providerId = undefined;
    return errors;
  }

  async refresh(provider: ProviderProcess): Promise<Errors> {
    const [errors, guard] = guarded();
    const read = async (entry: Entry) => {
      const { id, inputs, outputs } = await provider.call((face) =>
        face.read(this.urnOf(entry), entry.id, entry),
      );
      if (id === "") return this.remove(entry);
      Object.assign(entry, { inputs, outputs });
    };
    await Promise.all(this.state.filter(exists).map((entry) => guard(() => read(entry))));
    return errors;
  }

  /** Checks and diffs one resource. Returns the step that creates, updates or replaces it. */
  private async plan(provider: ProviderProcess, declared: Declared): Promise<() => Promise<Entry>> {
    const { slot, kind, args } = declared;
    const urn = this.urnOf(declared);
    const old = this.state.find((entry) => entry.slot === slot && !entry.doomed);
    const look = (name: string, key?: string) => {
      const entry = this.state.find((other) => other.slot === name && exists(other) && !other.doomed);
      return key === undefined ? entry?.id : entry?.outputs[key];
    };
    const given = withSecretArgs(kind, resolved(args, look) as Properties);
    const uses = Object.fromEntries(Object.entries(args).map(([key, value]) => [key, references(value)]));
    const check = async (olds?: Properties) => {
      const { inputs, failures } = await provider.call((face) => face.check(urn, olds, given));
      if (failures.length > 0) throw new Error(`${slot}: ${JSON.stringify(failures)}`);
      return inputs;
    };
    const make = async (inputs: Properties) => {
      const add = (made: Pick<Entry, "id" | "outputs" | "initErrors">) => {
        this.state = this.state.filter((one) => one.slot !== slot || exists(one));
        // Its deletion is the last of the run, and the next run's if this one ends before.
        if (old !== undefined && exists(old)) old.doomed = true;
        const entry: Entry = { slot, kind, uses, inputs, ...made };
        this.state.push(entry);
        return entry;
      };
      try {
        return add(await this.trying(provider, (face) => face.create(urn, inputs)));
      } catch (error) {
        if (hasLeftObject(error)) add({ id: error.id, outputs: error.properties, initErrors: error.reasons });
        throw error;
      }
    };
    if (old === undefined || old.tainted) {
      const inputs = await check();
      return () => make(inputs);
    }
    const inputs = await check(old.inputs);
    const found = await provider.call((face) => face.diff(urn, old, inputs));
    if (found.replaces.length > 0 || old.pendingReplacement) {
      const again = await check();
      if (!found.deleteBeforeReplace || old.pendingReplacement) return () => make(again);
      for (const entry of await this.dependents(provider, old)) await this.delete(provider, entry, true);
      return async () => {
        await this.delete(provider, old, true);
        return make(again);
      };
    }
    // When the provider does not say whether there are changes, the engine compares the inputs.
    const differ = found.changes ?? !isDeepStrictEqual(old.inputs, inputs);
    if (!differ && old.initErrors === undefined) return async () => Object.assign(old, { inputs, uses });
    return () => this.update(provider, old, inputs, uses);
  }

  private async update(provider: ProviderProcess, old: Entry, inputs: Properties, uses: Entry["uses"]) {
    try {
      const { outputs } = await this.trying(provider, (face) => face.update(this.urnOf(old), old, inputs));
      return Object.assign(old, { inputs, uses, outputs, initErrors: undefined });
    } catch (error) {
      if (hasLeftObject(error))
        Object.assign(old, { inputs, uses, outputs: error.properties, initErrors: error.reasons });
      else old.unsure = true;
      throw error;
    }
  }

  /** The resources that a delete-before-replace must delete too: those that a change of its outputs would replace. */
  private async dependents(provider: ProviderProcess, gone: Entry): Promise<Entry[]> {
    const found: Entry[] = [];
    for (const entry of this.state.filter((other) => exists(other) && !other.doomed)) {
      const keys = Object.keys(entry.uses).filter((key) => entry.uses[key]?.includes(gone.slot));
      if (keys.length === 0) continue;
      const unsure = { ...entry.inputs, ...Object.fromEntries(keys.map((key) => [key, unknownValue])) };
      const { replaces } = await provider.call((face) => face.diff(this.urnOf(entry), entry, unsure));
      if (replaces.length > 0) found.push(...(await this.dependents(provider, entry)), entry);
    }
    return found;
  }

  /** Deletes all resources that are not in the program. Users are deleted before the resources that they use. */
  private async deleteAll(provider: ProviderProcess, guard: Guard, program: Program): Promise<void> {
    const declared = new Set(program.map(({ slot }) => slot));
    this.state = this.state.filter((entry) => exists(entry) || declared.has(entry.slot));
    const going = this.state.filter((entry) => entry.doomed || !declared.has(entry.slot));
    const gone = new Map<Entry, Promise<boolean>>();
    const leave = (entry: Entry): Promise<boolean> => {
      const users = going.filter((other) => Object.values(other.uses).flat().includes(entry.slot));
      const left =
        gone.get(entry) ??
        Promise.all(users.map(leave)).then(async (all) => {
          if (!all.every(Boolean)) return false;
          return (await guard(() => this.delete(provider, entry, false).then(() => true))) ?? false;
        });
      gone.set(entry, left);
      return left;
    };
    await Promise.all(going.map(leave));
  }

  private async delete(provider: ProviderProcess, entry: Entry, isReplaced: boolean): Promise<void> {
    await this.trying(provider, (face) => face.delete(this.urnOf(entry), entry));
    if (isReplaced) entry.pendingReplacement = true;
    else this.remove(entry);
  }

  /** A call with the program's hook: each try gets what the first one got, and the last one counts. */
  private async trying<T>(provider: ProviderProcess, call: (face: Face) => Promise<T>): Promise<T> {
    for (let left = this.tries; ; left--) {
      try {
        return await provider.call(call);
      } catch (error) {
        if (left === 0 || provider.killed || provider.cancelled) throw error;
      }
    }
  }

  private remove(entry: Entry): void {
    this.state = this.state.filter((other) => other !== entry);
  }
}

/** Whether the resource has an object, according to the state. */
export function exists(entry: Entry): boolean {
  return !entry.pendingReplacement;
}

/** Errors, and what notes them. After the first one it begins nothing. */
function guarded(): [Errors, Guard] {
  const errors: Errors = [];
  const guard: Guard = async (act) => {
    if (errors.length > 0) return undefined;
    try {
      return await act();
    } catch (error) {
      errors.push(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  };
  return [errors, guard];
}

/** An initialization failure: the object exists, and the state gets it. */
function hasLeftObject(error: unknown): error is Required<Refusal> {
  return error instanceof Refusal && error.id !== undefined;
}
