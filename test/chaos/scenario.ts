import * as fc from "fast-check";
import { type Emulator, type LoggedRequest, startEmulator } from "../emulator";
import type { Errors } from "./engine";
import { compared, existing, type Findings, isClean, noFindings } from "./findings";
import { Ledger } from "./ledger";
import { fastClock, type Kind } from "./process";
import { type Edit, edited, edits, forStack, secretValues } from "./program";
import { type Command, Stack, type Tally } from "./stack";
import { type Weather, weathers } from "./weather";

/** Stacks of one program in one account, edited and run in bad weather. */
export interface Scenario {
  readonly features: { readonly restSecrets: boolean; readonly pagination: boolean };
  /** Milliseconds by which looks lag behind changes. */
  readonly lag: { readonly list: number; readonly read: number };
  readonly stacks: number;
  /** All stacks have one name, in backends of their own. */
  readonly sameName: boolean;
  /** Somebody made objects of the same names by hand. */
  readonly byHand: boolean;
  readonly stages: readonly Stage[];
}

interface Stage {
  readonly stack: number;
  readonly before: "rotate" | "rename" | "restore" | undefined;
  /** Somebody grows a volume of the stack in the console. */
  readonly grown: boolean;
  readonly edit: Edit;
  readonly command: Command;
  readonly weather: Weather;
}

const command = fc.oneof(
  { weight: 8, arbitrary: fc.constant("up" as const) },
  { weight: 1, arbitrary: fc.constantFrom("refresh" as const, "destroy" as const) },
);
const before = fc.oneof(
  { weight: 8, arbitrary: fc.constant(undefined) },
  { weight: 2, arbitrary: fc.constantFrom("rotate" as const, "rename" as const, "restore" as const) },
);
const stage = (first: boolean): fc.Arbitrary<Stage> =>
  fc.record({
    stack: fc.nat({ max: 2 }),
    before: first ? fc.constant(undefined) : before,
    grown: first ? fc.constant(false) : fc.integer({ max: 5, min: 0 }).map((number) => number === 5),
    edit: edits(first),
    command: first ? fc.constant("up" as const) : command,
    weather: weathers,
  });

/** Lists lag more than reads. */
const lag = fc.constantFrom(
  { list: 0, read: 0 },
  { list: 0, read: 0 },
  { list: 2_000, read: 0 },
  { list: 4_000, read: 500 },
);

export const scenarios: fc.Arbitrary<Scenario> = fc.record({
  features: fc.record({ restSecrets: fc.boolean(), pagination: fc.boolean() }),
  lag,
  stacks: fc.integer({ min: 1, max: 3 }),
  sameName: fc.boolean(),
  byHand: fc.boolean(),
  stages: fc
    .tuple(stage(true), fc.array(stage(false), { maxLength: 5 }))
    .map(([first, more]) => [first, ...more]),
});

/** Ups after which everything must be as the program says, once nothing goes wrong any more. */
const patience = 6;

/** Milliseconds of ours in which the last late effect comes. */
const lastEffect = 700;

/** Plays a scenario to its end and says what is wrong then. */
export async function play(scenario: Scenario, tally: Tally): Promise<Findings> {
  const { list: listLag, read: readLag } = scenario.lag;
  const emulator = await startEmulator({
    clock: fastClock,
    timings: {
      provisioning: 1_000,
      starting: 1_000,
      stopping: 500,
      templateRelease: 5_000,
      queueReady: 0,
      latency: 0,
      listLag,
      readLag,
    },
    features: scenario.features,
    balance: 1_000_000,
  });
  try {
    return await new Game(emulator, scenario, tally).play();
  } finally {
    tally.scenarios += 1;
    tally.faults += emulator.faults.injected.length;
    // Connections of killed processes keep it open for some seconds; nothing needs to wait for that.
    emulator.close().catch(() => undefined);
  }
}

class Game {
  private readonly ledger: Ledger;
  private readonly stacks: readonly Stack[];

  constructor(
    private readonly emulator: Emulator,
    private readonly scenario: Scenario,
    private readonly tally: Tally,
  ) {
    this.ledger = new Ledger(emulator);
    this.stacks = ["a", "b", "c"].slice(0, scenario.stacks).map((label) => {
      const name = scenario.sameName ? "test" : `test-${label}`;
      return new Stack(label, name, emulator, this.ledger, tally);
    });
  }

  async play(): Promise<Findings> {
    if (this.scenario.byHand) makeByHand(this.emulator);
    const theirs = JSON.stringify(this.byHand());
    for (const stage of this.scenario.stages) await this.playStage(stage);
    await this.lateEffects();

    const findings = noFindings();
    for (const stack of this.stacks) await this.finish(stack, findings);
    if (isClean(findings))
      for (const stack of this.stacks) findings.other.push(...(await this.settled(stack)));
    findings.touched.push(...this.ledger.touched);
    findings.lost.push(...this.ledger.lost);
    if (JSON.stringify(this.byHand()) !== theirs)
      findings.touched.push("what somebody made by hand is not as it was");
    findings.other.push(...this.secretsSeen());
    return findings;
  }

  private async playStage({ stack: index, before, grown, edit, command, weather }: Stage): Promise<void> {
    const stack = this.stacks[index % this.stacks.length] as Stack;
    stack.program = forStack(edited(stack.program, edit), stack.label);
    for (const { slot, args } of stack.program) if ("templateId" in args) stack.templated.add(slot);
    if (before === "rotate") stack.rotateKey();
    if (before === "rename") stack.rename();
    if (before === "restore") await stack.restore(index);
    if (grown) stack.grow();
    await stack.run(command, weather);
  }

  /** What was asked for and is still under way comes about. */
  private async lateEffects(): Promise<void> {
    const late = this.emulator.faults.injected.some(({ fault }) => "later" in fault.what);
    if (late) await new Promise((resolve) => setTimeout(resolve, lastEffect));
  }

  /** Everything agrees in the end, after a person has done what was asked for. */
  private async finish(stack: Stack, findings: Findings): Promise<void> {
    const errors = await this.converge(stack);
    await stack.run("refresh");
    stack.obey();
    for (const { kind, id, name } of stack.lost()) {
      // What came after a destroy, of a life of the stack that is over: a sweep by its name finds it.
      if (stack.carriesOwnMark(id) && !stack.carriesOwnMark(id, "this life")) continue;
      if (isUnmarked(stack, id, kind)) this.tally.unmarked += 1;
      else
        findings.leaked.push(
          `${kind} "${name}" (${id}) is ${stack.label}'s, in no state, and was never told of`,
        );
    }
    stack.sweep();
    compared(this.emulator, stack, this.ledger, findings);
    if (errors.length > 0) findings.other.push(`${stack.label} does not converge: ${errors.join(" | ")}`);
  }

  /** What a user does who reads the errors. */
  private async converge(stack: Stack): Promise<Errors> {
    // A deletion whose end is unknown stays in the state: Pulumi itself asks for a refresh after it.
    if (stack.interrupted || stack.drifted) await stack.run("refresh");
    let errors: Errors = [];
    for (let attempt = 0; attempt < patience; attempt++) {
      stack.obey();
      errors = await stack.run("up");
      if (errors.length === 0) return [];
      stack.heed(errors);
      if (errors.some((error) => error.includes("pulumi refresh"))) await stack.run("refresh");
      // An endpoint holds its template for as long as it lives, also when the program names it no longer.
      // So does a pod with what it was given beside it, when a killed run made it and the program names that no longer.
      if (stack.templated.size > 0 && errors.some((error) => / in use|from all pods/.test(error))) {
        await stack.run("destroy");
      }
      // Somebody who takes back a rename that a failed up left half done begins anew.
      if (errors.some((error) => error.includes("has yet to delete"))) await stack.run("destroy");
    }
    return errors;
  }

  /** Another up changes nothing, and a destroy leaves nothing. */
  private async settled(stack: Stack): Promise<string[]> {
    const before = this.emulator.requests.length;
    const again = await stack.run("up");
    const sent = this.emulator.requests.slice(before).filter(mutates);
    const destroyed = await stack.run("destroy");
    stack.sweep();
    return [
      ...again.map((error) => `another up fails: ${error}`),
      ...sent.map(
        ({ method, path, operation, body }) =>
          `another up sends ${method} ${operation ?? path} ${JSON.stringify(body)}`,
      ),
      ...destroyed.map((error) => `destroy fails: ${error}`),
      ...stack
        .lost()
        .filter(({ id, kind }) => !isUnmarked(stack, id, kind))
        .map(({ kind, id }) => `${kind} ${id} is left after destroy`),
    ];
  }

  /** What somebody made by hand, but for what goes on by itself. */
  private byHand() {
    const own = existing(this.emulator).filter(({ id }) => this.ledger.ownerOf(id) === "hand");
    return own.map(({ id, object: { name, size, image, env, workers } }) => ({
      id,
      name,
      size,
      image,
      env,
      workers,
    }));
  }

  /** Secret values in what was printed. */
  private secretsSeen(): string[] {
    const text = this.stacks.map(({ said }) => said).join("\n");
    return secretValues.filter((value) => text.includes(value)).map((value) => `${value} was told`);
  }
}

/** Whether an object has no room for a mark beside its name, which the program gave. */
function isUnmarked(stack: Stack, id: string, kind: Kind): boolean {
  return ["networkVolume", "template", "registryAuth"].includes(kind) && !stack.carriesOwnMark(id);
}

/** Objects of somebody who works without Pulumi, and likes the same names. */
function makeByHand({ service }: Emulator): void {
  for (const name of ["data", "more"]) service.volumes.create({ name, size: 10, dataCenter: "EU-RO-1" });
  service.pods.create({ name: "web", image: "org/app:1", gpu: { id: "NVIDIA L4", count: 1 } });
  service.endpoints.create({
    name: "api",
    type: "QUEUE",
    image: "org/app:1",
    gpu: { pools: ["ADA_24"] },
    scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
  });
}

function mutates({ interface: name, method, body }: LoggedRequest): boolean {
  if (name === "rest") return method !== "GET";
  const query = String((body as { query?: string } | undefined)?.query);
  return query.trim().startsWith("mutation") && !query.includes("@skip");
}
