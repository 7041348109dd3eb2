import * as fc from "fast-check";
import { type Emulator, startEmulator } from "../../sdk/emulator/service";
import { mutates } from "../harness/account";
import type { Errors } from "./engine";
import type { FaceName } from "./face";
import { compared, existing, type Findings, isClean, judgeLeftovers, noFindings } from "./findings";
import { Ledger } from "./ledger";
import { fastClock } from "./process";
import { type Edit, edited, edits, forStack, secretValues } from "./program";
import { type Command, Stack, type Tally } from "./stack";
import { type Weather, weathers } from "./weather";

/** Stacks in one account whose programs are edited and run while faults and kills strike. */
export interface Scenario {
  readonly features: { readonly restSecrets: boolean; readonly pagination: boolean };
  readonly face: FaceName;
  /** Milliseconds by which lists and reads lag behind changes. */
  readonly lag: { readonly list: number; readonly read: number };
  readonly stacks: number;
  /** Whether all stacks have the same name, each in its own backend. */
  readonly sameName: boolean;
  /** Whether the account has objects with the same names that were made by hand. */
  readonly byHand: boolean;
  readonly stages: readonly Stage[];
}

interface Stage {
  readonly stack: number;
  /** What happens first: to the key, to the stack's name, to a resource, or to an object in the console. */
  readonly before: "rotate" | "rename" | "taint" | "grow" | "copy" | undefined;
  /** Of the resources, the one that it happens to. */
  readonly which: number;
  readonly edit: Edit;
  readonly command: Command;
  readonly weather: Weather;
}

const command = fc.oneof(
  { weight: 8, arbitrary: fc.constant("up" as const) },
  { weight: 1, arbitrary: fc.constantFrom("refresh" as const, "destroy" as const) },
);
const before = fc.oneof(
  { weight: 7, arbitrary: fc.constant(undefined) },
  { weight: 4, arbitrary: fc.constantFrom(...(["rotate", "rename", "taint", "grow", "copy"] as const)) },
);
const stage = (isFirst: boolean): fc.Arbitrary<Stage> =>
  fc.record({
    stack: fc.nat({ max: 2 }),
    before: isFirst ? fc.constant(undefined) : before,
    which: fc.nat({ max: 15 }),
    edit: edits(isFirst),
    command: isFirst ? fc.constant("up" as const) : command,
    weather: weathers,
  });

/** Lists lag more than single reads. */
const lag = fc.constantFrom(
  { list: 0, read: 0 },
  { list: 0, read: 0 },
  { list: 2_000, read: 0 },
  { list: 4_000, read: 500 },
);

export const faces: readonly FaceName[] = ["dynamic", "plugin"];

/** Scenarios of these faces, in equal shares. */
export function scenarios(of: readonly FaceName[] = faces): fc.Arbitrary<Scenario> {
  return fc.record({
    features: fc.record({ restSecrets: fc.boolean(), pagination: fc.boolean() }),
    face: fc.constantFrom(...of),
    lag,
    stacks: fc.integer({ min: 1, max: 3 }),
    sameName: fc.boolean(),
    byHand: fc.boolean(),
    stages: fc
      .tuple(stage(true), fc.array(stage(false), { maxLength: 5 }))
      .map(([first, more]) => [first, ...more]),
  });
}

/** Once the faults are over, this many ups must bring everything to what the program declares. */
const patience = 6;

/** Milliseconds within which the last late effect comes. */
const lastEffect = 70_000;

const timings = {
  provisioning: 1_000,
  starting: 1_000,
  stopping: 500,
  templateRelease: 5_000,
  queueReady: 0,
  latency: 0,
};

/** Plays a scenario and returns the findings at its end. */
export async function play(scenario: Scenario, tally: Tally): Promise<Findings> {
  const { features, lag } = scenario;
  const emulator = await startEmulator({
    clock: fastClock,
    timings: { ...timings, listLag: lag.list, readLag: lag.read },
    features,
    balance: 1_000_000,
  });
  try {
    return await new Game(emulator, scenario, tally).play();
  } finally {
    tally.scenarios += 1;
    tally.faults += emulator.faults.injected.length;
    // Not awaited: connections of killed processes keep the emulator open for some seconds.
    emulator.close().catch(() => undefined);
  }
}

class Game {
  private readonly ledger: Ledger;
  private readonly stacks: readonly Stack[];

  constructor(
    private readonly emulator: Emulator,
    private readonly scenario: Scenario,
    tally: Tally,
  ) {
    this.ledger = new Ledger(emulator);
    const together = { said: "" };
    this.stacks = ["a", "b", "c"].slice(0, scenario.stacks).map((label) => {
      const name = scenario.sameName ? "test" : `test-${label}`;
      const printed = scenario.sameName ? together : { said: "" };
      return new Stack(label, name, emulator, this.ledger, tally, scenario.face, printed);
    });
  }

  async play(): Promise<Findings> {
    const findings = noFindings();
    if (this.scenario.byHand) makeByHand(this.emulator);
    for (const stage of this.scenario.stages) await this.playStage(stage, findings);
    const isLate = this.emulator.faults.injected.some(({ fault }) => "later" in fault.what);
    if (isLate) await fastClock.sleep(lastEffect);
    const theirs = this.byHand();
    for (const stack of this.stacks) await this.finish(stack, findings);
    if (isClean(findings))
      for (const stack of this.stacks) findings.other.push(...(await this.settled(stack)));
    this.notTouched(theirs, findings);
    findings.touched.push(...this.ledger.touched);
    const said = this.stacks.map(({ printed }) => printed.said).join("\n");
    const shown = secretValues.filter((value) => said.includes(value));
    findings.other.push(...shown.map((value) => `${value} was told`));
    return findings;
  }

  private async playStage(stage: Stage, findings: Findings): Promise<void> {
    const stack = this.stacks[stage.stack % this.stacks.length] as Stack;
    stack.program = forStack(edited(stack.program, stage.edit), stack.label);
    for (const { slot, args } of stack.program) if ("templateId" in args) stack.templated.add(slot);
    if (stage.before === "rotate") stack.rotateKey();
    if (stage.before === "rename") stack.rename();
    if (stage.before === "taint") stack.taint(stage.which);
    if (stage.before === "grow") stack.grow();
    if (stage.before === "copy") stack.copy();
    const theirs = this.byHand();
    await stack.run(stage.command, stage.weather);
    this.notTouched(theirs, findings);
  }

  /** Does what a user would do after the faults, then checks that program, state and account agree. */
  private async finish(stack: Stack, findings: Findings): Promise<void> {
    const errors = await this.converge(stack);
    await stack.run("refresh");
    await stack.obey();
    judgeLeftovers(stack, findings);
    stack.sweep();
    compared(this.emulator, stack, this.ledger, findings);
    findings.lost.push(...stack.lostData);
    if (errors.length > 0) findings.other.push(`${stack.label} does not converge: ${errors.join(" | ")}`);
  }

  /** Repeats up, and does what each error tells the user to do. */
  private async converge(stack: Stack): Promise<Errors> {
    // A deletion with an unknown outcome stays in the state. Pulumi itself asks for a refresh then.
    if (stack.isBehind) await stack.run("refresh");
    let errors: Errors = [];
    for (let attempt = 0; attempt < patience; attempt++) {
      await stack.obey();
      errors = await stack.run("up");
      if (errors.length === 0) return [];
      await stack.heed(errors);
    }
    return errors;
  }

  /** The problems of one more up, which must change nothing, and of a destroy, which must leave nothing. */
  private async settled(stack: Stack): Promise<string[]> {
    const before = this.emulator.requests.length;
    const known = new Set(stack.leftovers().map(({ id }) => id));
    const again = await stack.run("up");
    const sent = this.emulator.requests.slice(before).filter(mutates);
    let destroyed = await stack.run("destroy");
    await stack.obey();
    // What a message named may have used something.
    if (destroyed.length > 0) destroyed = await stack.run("destroy");
    return [
      ...again.map((error) => `another up fails: ${error}`),
      ...sent.map(
        ({ method, path, operation, body }) =>
          `another up sends ${method} ${operation ?? path} ${JSON.stringify(body)}`,
      ),
      ...destroyed.map((error) => `destroy fails: ${error}`),
      ...stack
        .leftovers()
        .filter(({ id }) => !known.has(id))
        .map(({ kind, id }) => `${kind} ${id} is left after destroy`),
    ];
  }

  private notTouched(theirs: string, findings: Findings): void {
    if (this.byHand() !== theirs) findings.touched.push("what somebody made by hand is not as it was");
  }

  /** The objects made by hand, without the fields that change by themselves. */
  private byHand(): string {
    const own = existing(this.emulator).filter(({ id }) => this.ledger.ownerOf(id) === "hand");
    return JSON.stringify(
      own.map(({ id, object: { name, size, image, env, workers } }) => [id, name, size, image, env, workers]),
    );
  }
}

/** An endpoint that somebody makes by hand, with a name of the program. */
export const endpointByHand = {
  name: "api",
  type: "QUEUE" as const,
  image: "org/app:1",
  gpu: { pools: ["ADA_24"] },
  scaling: { type: "QUEUE_DELAY" as const, queueDelay: 4 },
};

/** Makes objects by hand that have the names of the program. */
export function makeByHand({ service }: Emulator): void {
  for (const name of ["data", "more"]) service.volumes.create({ name, size: 10, dataCenter: "EU-RO-1" });
  service.pods.create({ name: "web", image: "org/app:1", gpu: { id: "NVIDIA L4", count: 1 } });
  service.endpoints.create(endpointByHand);
}
