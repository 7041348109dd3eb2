import { Api } from "../../provider/client/api";
import type { Clock } from "../../provider/client/clock";
import type { Send } from "../../provider/client/transport";
import type { Settings } from "../../provider/config";
import type { EmulatorOptions } from "../../sdk/emulator/service";
import { type Line, linesOf } from "./assumptions";
import { compare, type Difference } from "./compare";
import { introduce, live, newRun, type Outcome } from "./life";
import { type Swept, sweep } from "./mark";
import { type Exchange, Recorder } from "./recorder";
import { type Replayed, replay } from "./replay";
import { most, type Step, stepsFor } from "./steps";

export interface Options {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly wire: Send;
  /** USD. */
  readonly budget: number;
  /** Gets each line of progress. */
  readonly tell: (line: string) => void;
  /** Ends the step that runs. The run then sweeps everything. */
  readonly signal: AbortSignal;
  /** Options of the emulator that gets the same requests. */
  readonly emulator?: EmulatorOptions;
}

/** A difference, and the lines that assume otherwise. */
export interface Finding extends Difference {
  readonly lines: readonly Line[];
}

export interface Result {
  readonly outcomes: readonly (Outcome & { readonly usd: number })[];
  /** Why steps were left out: the budget, or Ctrl-C. */
  readonly ended?: string;
  readonly findings: readonly Finding[];
  readonly exchanges: readonly Exchange[];
  readonly replayed: readonly Replayed[];
  readonly before: Swept;
  readonly after: Swept;
  readonly usd: number;
}

/** Takes the kinds through their lives, within a budget, and compares the service with the emulator. */
export async function accept(options: Options): Promise<Result> {
  const { settings, clock, wire, tell, signal, budget } = options;
  // The sweeps are no part of the recording, and must work after Ctrl-C.
  const api = () => new Api(settings, clock, wire);
  const recorder = new Recorder(wire, clock, settings);
  tell("sweep: deletes what an earlier run left, by its mark. Costs nothing");
  const before = await sweep(api());
  tellSwept(before, tell);
  const outcomes: (Outcome & { usd: number })[] = [];
  let usd = 0;
  let ended: string | undefined;
  const after: Swept = { deleted: [], left: [] };
  try {
    const steps = await stepsFor(api());
    tell("introduction: reads only. Costs nothing");
    await introduce({ settings, clock, recorder });
    for (const [index, step] of steps.entries()) {
      if (signal.aborted) ended = `${step.name} and what comes after it: it was interrupted`;
      else if (usd + most(step) > budget) ended = beyond(step, usd, budget);
      if (ended !== undefined) break;
      tell(`${index + 1} of ${steps.length}, ${step.name}: ${priceOf(step)}`);
      const began = clock.now();
      const outcome = await within(step, options, recorder);
      const cost = paid(step, clock.now() - began);
      usd += cost;
      outcomes.push({ ...outcome, usd: cost });
      if (outcome.failed === undefined) continue;
      tell(`  ended early: ${outcome.failed}`);
      // Nothing that bills waits for the end of the run.
      const swept = await sweep(api());
      tellSwept(swept, tell);
      after.deleted.push(...swept.deleted);
    }
  } finally {
    tell("sweep: deletes what is left. Costs nothing");
    const swept = await sweep(api());
    tellSwept(swept, tell);
    after.deleted.push(...swept.deleted);
    after.left.push(...swept.left);
  }
  if (ended !== undefined) tell(`left out: ${ended}`);
  const { exchanges } = recorder;
  const replayed = await replay(exchanges, options.emulator);
  const differences = [...compare(exchanges, replayed), ...unstable(outcomes)];
  const findings = differences.map((difference) => ({ ...difference, lines: linesOf(difference) }));
  return { outcomes, ended, findings, exchanges, replayed, before, after, usd };
}

/** The life of one object, which ends early when its time is over or after Ctrl-C. The sweep deletes what it leaves. */
async function within(step: Step, options: Options, recorder: Recorder): Promise<Outcome> {
  const { settings, clock, signal } = options;
  const run = newRun({ settings, clock, recorder });
  const cancel = () => run.cancel();
  const over = new AbortController();
  signal.addEventListener("abort", cancel);
  clock.sleep(step.minutes * 60_000, over.signal).then(cancel, () => undefined);
  try {
    return await live(step, { settings, clock, recorder }, run);
  } finally {
    signal.removeEventListener("abort", cancel);
    over.abort();
  }
}

const money = (usd: number) => `${usd.toFixed(4)} USD`;

function priceOf(step: Step): string {
  const { hourly, why } = step.cost;
  if (hourly?.atMost === 0) return "costs nothing";
  return `at most ${money(most(step))}, for ${step.minutes} minutes at ${money(hourly?.atMost ?? 0)} an hour (${why})`;
}

function beyond(step: Step, spent: number, budget: number): string {
  if (step.cost.hourly === undefined)
    return `${step.name} and what comes after it: no price is known (${step.cost.why})`;
  const more = `up to ${money(most(step))} more would not fit into ${money(budget)}`;
  return `${step.name} and what comes after it: ${more}, of which ${money(spent)} are spent`;
}

/** USD for the time that a step took. A volume bills whole hours. */
function paid(step: Step, milliseconds: number): number {
  if (step.kind === "NetworkVolume") return most(step);
  return Math.min(most(step), ((step.cost.hourly?.atMost ?? 0) * milliseconds) / 3_600_000);
}

function tellSwept({ deleted, left }: Swept, tell: (line: string) => void): void {
  for (const one of deleted) tell(`  deleted: ${one}`);
  for (const one of left) tell(`  STILL THERE: ${one}`);
}

/** What a second `up` would change in objects that nobody has changed. */
function unstable(outcomes: readonly Outcome[]): Difference[] {
  return outcomes.flatMap(({ step, folder, unstable }) =>
    [...new Set(unstable)].map((path) => ({
      aspect: "no change" as const,
      operation: `up ${folder}`,
      path,
      service: "a second `up` would change it",
      emulator: "a second `up` changes nothing",
      steps: [step],
      count: 1,
    })),
  );
}
