import { definitions } from "../../provider/resources";
import { Ledger } from "../chaos/ledger";
import { makeByHand } from "../chaos/scenario";
import { type Emulator, startEmulator } from "../emulator";
import { fast } from "../harness/account";
import { Project } from "../harness/project";
import { type Seen, seen } from "./account";
import type { Scenario, Stage } from "./scenario";
import { type Said, Stack } from "./stack";
import { breakOut } from "./storm";

type Objects = ReadonlyMap<string, Seen>;

/** Plays a scenario on the real engine. Returns what went against the rules, each a sentence, and everything that happened. */
export async function play(scenario: Scenario): Promise<{ findings: string[]; history: string[] }> {
  const emulator = await startEmulator({ ...fast, balance: 1_000_000 });
  const project = new Project(emulator);
  try {
    return await new Game(emulator, project, scenario).play();
  } finally {
    project.kill("everything");
    project.remove();
    await emulator.close();
  }
}

class Game {
  private readonly history: string[] = [];
  private readonly findings: string[] = [];
  private readonly ledger: Ledger;
  private readonly stacks: readonly Stack[];
  private readonly owners = new Map<string, ReadonlySet<string>>();
  private byHand: Objects = new Map();

  constructor(
    private readonly emulator: Emulator,
    private readonly project: Project,
    private readonly scenario: Scenario,
  ) {
    this.ledger = new Ledger(emulator);
    this.stacks = [
      new Stack("dev", "a", project, this.history),
      new Stack("two", "b", project, this.history),
    ];
  }

  async play() {
    makeByHand(this.emulator);
    this.byHand = seen(this.emulator);
    for (const { name } of this.stacks) {
      await this.project.pulumi("stack", "init", name);
      if (this.scenario.confirms)
        await this.project.pulumi("config", "set", "podlumi:confirmDataLoss", "all", "--stack", name);
    }
    for (const stage of this.scenario.stages) await this.playStage(stage);
    for (const stack of this.stacks) await this.empty(stack);
    this.leftInTheEnd();
    return { findings: this.findings, history: this.history };
  }

  private async playStage(stage: Stage): Promise<void> {
    const { command, storm } = stage;
    const stack = this.stacks.find(({ name }) => name === stage.stack) as Stack;
    if (command.what === "state delete" || command.what === "state move")
      return this.changeState(stack, command);
    stack.edit(stage, (kind) => this.present(kind));
    const flags = await stack.flags(command);
    if (flags === undefined) return;
    const said = command.what === "up" ? await stack.preview(flags) : undefined;
    if (said?.ok) this.adopting(stack);
    const before = seen(this.emulator);
    const end = storm && breakOut(this.emulator, this.project, storm);
    const preview = command.what === "refresh" ? ["--run-program=false"] : [];
    const { ok } = await stack.pulumi(command.what, "--yes", "--skip-preview", ...flags, ...preview);
    const hasStruck = end?.() ?? false;
    if (hasStruck) this.history.push(`struck: ${JSON.stringify(storm)}`);
    if (storm?.what === "kill" && hasStruck) await stack.pulumi("cancel", "--yes");
    this.othersUntouched(stack, before);
    await this.adopted(stack);
    if (said === undefined) return;
    // A preview that fails ends at its first error.
    if (said.ok) this.namedByPreview(stack, said, before);
    if (hasStruck) return;
    if (said.ok !== ok)
      this.find(`the preview of ${stack.name} ${said.ok ? "succeeds" : "fails"}, and its up does not`);
    if (ok && command.what === "up" && command.option === undefined) await this.settled(stack);
  }

  private async changeState(stack: Stack, { what, slot }: { what: string; slot: string }): Promise<void> {
    const urn = await stack.urnOf(slot);
    if (urn === undefined) return;
    if (what === "state delete") return void (await stack.pulumi("state", "delete", urn, "--yes", "--force"));
    const [source, dest] = [stack.name, stack.name === "dev" ? "two" : "dev"].map(
      (name) => `organization/specification/${name}`,
    );
    const move = ["state", "move", "--source", String(source), "--dest", String(dest), urn, "--yes"];
    const { ok, printed } = await this.project.pulumi(...move);
    this.history.push(`$ pulumi ${move.join(" ")}\n${ok ? "ok" : printed}`);
    if (!ok) return;
    for (const one of this.stacks)
      for (const id of await one.ids()) this.owners.set(id, new Set([one.label]));
  }

  private present(kind: string): string[] {
    return [...seen(this.emulator).values()].filter((one) => one.kind === kind).map(({ id }) => id);
  }

  /** A stack changes and deletes only what it owns. */
  private othersUntouched(stack: Stack, before: Objects): void {
    for (const [{ kind, name, id }, change] of this.changes(before)) {
      const owners = this.ownersOf(id);
      if (!owners.has(stack.label))
        this.find(`${stack.name} ${change} the ${kind} ${name} (${id}) of ${[...owners].join(" and ")}`);
    }
  }

  /** The labels of the stacks that may change an object: who made it, until another one adopts it. */
  private ownersOf(id: string): ReadonlySet<string> {
    return this.owners.get(id) ?? new Set([this.ledger.ownerOf(id)]);
  }

  /** Notes that an up may adopt objects. */
  private adopting(stack: Stack): void {
    for (const id of stack.adopts()) this.owners.set(id, new Set([...this.ownersOf(id), stack.label]));
  }

  /** Notes which ones it has adopted. After a kill, the state may not tell. */
  private async adopted(stack: Stack): Promise<void> {
    const held = await stack.ids();
    for (const id of stack.adopts()) if (held.has(id)) this.owners.set(id, new Set([stack.label]));
  }

  /** An up changes and deletes only what a preview named. */
  private namedByPreview({ named }: Stack, { told }: Said, before: Objects): void {
    for (const [{ kind, name, id }, change] of this.changes(before))
      if (!named.has(id) && !told.includes(id))
        this.find(`up ${change} the ${kind} ${name} (${id}), which its preview did not name`);
  }

  private changes(before: Objects): [Seen, "changed" | "deleted"][] {
    const now = seen(this.emulator);
    return [...before.values()].flatMap((one): [Seen, "changed" | "deleted"][] => {
      const after = now.get(one.id);
      if (after === undefined) return [[one, "deleted"]];
      return after.text === one.text ? [] : [[one, "changed"]];
    });
  }

  /** After an up, another one changes nothing, and everything that costs money is in a state, or a command has named it. */
  private async settled(stack: Stack): Promise<void> {
    const { ok, steps } = await stack.preview([]);
    if (!ok) this.find(`a preview of ${stack.name} fails after an up`);
    else if (steps.length > 0)
      this.find(
        `a second up of ${stack.name} would change ${steps.map(({ op, urn }) => `${op} ${urn.split("::").at(-1)}`).join(", ")}`,
      );
    if ((await this.unnamed()).length > 0) await stack.pulumi("refresh", "--yes", "--skip-preview");
    for (const { kind, name, id } of await this.unnamed())
      if (this.ledger.ownerOf(id) === stack.label)
        this.find(`the ${kind} ${name} (${id}) of ${stack.name} is in no state, and nothing names it`);
  }

  /** What costs money, is of a stack, is in no state, and no command has named. */
  private async unnamed(): Promise<Seen[]> {
    const held = new Set((await Promise.all(this.stacks.map((one) => one.ids()))).flatMap((ids) => [...ids]));
    return [...seen(this.emulator).values()].filter(
      ({ id, kind }) =>
        definitions[kind].bills === true && !this.byHand.has(id) && !held.has(id) && !this.isTold(id),
    );
  }

  private isTold(id: string): boolean {
    return this.stacks.some(({ printed, retained }) => printed.includes(id) || retained.has(id));
  }

  /** Deletes a stack's objects, as a user would. The list names what runs left that ended before anything was in the state. */
  private async empty(stack: Stack): Promise<void> {
    await stack.podlumi("ls");
    await stack.pulumi("cancel", "--yes");
    await stack.pulumi("refresh", "--yes", "--skip-preview", "--clear-pending-creates");
    await stack.pulumi("state", "unprotect", "--all", "--yes");
    for (let attempt = 0; attempt < 3; attempt++) {
      const before = seen(this.emulator);
      const { ok, printed } = await stack.pulumi("destroy", "--yes", "--skip-preview");
      // What a killed run created may use something.
      if (!ok) await stack.podlumi("sweep", "--yes");
      this.othersUntouched(stack, before);
      if (ok) return;
      if (attempt === 2) this.find(`a destroy of ${stack.name} fails: ${/error: [^\n]*/.exec(printed)?.[0]}`);
    }
  }

  /** What is left when both stacks are empty: what somebody made by hand, and what a command named. */
  private leftInTheEnd(): void {
    for (const { id, kind, name } of seen(this.emulator).values())
      if (definitions[kind].bills === true && !this.byHand.has(id) && !this.isTold(id))
        this.find(`the ${kind} ${name} (${id}) is left, and nothing names it`);
  }

  private find(finding: string): void {
    this.findings.push(finding);
    this.history.push(`FINDING: ${finding}`);
  }
}
