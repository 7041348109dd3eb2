import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { type Emulator, type LoggedRequest, startEmulator } from "../emulator";
import { Engine, type Errors } from "./engine";
import { compared, existing, type Findings, isClean } from "./findings";
import { fastClock, ProviderProcess } from "./process";
import { type Edit, edited, edits, type Program, secretValues } from "./program";
import { brew, type Weather, weathers } from "./weather";

/** A program that is edited and run in bad weather. */
export interface Scenario {
  readonly features: { readonly restSecrets: boolean; readonly pagination: boolean };
  readonly stages: readonly Stage[];
}

interface Stage {
  readonly edit: Edit;
  readonly command: "up" | "refresh" | "destroy";
  readonly weather: Weather;
}

/** What went on, over all scenarios. */
export interface Tally {
  scenarios: number;
  commands: number;
  faults: number;
  kills: number;
  asked: number;
}

const command = fc.oneof(
  { weight: 8, arbitrary: fc.constant("up" as const) },
  { weight: 1, arbitrary: fc.constantFrom("refresh" as const, "destroy" as const) },
);
const stage = (first: boolean): fc.Arbitrary<Stage> =>
  fc.record({ edit: edits(first), command: first ? fc.constant("up" as const) : command, weather: weathers });

export const scenarios: fc.Arbitrary<Scenario> = fc.record({
  features: fc.record({ restSecrets: fc.boolean(), pagination: fc.boolean() }),
  stages: fc
    .tuple(stage(true), fc.array(stage(false), { maxLength: 3 }))
    .map(([first, more]) => [first, ...more]),
});

/** Ups after which everything must be as the program says, once nothing goes wrong any more. */
const patience = 6;

/** Plays a scenario to its end and says what is wrong then. */
export async function play(scenario: Scenario, tally: Tally): Promise<Findings> {
  const home = mkdtempSync(join(tmpdir(), "podlumi-chaos-"));
  const emulator = await startEmulator({
    clock: fastClock,
    timings: {
      provisioning: 1_000,
      starting: 1_000,
      stopping: 500,
      templateRelease: 5_000,
      queueReady: 0,
      latency: 0,
    },
    features: scenario.features,
    balance: 1_000_000,
  });
  try {
    return await new Run(emulator, home, tally).play(scenario);
  } finally {
    tally.scenarios += 1;
    tally.faults += emulator.faults.injected.length;
    // Connections of killed processes keep it open for some seconds; nothing needs to wait for that.
    emulator.close().catch(() => undefined);
    rmSync(home, { recursive: true, force: true });
  }
}

class Run {
  private readonly engine = new Engine();
  private readonly said: string[] = [];
  private interrupted = false;
  private readonly templated = new Set<string>();

  constructor(
    private readonly emulator: Emulator,
    private readonly home: string,
    private readonly tally: Tally,
  ) {}

  async play({ stages }: Scenario): Promise<Findings> {
    let program: Program = [];
    for (const { edit, command, weather } of stages) {
      program = edited(program, edit);
      for (const { slot, args } of program) if ("templateId" in args) this.templated.add(slot);
      await this.command(command, program, weather);
    }
    const errors = await this.converge(program);
    const findings = compared(this.emulator, this.engine.state, program, this.templated);
    if (errors.length > 0) findings.other.push(`does not converge: ${errors.join(" | ")}`);
    if (isClean(findings)) findings.other.push(...(await this.settled(program)));
    findings.other.push(...this.secretsSeen());
    return findings;
  }

  /** One command in its own process. */
  private async command(name: Stage["command"], program: Program, weather?: Weather): Promise<Errors> {
    const provider = new ProviderProcess(this.emulator.env, this.home, Math.random);
    const clear = weather && brew(this.emulator, provider, weather);
    this.tally.commands += 1;
    const errors = await (name === "up" ? this.engine.up(provider, program) : this.engine[name](provider));
    if (provider.killed) {
      this.tally.kills += 1;
      this.interrupted = true;
      // What had reached the service is done before anyone looks again.
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    provider.kill();
    clear?.();
    this.said.push(...errors);
    return errors;
  }

  /** What a user does who reads the errors. */
  private async converge(program: Program): Promise<Errors> {
    // A deletion whose end is unknown stays in the state: Pulumi itself asks for a refresh after it.
    if (this.interrupted) await this.command("refresh", []);
    let errors: Errors = [];
    for (let attempt = 0; attempt < patience; attempt++) {
      errors = await this.command("up", program);
      if (errors.length === 0) return [];
      for (const error of errors) await this.obey(error);
    }
    return errors;
  }

  private async obey(error: string): Promise<void> {
    if (error.includes("pulumi refresh")) await this.command("refresh", []);
    // An endpoint holds its template for as long as it lives, also when the program names it no longer.
    if (this.templated.size > 0 && error.includes("Template is in use")) await this.command("destroy", []);
    const named = /and the [a-z ]+ (\w+(?:, \w+)*) may be what it made/.exec(error)?.[1];
    if (named === undefined) return;
    this.tally.asked += 1;
    const { service } = this.emulator;
    const collections = {
      pod: service.pods,
      serverlessEndpoint: service.endpoints,
      template: service.templates,
      networkVolume: service.volumes,
      registryAuth: service.registries,
      secret: service.secrets,
    };
    const mine = new Set(this.engine.state.map(({ id }) => id));
    for (const { kind, id } of existing(this.emulator)) {
      if (named.split(", ").includes(id) && !mine.has(id)) collections[kind].delete(id);
    }
  }

  /** Another up changes nothing, and a destroy leaves nothing. */
  private async settled(program: Program): Promise<string[]> {
    const before = this.emulator.requests.length;
    const again = await this.command("up", program);
    const sent = this.emulator.requests.slice(before).filter(mutates);
    const destroyed = await this.command("destroy", []);
    return [
      ...again.map((error) => `another up fails: ${error}`),
      ...sent.map(
        ({ method, path, operation, body }) =>
          `another up sends ${method} ${operation ?? path} ${JSON.stringify(body)}`,
      ),
      ...destroyed.map((error) => `destroy fails: ${error}`),
      ...existing(this.emulator).map(({ kind, id }) => `${kind} ${id} is left after destroy`),
    ];
  }

  /** Secret values in what was printed or kept beside the state. */
  private secretsSeen(): string[] {
    const files = existsSync(this.home)
      ? readdirSync(this.home, { recursive: true, withFileTypes: true })
      : [];
    const notes = files
      .filter((file) => file.isFile())
      .map((file) => readFileSync(join(file.parentPath, file.name), "utf8"));
    const text = [...this.said, ...notes].join("\n");
    return secretValues.filter((value) => text.includes(value)).map((value) => `${value} was told`);
  }
}

function mutates({ interface: name, method, body }: LoggedRequest): boolean {
  if (name === "rest") return method !== "GET";
  const query = String((body as { query?: string } | undefined)?.query);
  return query.trim().startsWith("mutation") && !query.includes("@skip");
}
