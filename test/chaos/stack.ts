import { randomUUID } from "node:crypto";
import { carries, markOf } from "../../provider/core/mark/carried";
import { markVariable, ownerOf, stackDigits } from "../../provider/core/mark/mark";
import { definitions } from "../../provider/resources";
import type { Emulator } from "../../sdk/emulator/service";
import { Engine, type Errors } from "./engine";
import type { FaceName } from "./face";
import { type Existing, existing, remove } from "./findings";
import { keyOf, type Ledger } from "./ledger";
import { fastClock, ProviderProcess } from "./process";
import type { Program } from "./program";
import { brew, type Weather } from "./weather";

export type Command = "up" | "refresh" | "destroy";

/** Counts over all scenarios. */
export const newTally = () => ({
  scenarios: 0,
  commands: 0,
  faults: 0,
  kills: 0,
  /** Commands that Ctrl-C ended. */
  interrupts: 0,
  /** Replacements that a user has ordered. */
  taints: 0,
  /** Leftovers that a user deleted, because a message named them. */
  obeyed: 0,
  /** Leftovers with the stack's mark that no message named, and a sweep deleted: their resources have left the program since. */
  swept: 0,
  /** The same without a mark, since the program named them. */
  unmarked: 0,
});

export type Tally = ReturnType<typeof newTally>;

/** Everything that commands printed, with their errors. Stacks of one name share it: in one process, podlumi says nothing twice of a URN. */
export interface Printed {
  said: string;
}

/** One stack. Each command runs in a new provider process, so only the state is kept from one command to the next. */
export class Stack {
  readonly engine: Engine;
  program: Program = [];
  /** Slots that ever had a template. Settings of the template stay, although no program declares them. */
  readonly templated = new Set<string>();
  /** Deletions of objects with data that no version of a program asked for. Each is a sentence. */
  readonly lostData: string[] = [];
  /** The state is behind: a run was killed, something else changed an object, or an error asked for a refresh. */
  isBehind = false;
  /** When its latest command with faults began. */
  private since = 0;
  /** The program of each command so far. */
  private readonly texts: Program[] = [];
  private isUp = false;
  private rotation = 0;
  /** The ids of its provider resource: a destroy ends the life of one. */
  private readonly providerIds = new Set<string>();

  constructor(
    readonly label: string,
    name: string,
    private readonly emulator: Emulator,
    private readonly ledger: Ledger,
    readonly tally: Tally,
    private readonly face: FaceName,
    readonly printed: Printed,
  ) {
    this.engine = new Engine(name, face);
    emulator.on("before", { method: "DELETE", path: "/network-volumes/*" }, ({ client, path }) => {
      if (client.startsWith(label) && this.isUp) this.mayDelete(path.split("/").at(-1) ?? "");
    });
  }

  /** An up may delete a volume if its slot left the program, if the user wants another one, or if some program made it smaller or moved it. */
  private mayDelete(id: string): void {
    const { slot, tainted } = this.engine.state.find((entry) => entry.id === id) ?? {};
    if (tainted || !this.program.some((declared) => declared.slot === slot)) return;
    const versions = this.texts.flatMap((text) => text.filter((one) => one.slot === slot));
    const sizes = versions.map(({ args }) => Number(args.size));
    const shrinks = sizes.some((size, index) => sizes.slice(0, index).some((earlier) => earlier > size));
    const places = new Set(versions.map(({ args }) => args.dataCenter));
    if (!shrinks && places.size === 1)
      this.lostData.push(`the data of ${slot} of ${this.label} (${id}), without a word of its program`);
  }

  rotateKey(): void {
    this.rotation++;
  }

  rename(): void {
    this.engine.stack += "x";
  }

  /** Orders another object in the place of one. Pulumi deletes it last, so it must not have a unique name of the program. */
  taint(which: number): void {
    const { state } = this.engine;
    const entry = state[which % state.length];
    const isNamed = this.program.some(({ slot, args }) => slot === entry?.slot && "name" in args);
    if (entry === undefined || entry.doomed || entry.pendingReplacement) return;
    if (definitions[entry.kind].naming?.unique && isNamed) return;
    entry.tainted = true;
    this.tally.taints += 1;
  }

  /** Somebody makes a volume of the stack larger in the console. */
  grow(): void {
    const { volumes } = this.emulator.service;
    const own = volumes.list().find(({ id }) => this.engine.state.some((entry) => entry.id === id));
    if (own === undefined) return;
    volumes.update(own.id, { size: own.size + 5 });
    this.isBehind = true;
  }

  /** Somebody copies a pod of the stack in the console, with its mark. */
  copy(): void {
    const { pods } = this.emulator.service;
    const own = pods.list().find(({ id }) => this.engine.state.some((entry) => entry.id === id));
    const env = { [markVariable]: String(own?.env[markVariable]) };
    if (own !== undefined)
      pods.create({ name: "copy", image: "org/app:1", gpu: { id: "NVIDIA L4", count: 1 }, env });
  }

  /** Runs a command in a provider process of its own. */
  async run(command: Command, weather?: Weather): Promise<Errors> {
    const { engine } = this;
    if (command === "up") engine.providerId ??= randomUUID();
    if (engine.providerId !== undefined) this.providerIds.add(engine.providerId);
    const env = { ...this.emulator.env, RUNPOD_API_KEY: keyOf(this.label, this.rotation) };
    const exported = async () => (weather?.isMute ? undefined : engine.exported());
    const provider = new ProviderProcess(this.face, String(engine.providerId), env, exported);
    const clear = weather && brew(this.emulator, provider, weather);
    if (weather !== undefined) this.since = fastClock.now();
    this.isUp = command === "up";
    // Only a program has hooks.
    engine.tries = this.isUp ? (weather?.tries ?? 0) : 0;
    this.texts.push(this.program);
    const errors = await listening(
      (text) => {
        this.printed.said += text;
      },
      () => engine[command](provider, this.program),
    );
    this.printed.said += errors.map((error) => `${error}\n`).join("");
    this.tally.commands += 1;
    if (provider.cancelled) this.tally.interrupts += 1;
    if (provider.killed) this.tally.kills += 1;
    if (provider.killed || errors.some((error) => error.includes("pulumi refresh"))) this.isBehind = true;
    provider.kill();
    // A user or a CI system takes some seconds until the next command.
    await fastClock.sleep(8_000);
    clear?.();
    return errors;
  }

  /** Does what errors say, as a user would. */
  async heed(errors: Errors): Promise<void> {
    const text = errors.join("\n");
    for (const [, id, size] of text.matchAll(/\((\w+)\): size: .*?by now it is (\d+)[,;]/g)) {
      const slot = this.engine.state.find((entry) => entry.id === id)?.slot;
      const resized = { size: Number(size) };
      this.program = this.program.map((one) =>
        one.slot === slot ? { ...one, args: { ...one.args, ...resized } } : one,
      );
    }
    // Pulumi creates before it deletes what an interrupted replacement has left, which may have the name.
    for (const one of existing(this.emulator))
      if (text.includes("[PODLUMI-NAME-TAKEN]") && text.includes(one.id) && this.engine.isDoomed(one.id))
        remove(this.emulator, one);
    if (text.includes("pulumi refresh")) await this.run("refresh");
    // An endpoint keeps its template in use as long as it exists, even when the program no longer refers to it.
    if (this.templated.size > 0 && text.includes("[PODLUMI-IN-USE]")) await this.run("destroy");
  }

  /** Deletes the leftovers that a message named, as a user would: again, while something uses one. */
  async obey(): Promise<void> {
    const told = () => this.leftovers().filter((one) => this.isTold(one));
    this.tally.obeyed += told().length;
    for (let attempt = 0; attempt < 10 && told().length > 0; attempt++) {
      for (const one of told()) remove(this.emulator, one);
      await fastClock.sleep(1_000);
    }
  }

  /** Deletes what carries the stack's mark and is not in its state, like `podlumi sweep --stack`. */
  sweep(): void {
    for (const one of this.leftovers().filter((one) => this.isMarked(one))) remove(this.emulator, one);
  }

  isTold({ id }: Existing): boolean {
    return this.printed.said.includes(id);
  }

  /** What the stack has made, and its state does not have. */
  leftovers(): Existing[] {
    const held = new Set(this.engine.exported().deployment.resources.map(({ id }) => id));
    return existing(this.emulator).filter(
      ({ id }) => this.ledger.ownerOf(id) === this.label && !held.has(id),
    );
  }

  /** Whether an object carries the mark of the stack, or of an earlier life of it. */
  isMarked({ kind, object }: Existing): boolean {
    const digits = markOf(definitions[kind], object)?.digits.stack;
    return [...this.providerIds].some((id) => stackDigits(id) === digits);
  }

  /** Whether the latest command with faults has made an object for what the program still declares. The ups after it had to find that. */
  isDuplicate({ kind, id, name, object }: Existing): boolean {
    if (this.ledger.timeOf(id) < this.since) return false;
    return this.program.some((declared) => {
      if (declared.kind !== kind) return false;
      const owner = ownerOf({ __urn: this.engine.urnOf(declared), __providerId: this.engine.providerId });
      return declared.args.name === name || (owner && carries(definitions[kind], object, owner));
    });
  }
}

/** Passes on what an action writes to standard error, which is what the engine would show. */
async function listening<T>(hear: (text: string) => void, act: () => Promise<T>): Promise<T> {
  const { write } = process.stderr;
  process.stderr.write = ((text: string) => {
    hear(String(text));
    return true;
  }) as typeof write;
  try {
    return await act();
  } finally {
    process.stderr.write = write;
  }
}
