import * as fc from "fast-check";
import { definitions } from "../../provider/resources";
import { type Emulator, type LoggedRequest, startEmulator } from "../emulator";
import type { Errors } from "./engine";
import type { FaceName } from "./face";
import { compared, existing, type Findings, isClean, noFindings } from "./findings";
import { Ledger } from "./ledger";
import { fastClock, type Kind } from "./process";
import { type Edit, edited, edits, forStack, secretValues } from "./program";
import { type Command, Stack, type Tally } from "./stack";
import { type Weather, weathers } from "./weather";

/** Stacks in one account whose programs are edited and run while faults and kills strike. */
export interface Scenario {
  readonly features: { readonly restSecrets: boolean; readonly pagination: boolean };
  /** The face of each stack in the beginning. */
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
  readonly before: "rotate" | "rename" | "restore" | undefined;
  /** Whether the stack moves to the other face. */
  readonly moves: boolean;
  /** Whether a volume of the stack first grows in the console. */
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
const stage = (first: boolean, mixed: boolean): fc.Arbitrary<Stage> =>
  fc.record({
    stack: fc.nat({ max: 2 }),
    before: first ? fc.constant(undefined) : before,
    moves: mixed && !first ? fc.boolean() : fc.constant(false),
    grown: first ? fc.constant(false) : fc.integer({ max: 5, min: 0 }).map((number) => number === 5),
    edit: edits(first),
    command: first ? fc.constant("up" as const) : command,
    weather: weathers,
  });

/** Lists lag more than single reads. */
const lag = fc.constantFrom(
  { list: 0, read: 0 },
  { list: 0, read: 0 },
  { list: 2_000, read: 0 },
  { list: 4_000, read: 500 },
);

/** Which faces serve the stacks of a scenario: one of them, or both in turn. */
export type Faces = FaceName | "mixed";
export const faces: readonly Faces[] = ["dynamic", "plugin", "mixed"];

const scenariosOf = (faces: Faces): fc.Arbitrary<Scenario> =>
  fc.record({
    features: fc.record({ restSecrets: fc.boolean(), pagination: fc.boolean() }),
    face: faces === "mixed" ? fc.constantFrom("dynamic" as const, "plugin" as const) : fc.constant(faces),
    lag,
    stacks: fc.integer({ min: 1, max: 3 }),
    sameName: fc.boolean(),
    byHand: fc.boolean(),
    stages: fc
      .tuple(stage(true, false), fc.array(stage(false, faces === "mixed"), { maxLength: 5 }))
      .map(([first, more]) => [first, ...more]),
  });

/** Scenarios of these faces, in equal shares. */
export function scenarios(of: readonly Faces[] = faces): fc.Arbitrary<Scenario> {
  return fc.oneof(...of.map(scenariosOf));
}

/** Once the faults are over, this many ups must bring everything to what the program declares. */
const patience = 6;

/** Milliseconds of real time within which the last late effect comes. */
const lastEffect = 700;

/** Plays a scenario and returns the findings at its end. */
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
    private readonly tally: Tally,
  ) {
    this.ledger = new Ledger(emulator);
    this.stacks = ["a", "b", "c"].slice(0, scenario.stacks).map((label) => {
      const name = scenario.sameName ? "test" : `test-${label}`;
      return new Stack(label, name, emulator, this.ledger, tally, scenario.face);
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

  private async playStage(stage: Stage): Promise<void> {
    const { stack: index, before, moves, grown, edit, command, weather } = stage;
    const stack = this.stacks[index % this.stacks.length] as Stack;
    if (moves) stack.move();
    stack.program = forStack(edited(stack.program, edit), stack.label);
    for (const { slot, args } of stack.program) if ("templateId" in args) stack.templated.add(slot);
    if (before === "rotate") stack.rotateKey();
    if (before === "rename") stack.rename();
    if (before === "restore") await stack.restore(index);
    if (grown) stack.grow();
    await stack.run(command, weather);
  }

  /** Waits until all late effects have come. */
  private async lateEffects(): Promise<void> {
    const late = this.emulator.faults.injected.some(({ fault }) => "later" in fault.what);
    if (late) await new Promise((resolve) => setTimeout(resolve, lastEffect));
  }

  /** Does what a user would do after the faults, then checks that program, state and account agree. */
  private async finish(stack: Stack, findings: Findings): Promise<void> {
    const errors = await this.converge(stack);
    await stack.run("refresh");
    await stack.obey();
    for (const { kind, id, name } of stack.lost()) {
      // A late effect made it after a destroy, with the mark of an earlier life of the stack. A sweep finds it.
      if (stack.carriesOwnMark(id) && !stack.carriesOwnMark(id, "this life")) continue;
      // The service refuses to delete what is in use.
      if (stack.toldOf(id)) this.tally.used += 1;
      else if (isUnmarked(stack, id, kind)) this.tally.unmarked += 1;
      else if (isUnlisted(stack, kind)) this.tally.unlisted += 1;
      else
        findings.leaked.push(
          `${kind} "${name}" (${id}) is ${stack.label}'s, in no state, and was never told of`,
        );
    }
    stack.sweep();
    compared(this.emulator, stack, this.ledger, findings);
    if (errors.length > 0) findings.other.push(`${stack.label} does not converge: ${errors.join(" | ")}`);
  }

  /** Repeats up, and does what each error tells the user to do. */
  private async converge(stack: Stack): Promise<Errors> {
    // A deletion with an unknown outcome stays in the state. Pulumi itself asks for a refresh then.
    if (stack.interrupted || stack.drifted) await stack.run("refresh");
    let errors: Errors = [];
    for (let attempt = 0; attempt < patience; attempt++) {
      await stack.obey();
      errors = await stack.run("up");
      if (errors.length === 0) return [];
      stack.heed(errors);
      if (errors.some((error) => error.includes("pulumi refresh"))) await stack.run("refresh");
      // An endpoint keeps its template in use as long as it exists, even when the program no longer refers to it.
      // So does a pod that a killed run made. Only a destroy helps then.
      if (stack.templated.size > 0 && errors.some((error) => / in use|from all pods/.test(error))) {
        await stack.run("destroy");
      }
      // A failed up left a rename half done, and the program then took it back. Only a destroy helps.
      if (errors.some((error) => error.includes("has yet to delete"))) await stack.run("destroy");
    }
    return errors;
  }

  /** The problems of one more up, which must change nothing, and of a destroy, which must leave nothing. */
  private async settled(stack: Stack): Promise<string[]> {
    const before = this.emulator.requests.length;
    const again = await stack.run("up");
    const sent = this.emulator.requests.slice(before).filter(mutates);
    const destroyed = await stack.run("destroy");
    await stack.obey();
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

  /** The objects made by hand, without the fields that change by themselves. */
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

  /** One finding for each secret value in the printed text. */
  private secretsSeen(): string[] {
    const text = this.stacks.map(({ said }) => said).join("\n");
    return secretValues.filter((value) => text.includes(value)).map((value) => `${value} was told`);
  }
}

/** Whether no refresh looks at a kind: it costs nothing, and the state has none. `podlumi ls --stack` shows it all the same. */
function isUnlisted(stack: Stack, kind: Kind): boolean {
  return definitions[kind].bills !== true && !stack.has(kind);
}

/** Whether an object has no mark: of these kinds only the name could carry one, and the program gave the name. */
function isUnmarked(stack: Stack, id: string, kind: Kind): boolean {
  return definitions[kind].mark === undefined && !stack.carriesOwnMark(id);
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

function mutates({ interface: name, method, body }: LoggedRequest): boolean {
  if (name === "rest") return method !== "GET";
  const query = String((body as { query?: string } | undefined)?.query);
  return query.trim().startsWith("mutation") && !query.includes("@skip");
}
