import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord, type Properties } from "../../provider/value";
import { keyOf } from "../chaos/ledger";
import { edited, forStack, type Program } from "../chaos/program";
import type { Ended, Project } from "../harness/project";
import type { Seen } from "./account";
import { type Manner, mannerOf, shareable, type Twist, written } from "./program";
import type { Command, Stage } from "./scenario";

/** A step of a preview. */
interface Step {
  readonly op: string;
  readonly urn: string;
  readonly ids: readonly string[];
}

/** A state, as the backend keeps it. */
interface Latest {
  readonly resources?: readonly Properties[];
  readonly pending_operations?: readonly Properties[];
}

/** What a preview said. */
export interface Said {
  readonly ok: boolean;
  /** The steps that change something. */
  readonly steps: readonly Step[];
  /** Everything that it told beside the steps. */
  readonly told: string;
}

/** A stack on the real engine. Its API key ends with its label, by which the ledger knows who made an object. */
export class Stack {
  program: Program = [];
  manners: ReadonlyMap<string, Manner> = new Map<string, Manner>();
  /** The program and its manners as of the last up that succeeded. */
  private kept: Pick<Stack, "program" | "manners"> = { program: [], manners: new Map() };
  /** The ids of objects that a preview has named: an up that ends early leaves the rest to the next one. */
  readonly named = new Set<string>();
  /** The ids of objects that the user has had to stay: Pulumi shows `[retain]` where it leaves one. */
  readonly retained = new Set<string>();
  private text = "";
  /** Whether a person has changed what its state has, and nothing has looked since. */
  isBehind = false;
  /** When its program last changed, in milliseconds since 1970. */
  since = 0;
  /** Everything that its commands told. A preview as JSON has the ids of all objects, so of that only its diagnostics. */
  printed = "";

  constructor(
    readonly name: Stage["stack"],
    readonly label: string,
    readonly project: Project,
    private readonly history: string[],
  ) {}

  /** `present` tells the objects of a kind, of which a new resource may adopt one, or another one name one. */
  edit({ edit, twists }: Pick<Stage, "edit" | "twists">, present: (kind: string) => readonly Seen[]): void {
    this.program = forStack(edited(this.program, edit), this.label);
    for (const twist of twists) this.twist(twist, present);
    this.declare();
  }

  /** Makes its program that of the project, which the stacks share. */
  declare(): void {
    const lines = written(this.program, this.manners);
    this.project.declare(...lines);
    const text = lines.join("\n");
    if (text === this.text) return;
    this.text = text;
    this.since = Date.now();
    this.history.push(`program of ${this.name}:\n${text}`);
  }

  /** Keeps the program, which has just succeeded. */
  keep(): void {
    this.kept = { program: this.program, manners: this.manners };
  }

  /** Takes back what the program has changed since it last succeeded. */
  undo(): void {
    Object.assign(this, this.kept);
    this.declare();
  }

  /** Changes how the program declares a resource. */
  manner(slot: string, changed: Partial<Manner>): void {
    this.manners = new Map(this.manners).set(slot, { ...mannerOf(slot, this.manners), ...changed });
  }

  /** The slot of the resource with a logical name. */
  slotOf(name: string): string | undefined {
    return this.program.find(({ slot }) => mannerOf(slot, this.manners).name === name)?.slot;
  }

  private twist(twist: Twist, others: (kind: string) => readonly Seen[]): void {
    const { slot } = twist;
    const declared = this.program.find((one) => one.slot === slot);
    if (declared === undefined) return;
    const former = mannerOf(slot, this.manners).name;
    const name = former === slot ? `${slot}x` : slot;
    const present = (kind: string) => {
      const objects = others(kind);
      return "which" in twist ? objects[twist.which % objects.length] : undefined;
    };
    if (twist.what === "options") this.manner(slot, { options: twist.options });
    if (twist.what === "rename") this.manner(slot, { name, alias: former });
    if (twist.what === "adopt") {
      const adopt = present(declared.kind)?.id;
      if (adopt !== undefined) this.manner(slot, { name, alias: undefined, adopt });
    }
    if (twist.what === "share") {
      const shares = shareable[declared.kind] ?? [];
      const [kind, naming] = shares[twist.which % shares.length] ?? [];
      const object = kind && present(kind);
      if (object !== undefined) this.manner(slot, { shares: naming?.(object) });
    }
  }

  /** Names nothing of others any more. Returns whether it did. */
  letGo(): boolean {
    const sharing = this.program.filter(({ slot }) => mannerOf(slot, this.manners).shares !== undefined);
    for (const { slot } of sharing) this.manner(slot, { shares: undefined });
    return sharing.length > 0;
  }

  /** The ids of the objects that its program adopts. */
  adopts(): string[] {
    return this.program.flatMap(({ slot }) => mannerOf(slot, this.manners).adopt ?? []);
  }

  /** Shows what an up would do. */
  async preview(flags: readonly string[]): Promise<Said> {
    const { ok, printed } = await this.pulumi("preview", "--json", ...flags);
    const answer = JSON.parse(printed.slice(printed.indexOf("{"), printed.lastIndexOf("}") + 1)) as {
      steps?: readonly Properties[];
      diagnostics?: readonly Properties[];
    };
    const steps = (answer.steps ?? [])
      .map(stepOf)
      .filter(({ op }) => !["same", "read", "refresh"].includes(op));
    for (const id of steps.flatMap(({ ids }) => ids)) this.named.add(id);
    // What a failed up has replaced and not deleted yet: a preview shows its deletion, but not as JSON.
    for (const one of this.state().resources) if (one.delete === true) this.named.add(String(one.id));
    const told = (answer.diagnostics ?? []).map(({ message }) => String(message)).join("");
    this.printed += told;
    this.history.push(
      `preview: ${steps.map(({ op, urn, ids }) => `${op} ${urn.split("::").at(-1)} ${ids.join(" ")}`).join("; ")}\n${told}`,
    );
    return { ok, steps, told };
  }

  /** The arguments of a command that is an up or a preview; undefined where its resource is not in the state. */
  flags(command: Command): readonly string[] | undefined {
    if (command.what !== "up" || command.option === undefined) return [];
    if (command.option === "refresh") return ["--refresh"];
    const urn = this.urnOf(command.slot);
    return urn === undefined ? undefined : [`--${command.option}`, urn];
  }

  /** The ids of the objects of a resource. */
  idOf(urn: string): string {
    const held = this.state().resources.filter((one) => one.urn === urn);
    return held.map(({ id }) => String(id)).join(",");
  }

  urnOf(slot: string | undefined): string | undefined {
    const { name } = mannerOf(String(slot), this.manners);
    return this.state()
      .resources.map(({ urn }) => String(urn))
      .find((urn) => urn.endsWith(`::${name}`));
  }

  /** The ids of the objects of its state, also of those that only wait for their deletion. */
  ids(): ReadonlySet<string> {
    const held = this.state().resources.filter(({ id, external }) => id !== undefined && external !== true);
    return new Set(held.map(({ id }) => String(id)));
  }

  /** Whether the state has creates of interrupted runs. */
  isPending(): boolean {
    return this.state().pending.length > 0;
  }

  isProtected(): boolean {
    return this.state().resources.some(({ protect }) => protect === true);
  }

  /** The backend's file: a command for each look would take most of the time. */
  private state(): { readonly resources: readonly Properties[]; readonly pending: readonly Properties[] } {
    const file = join(this.project.folder, `backend/.pulumi/stacks/specification/${this.name}.json`);
    const { latest } = (JSON.parse(readFileSync(file, "utf8")) as { checkpoint: { latest?: Latest } })
      .checkpoint;
    const { resources = [], pending_operations = [] } = latest ?? {};
    for (const { id, retainOnDelete } of resources)
      if (retainOnDelete === true) this.retained.add(String(id));
    return { resources, pending: pending_operations.filter(({ type }) => type === "creating") };
  }

  /** Runs a command about this stack, and keeps what it printed. */
  async pulumi(...args: string[]): Promise<Ended> {
    const ended = await this.run(...args);
    const text = args.includes("--json") ? "" : ended.printed;
    const shown = text.split("\n").slice(-60).join("\n");
    this.history.push(`$ pulumi ${args.join(" ")} (${this.name}): ${ended.ok ? "ok" : "failed"}\n${shown}`);
    this.printed += text;
    return ended;
  }

  /** Runs a command of podlumi's own about this stack, and keeps what it printed. */
  async podlumi(...args: string[]): Promise<void> {
    this.project.environment.RUNPOD_API_KEY = keyOf(this.label, 0);
    const { printed } = await this.project.podlumi(...args);
    this.history.push(`$ podlumi ${args.join(" ")}\n${printed}`);
    this.printed += printed;
  }

  /** Deletes what carries its mark and is in no state. */
  sweep(): Promise<void> {
    return this.podlumi("sweep", "--stack", `specification/${this.name}`, "--yes");
  }

  private run(...args: string[]): Promise<Ended> {
    this.project.environment.RUNPOD_API_KEY = keyOf(this.label, 0);
    return this.project.pulumi(...args, ...(args.includes("--stack") ? [] : ["--stack", this.name]));
  }
}

function stepOf({ op, urn, oldState, newState }: Properties): Step {
  const ids = [oldState, newState].flatMap((state) =>
    isRecord(state) && state.id ? [String(state.id)] : [],
  );
  return { op: String(op), urn: String(urn), ids: [...new Set(ids)] };
}
