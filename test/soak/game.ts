import { type Emulator, startEmulator } from "../../sdk/emulator/service";
import { makeByHand } from "../chaos/scenario";
import { fast } from "../harness/account";
import { Project } from "../harness/project";
import { type Seen, seen } from "./account";
import { heal } from "./heal";
import { Judge } from "./judge";
import { Persons } from "./persons";
import type { Scenario, Stage } from "./scenario";
import { Stack } from "./stack";
import { breakOut, type Storm } from "./storm";

/** Plays a scenario on the real engine. Returns what went against the rules, each a sentence, and everything that happened. */
export async function play(scenario: Scenario): Promise<{ findings: string[]; history: string[] }> {
  const emulator = await startEmulator({ ...fast, balance: 1_000_000 });
  const project = new Project(emulator);
  project.inline = true;
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
  private readonly stacks: readonly Stack[];
  private readonly judge: Judge;
  private readonly persons: Persons;
  /** The stacks of which nothing has gone wrong since their last up. */
  private readonly calm = new Set<Stack>();

  constructor(
    private readonly emulator: Emulator,
    private readonly project: Project,
    private readonly scenario: Scenario,
  ) {
    this.stacks = [
      new Stack("dev", "a", project, this.history),
      new Stack("two", "b", project, this.history),
    ];
    this.judge = new Judge(emulator, this.stacks, this.history);
    this.persons = new Persons(emulator, this.judge, this.history);
  }

  async play() {
    makeByHand(this.emulator);
    for (const id of seen(this.emulator).keys()) this.judge.byHand.add(id);
    for (const { name } of this.stacks) {
      await this.project.pulumi("stack", "init", name);
      if (this.scenario.confirms === "all")
        await this.project.pulumi("config", "set", "podlumi:confirmDataLoss", "all", "--stack", name);
    }
    if (this.scenario.confirms === "all") this.judge.confirm("all");
    for (const stage of this.scenario.stages) await this.playStage(stage);
    for (const stack of this.stacks) if (!this.calm.has(stack)) await this.heal(stack);
    this.persons.endUse();
    for (const stack of this.stacks) if (stack.letGo()) await this.heal(stack);
    await this.empty();
    this.judge.leftInTheEnd();
    return { findings: this.judge.findings, history: this.history };
  }

  private async playStage({ stack: name, command, storm, person, heals, ...stage }: Stage): Promise<void> {
    const stack = this.stacks.find((one) => one.name === name) as Stack;
    this.calm.delete(stack);
    if (person !== undefined && this.persons.act(person, stack)) stack.isBehind = true;
    if (command.what === "state delete" || command.what === "state taint") {
      const urn = stack.urnOf(command.slot);
      if (urn === undefined) return;
      const isTaint = command.what === "state taint";
      const ids = stack.idOf(urn);
      // Who taints a resource asks for its replacement, and what leaves the state is the user's.
      if (isTaint) this.judge.confirm(ids);
      else for (const id of ids.split(",")) stack.retained.add(id);
      await stack.pulumi(...command.what.split(" "), urn, "--yes", ...(isTaint ? [] : ["--force"]));
      return;
    }
    stack.edit(stage, (kind) => this.present(kind, stack));
    const flags = stack.flags(command);
    if (flags === undefined) return;
    const { ok, printed, hasStruck } = await this.run(stack, command.what, flags, storm);
    const isPlain = command.what === "up" && flags.length === 0;
    const looks = command.what === "refresh" || (command.what === "up" && command.option === "refresh");
    if (ok && looks) stack.isBehind = false;
    if (ok && isPlain && !hasStruck) await this.settled(stack);
    if (!ok && command.what === "up" && heals)
      await this.heal(stack, isPlain && !hasStruck ? printed : undefined);
  }

  /** Runs a command, an up after its preview, and judges what it has done. */
  private async run(
    stack: Stack,
    what: "up" | "refresh" | "destroy",
    flags: readonly string[],
    storm?: Storm,
  ) {
    const said = what === "up" ? await stack.preview(flags) : undefined;
    if (said !== undefined) this.judge.adopting(stack, said);
    const before = seen(this.emulator);
    const end = storm && breakOut(this.emulator, this.project, storm);
    const { ok, printed } = await stack.pulumi(what, "--yes", "--skip-preview", ...flags);
    const hasStruck = (await end?.()) ?? false;
    if (hasStruck) this.history.push(`struck: ${JSON.stringify(storm)}`);
    if (storm?.what === "kill" && hasStruck) await stack.pulumi("cancel", "--yes");
    if (ok && what === "up" && flags.length === 0) stack.keep();
    this.judge.othersUntouched(stack, before);
    this.judge.adopted(stack);
    // A preview that fails ends at its first error.
    if (said?.ok) this.judge.namedByPreview(stack, said, printed, before);
    if (said !== undefined) this.judge.dataKept(said, flags, before);
    return { ok, printed, hasStruck };
  }

  /** Does what the errors of a stack's ups say, as a user would. */
  private async heal(stack: Stack, failed?: string): Promise<void> {
    const { scenario, judge } = this;
    const up = (one: Stack) => this.run(one, "up", []);
    const release = (one: Stack) => this.release(one);
    if (!(await heal(stack, { scenario, judge, up, release }, failed))) return;
    // Pulumi's own advice after an interrupted run.
    if (stack.isPending()) {
      await stack.pulumi("refresh", "--yes", "--skip-preview", "--clear-pending-creates");
      // It has shown what persons did, and another up corrects that.
      const { isBehind } = stack;
      stack.isBehind = false;
      if (isBehind && !(await this.run(stack, "up", [])).ok) return this.heal(stack);
    }
    await this.settled(stack);
  }

  /** Has persons and the other stack name nothing of a stack any more. */
  private async release(stack: Stack): Promise<void> {
    this.persons.endUse();
    const other = this.stacks.find((one) => one !== stack) as Stack;
    if (!other.letGo()) return;
    other.declare();
    await this.run(other, "up", []);
  }

  /** The objects of a kind: what is not the stack's own, if there is such. */
  private present(kind: string, { label }: Stack): Seen[] {
    const all = [...seen(this.emulator).values()].filter((one) => one.kind === kind);
    const others = all.filter(({ id }) => !this.judge.ownersOf(id).has(label));
    return others.length > 0 ? others : all;
  }

  /** After an up, another one changes nothing, and there is no second object of a resource. */
  private async settled(stack: Stack): Promise<void> {
    this.calm.add(stack);
    const held = stack.ids();
    const shares = this.stacks.some((one) => one !== stack && [...one.ids()].some((id) => held.has(id)));
    const { ok, steps } = await stack.preview(stack.isBehind || shares ? [] : ["--refresh"]);
    const changes = steps.map(({ op, urn }) => `${op} ${urn.split("::").at(-1)}`);
    if (!ok) this.judge.find(`a preview of ${stack.name} fails after an up`);
    else if (steps.length > 0)
      this.judge.find(`a second up of ${stack.name} would change ${changes.join(", ")}`);
    this.judge.noDoubles(stack);
  }

  /** Deletes all that the stacks have, and then what they have left over, as CI does. What one has may be in use by the other. */
  private async empty(): Promise<void> {
    for (const stack of this.stacks) {
      await stack.pulumi("refresh", "--yes", "--skip-preview", "--clear-pending-creates");
      if (stack.isProtected()) await stack.pulumi("state", "unprotect", "--all", "--yes");
    }
    let left = this.stacks;
    for (let attempt = 0; attempt < 3; attempt++) {
      const failing: Stack[] = [];
      for (const stack of left) if (!(await this.run(stack, "destroy", [])).ok) failing.push(stack);
      // What a killed run has created may use something.
      for (const stack of this.stacks) await stack.sweep();
      left = failing;
    }
    for (const { name } of left) this.judge.find(`a destroy of ${name} fails`);
  }
}
