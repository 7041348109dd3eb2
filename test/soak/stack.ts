import { isRecord, type Properties } from "../../provider/core/value";
import { keyOf } from "../chaos/ledger";
import { edited, forStack, type Program } from "../chaos/program";
import type { Ended, Project } from "../harness/project";
import { type Manner, mannerOf, type Twist, written } from "./program";
import type { Command, Stage } from "./scenario";

/** A step of a preview. */
interface Step {
  readonly op: string;
  readonly urn: string;
  readonly ids: readonly string[];
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
  readonly manners = new Map<string, Manner>();
  /** The ids of objects that a preview has named: an up that ends early leaves the rest to the next one. */
  readonly named = new Set<string>();
  /** The ids of objects that the program has had to stay: Pulumi shows `[retain]` where it leaves one. */
  readonly retained = new Set<string>();
  /** Everything that its commands told. A preview as JSON has the ids of all objects, so of that only its diagnostics. */
  printed = "";

  constructor(
    readonly name: Stage["stack"],
    readonly label: string,
    readonly project: Project,
    private readonly history: string[],
  ) {}

  /** `present` tells the ids of the objects of a kind, which a new resource may adopt. */
  edit({ edit, twists }: Stage, present: (kind: string) => readonly string[]): void {
    const had = new Set(this.program.map(({ slot }) => slot));
    this.program = forStack(edited(this.program, edit), this.label);
    for (const twist of twists) this.twist(twist, had, present);
    this.project.declare(...written(this.program, this.manners));
    this.history.push(`program of ${this.name}:\n${written(this.program, this.manners).join("\n")}`);
  }

  private twist(twist: Twist, had: ReadonlySet<string>, present: (kind: string) => readonly string[]): void {
    const { slot } = twist;
    const declared = this.program.find((one) => one.slot === slot);
    if (declared === undefined) return;
    const { alias, ...manner } = mannerOf(slot, this.manners);
    if (twist.what === "options")
      this.manners.set(slot, { ...manner, ...(alias && { alias }), options: twist.options });
    if (twist.what === "rename") {
      const name = manner.name === slot ? `${slot}x` : slot;
      this.manners.set(slot, { ...manner, name, ...(twist.alias && { alias: manner.name }) });
    }
    if (twist.what !== "adopt" || had.has(slot)) return;
    const ids = present(declared.kind);
    const adopt = ids[twist.which % ids.length];
    if (adopt === undefined) return;
    this.manners.set(slot, { ...manner, adopt });
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
    const steps = (answer.steps ?? []).map(stepOf).filter(({ op }) => op !== "same" && op !== "read");
    for (const id of steps.flatMap(({ ids }) => ids)) this.named.add(id);
    const told = (answer.diagnostics ?? []).map(({ message }) => String(message)).join("");
    this.printed += told;
    this.history.push(
      `preview: ${steps.map(({ op, urn, ids }) => `${op} ${urn.split("::").at(-1)} ${ids.join(" ")}`).join("; ")}\n${told}`,
    );
    return { ok, steps, told };
  }

  /** The arguments of a command that is an up or a preview; undefined where its resource is not in the state. */
  async flags(command: Command): Promise<readonly string[] | undefined> {
    if (command.what !== "up" || command.option === undefined) return [];
    if (command.option === "refresh") return ["--refresh"];
    const urn = await this.urnOf(command.slot);
    return urn === undefined ? undefined : [`--${command.option}`, urn];
  }

  async urnOf(slot: string | undefined): Promise<string | undefined> {
    const { name } = mannerOf(String(slot), this.manners);
    return (await this.state()).map(({ urn }) => String(urn)).find((urn) => urn.endsWith(`::${name}`));
  }

  /** The ids of the objects of its state, also of those that only wait for their deletion. */
  async ids(): Promise<ReadonlySet<string>> {
    return new Set(
      (await this.state()).filter(({ external }) => external !== true).map(({ id }) => String(id)),
    );
  }

  private async state(): Promise<readonly Properties[]> {
    const { ok, printed } = await this.run("stack", "export");
    if (!ok) throw new Error(printed);
    const { deployment } = JSON.parse(printed) as { deployment: { resources?: readonly Properties[] } };
    const { resources = [] } = deployment;
    for (const { id, retainOnDelete } of resources)
      if (retainOnDelete === true) this.retained.add(String(id));
    return resources;
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
  async podlumi(command: "ls" | "sweep", ...args: string[]): Promise<void> {
    this.project.environment.RUNPOD_API_KEY = keyOf(this.label, 0);
    const { printed } = await this.project.podlumi(command, "--stack", `specification/${this.name}`, ...args);
    this.history.push(`$ podlumi ${command} (${this.name})\n${printed}`);
    this.printed += printed;
  }

  private run(...args: string[]): Promise<Ended> {
    this.project.environment.RUNPOD_API_KEY = keyOf(this.label, 0);
    return this.project.pulumi(...args, "--stack", this.name);
  }
}

function stepOf({ op, urn, oldState, newState }: Properties): Step {
  const ids = [oldState, newState].flatMap((state) =>
    isRecord(state) && state.id ? [String(state.id)] : [],
  );
  return { op: String(op), urn: String(urn), ids: [...new Set(ids)] };
}
