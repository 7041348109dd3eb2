import { readableOf, stackDigits } from "../../provider/core/kind/mark";
import { markOf } from "../../provider/core/kind/ownership";
import { unwrapped } from "../../provider/core/kind/secret-value";
import { emptyBackend } from "../../provider/engine/stacks";
import { definitions } from "../../provider/resources";
import type { Emulator } from "../emulator";
import { Engine, type Errors } from "./engine";
import type { FaceName } from "./face";
import { existing } from "./findings";
import { keyOf, type Ledger } from "./ledger";
import { fastClock, type Kind, ProviderProcess } from "./process";
import type { Program } from "./program";
import { brew, type Weather } from "./weather";

interface Volume {
  readonly size: number;
  readonly dataCenter: string;
}

export type Command = "up" | "refresh" | "destroy";

/** Counts over all scenarios. */
export interface Tally {
  scenarios: number;
  commands: number;
  faults: number;
  kills: number;
  /** Commands that Ctrl-C ended. */
  interrupts: number;
  /** Times that a stack changed its face. */
  moves: number;
  /** Unmarked objects that a user deleted by hand, because a message named them. */
  asked: number;
  /** Marked objects that a sweep deleted, or that a user deleted because a message named them. */
  swept: number;
  /** Orphans that cannot carry a mark because the program named them, and that no message named. */
  unmarked: number;
  /** Orphans of kinds that no refresh lists, and that no message named. */
  unlisted: number;
  /** Orphans that a message named, and that something of a stack still uses. They go with the stack. */
  used: number;
}

export const newTally = (): Tally => ({
  scenarios: 0,
  commands: 0,
  faults: 0,
  kills: 0,
  interrupts: 0,
  moves: 0,
  asked: 0,
  swept: 0,
  unmarked: 0,
  unlisted: 0,
  used: 0,
});

/** One stack. Each command runs in a new provider process, so only the state is kept from one command to the next. */
export class Stack {
  readonly engine: Engine;
  program: Program = [];
  /** Slots that ever had a template. Settings of the template stay, although no program declares them. */
  readonly templated = new Set<string>();
  /** Everything that its commands printed, with their errors. */
  said = "";
  interrupted = false;
  /** The state is behind: something else changed an object, or an error asked for a refresh. */
  drifted = false;
  /** The program of each command so far. */
  private readonly texts: Program[] = [];
  private running: Command | undefined;
  private rotation = 0;
  private readonly ids = new Set<string>();
  private readonly backups: Pick<Engine, "state" | "stackIds">[] = [];

  constructor(
    readonly label: string,
    name: string,
    private readonly emulator: Emulator,
    private readonly ledger: Ledger,
    private readonly tally: Tally,
    face: FaceName,
  ) {
    this.engine = new Engine(name);
    this.engine.face = face;
    emulator.on("before", { method: "DELETE", path: "/network-volumes/*" }, ({ client, path }) => {
      if (client.startsWith(label) && this.running === "up") this.mayDelete(path.split("/").at(-1) ?? "");
    });
  }

  /** An up may delete a volume if its slot left the program, or if some program made it smaller or moved it. */
  private mayDelete(id: string): void {
    const slot = this.engine.state.find((entry) => entry.id === id)?.slot;
    if (slot === undefined || !this.program.some((declared) => declared.slot === slot)) return;
    const sizes = this.texts.flatMap((text) =>
      text.filter((one) => one.slot === slot).map(({ args }) => args as unknown as Volume),
    );
    const shrinks = sizes.some(({ size }, index) =>
      sizes.slice(0, index).some((earlier) => earlier.size > size),
    );
    const moves = new Set(sizes.map(({ dataCenter }) => dataCenter)).size > 1;
    if (!shrinks && !moves)
      this.ledger.lost.push(`the data of ${slot} of ${this.label} (${id}), without a word of its program`);
  }

  /** Grows a volume of the stack, as if in the console. */
  grow(): void {
    const { volumes } = this.emulator.service;
    const own = volumes.list().find(({ id }) => this.engine.state.some((entry) => entry.id === id));
    if (own === undefined) return;
    volumes.update(own.id, { size: own.size + 5 });
    this.drifted = true;
  }

  /** Writes the volume size that an error asks for into the program, as a user would. */
  heed(errors: Errors): void {
    for (const [, id, size] of errors
      .join("\n")
      .matchAll(/\((\w+)\): the data on it .* size: .* by now it is (\d+)\. Write/g)) {
      const slot = this.engine.state.find((entry) => entry.id === id)?.slot;
      this.program = this.program.map((one) =>
        one.slot === slot ? ({ ...one, args: { ...one.args, size: Number(size) } } as typeof one) : one,
      );
    }
  }

  rotateKey(): void {
    this.rotation++;
  }

  rename(): void {
    this.engine.stack += "x";
  }

  /** Goes on with the classes of the other face. */
  move(): void {
    this.engine.face = this.engine.face === "dynamic" ? "plugin" : "dynamic";
    this.tally.moves += 1;
  }

  /** Restores an earlier state and then refreshes, as a user would. */
  async restore(index: number): Promise<void> {
    const backup = this.backups[index % Math.max(1, this.backups.length)];
    if (backup === undefined || this.ownIds().length === 0) return;
    // An earlier state does not know what later updates changed.
    this.engine.state = structuredClone(backup.state).map((entry) => ({ ...entry, unsure: true as const }));
    this.engine.stackIds = { ...this.engine.stackIds, ...backup.stackIds };
    await this.run("refresh");
  }

  /** The ids by which the stack marks its objects. */
  private ownIds(): string[] {
    return [...Object.values(this.engine.stackIds), ...this.markers()];
  }

  /** The ids by which the objects of the state were marked. */
  private markers(): string[] {
    return this.engine.state.flatMap(
      ({ outputs }) => (unwrapped(outputs).__stack as string | undefined) ?? [],
    );
  }

  /** The names of the stack that its objects show. */
  private shownNames(): Set<string> {
    const urns = this.engine.state.flatMap(({ outputs }) => unwrapped(outputs).__urn ?? []);
    return new Set(urns.map((urn) => readableOf(String(urn)).stack));
  }

  /** Runs a command in a provider process of its own. */
  async run(command: Command, weather?: Weather): Promise<Errors> {
    const env = { ...this.emulator.env, RUNPOD_API_KEY: keyOf(this.label, this.rotation) };
    const provider = new ProviderProcess(env, Math.random, {
      ...emptyBackend,
      state: async (name) => {
        const holders = this.engine.holders();
        return {
          name,
          objects: [],
          holders,
          readInstead: new Set<string>(),
          reads: new Set(),
          serving: 1,
          providers: new Set(Object.values(this.engine.stackIds)),
          markers: new Set(this.markers()),
          shownNames: this.shownNames(),
          leaving: new Set(),
          supplanted: new Set(),
          dropped: new Set(),
          pending: [],
          adopting: [],
          at: 0,
        };
      },
    });
    const clear = weather && brew(this.emulator, provider, weather);
    this.tally.commands += 1;
    this.running = command;
    // Only a program has hooks.
    this.engine.tries = command === "up" ? (weather?.tries ?? 0) : 0;
    this.texts.push(this.program);
    const errors = await listening(
      (text) => {
        this.said += text;
      },
      () => (command === "up" ? this.engine.up(provider, this.program) : this.engine[command](provider)),
    );
    for (const id of this.ownIds()) this.ids.add(id);
    if (provider.cancelled) this.tally.interrupts += 1;
    if (provider.killed) {
      this.tally.kills += 1;
      this.interrupted = true;
    }
    provider.kill();
    // A user or a CI system takes some seconds until the next command.
    await new Promise((resolve) => setTimeout(resolve, 80));
    clear?.();
    const { state, stackIds } = this.engine;
    this.backups.push(structuredClone({ state, stackIds }));
    this.said += errors.map((error) => `${error}\n`).join("");
    if (errors.some((error) => error.includes("pulumi refresh"))) this.drifted = true;
    return errors;
  }

  /** Deletes the stack's orphans that a message named, as a user would: again, while something uses one. */
  async obey(): Promise<void> {
    const told = () => this.lost().filter(({ id }) => this.toldOf(id));
    for (const { id } of told()) {
      if (this.carriesOwnMark(id)) this.tally.swept += 1;
      else this.tally.asked += 1;
    }
    for (let attempt = 0; attempt < 10; attempt++) {
      for (const { id } of told()) remove(this.emulator, id);
      if (told().length === 0) return;
      await fastClock.sleep(1_000);
    }
  }

  /** Whether a message named an object. */
  toldOf(id: string): boolean {
    return this.said.includes(id);
  }

  /** Whether the state has an object of this kind. */
  has(kind: Kind): boolean {
    return this.engine.state.some((entry) => entry.kind === kind);
  }

  /** The orphans of this stack. */
  lost() {
    const held = this.engine.holders();
    return existing(this.emulator).filter(
      ({ id }) => this.ledger.ownerOf(id) === this.label && !held.has(id),
    );
  }

  /** Whether an object has the stack's mark. A destroy begins a new life of the stack, with another mark. */
  carriesOwnMark(id: string, of: "any life" | "this life" = "any life"): boolean {
    const found = existing(this.emulator).find((object) => object.id === id);
    if (found === undefined) return false;
    const mark = markOf(definitions[found.kind], found.object);
    const lives = of === "any life" ? [...this.ids] : this.ownIds();
    return mark !== undefined && lives.some((stackId) => stackDigits(stackId) === mark.digits.stack);
  }

  /** Like `podlumi sweep --stack --mark`: deletes objects that have a mark of this stack and are not in its state. */
  sweep(): void {
    const held = this.engine.holders();
    const digits = new Set([...this.ids].map(stackDigits));
    for (const { kind, id, object } of existing(this.emulator)) {
      const mark = markOf(definitions[kind], object);
      if (mark === undefined || !digits.has(mark.digits.stack) || held.has(id)) continue;
      if (this.ledger.ownerOf(id) !== this.label)
        this.ledger.touched.push(`the sweep of ${this.label} found ${id}`);
      this.tally.swept += 1;
      remove(this.emulator, id);
    }
  }
}

/** Deletes an object by hand. */
function remove({ service }: Emulator, id: string): void {
  const collections = [
    service.pods,
    service.clusters,
    service.endpoints,
    service.templates,
    service.volumes,
    service.globalVolumes,
    service.registries,
    service.delegations,
    service.secrets,
  ];
  for (const collection of collections) {
    try {
      (collection as { delete(id: string): void }).delete(id);
    } catch {
      // It is of another kind, or in use. In use, a later call tries again.
    }
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
