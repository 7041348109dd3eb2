import { evenIfCancelled } from "../client/cancel";
import { inTime } from "../client/clock";
import { continued, ExpectedError } from "../client/errors";
import { watchOfEngine } from "../engine/command";
import { flushed, warn } from "../engine/log";
import { endLimits } from "./end-limits";
import { traceOf } from "./errors";
import { warnIfAllGone } from "./guard/all-gone";
import { warnOfMissingSecrets } from "./guard/missing-secrets";
import { warnOfOrigins } from "./guard/origin";
import { warnOfRenames } from "./guard/renamed";
import { warnOfUsers } from "./guard/still-used";
import { settle } from "./owner/twins";
import { warnOfInterrupted } from "./owner/warn-of-interrupted";
import { warnOfOrphans } from "./owner/warn-of-orphans";
import type { Run } from "./run";

/** Work at the end of a run, also of a cancelled one. The engine leaves a provider a few seconds for it. */
export async function endRun(run: Run): Promise<void> {
  const { unfinished, interrupted } = run.atEnd;
  await evenIfCancelled(() =>
    Promise.all([
      orTell(warnIfAllGone(run), "look for what the account has of this stack"),
      ...[...unfinished.values()].map((create) => {
        const { kind, inputs } = create;
        const what = `settle what a request without an answer may have created for this ${kind.noun}`;
        return orTell(within(endLimits.settling, settle(run, create)), what, inputs.__urn);
      }),
      orTell(within(endLimits.all, warnOfOrphans(run)), "look for what this stack has left"),
      ...[...interrupted.values()].map((create) => {
        const { kind, pending } = create;
        const what = `look for the ${kind.noun} that an interrupted run was creating as ${pending.urn}`;
        return orTell(within(endLimits.settling, warnOfInterrupted(run, create)), what);
      }),
      orTell(warnOfRenames(run), "look for resources with new names"),
      orTell(warnOfUsers(run), "look for what refers to what is deleted"),
      orTell(warnOfOrigins(run), "look for what stays in use"),
      orTell(warnOfMissingSecrets(run), "look for secrets that are missing"),
    ]),
  );
}

/** Fails where there is no time for work of the end. */
async function within(limit: number, work: Promise<void>): Promise<void> {
  const done = work.then(() => true);
  if (!(await inTime(limit, done))) throw new ExpectedError(outOfTime, code);
}

const code = "PODLUMI-ORPHAN";
const outOfTime = "the time ran out, for example because the backend has many stacks";

/** Waits for work of the end, and tells `what` could not be done where it fails: nobody else is there to learn of it. */
async function orTell(work: Promise<void>, what: string, urn?: unknown): Promise<void> {
  try {
    await work;
  } catch (error) {
    const could = `podlumi could not ${what}`;
    if (error instanceof ExpectedError)
      warn(urn, continued(`${could}: ${error.message}`, "`npx podlumi ls` shows what there is"), code);
    else warn(urn, `${could}: ${traceOf(error)}`, "PODLUMI-DEFECT");
  }
}

/** Milliseconds from one look at the engine to the next. */
const betweenLooks = 500;

/**
 * Ends the run when the engine interrupts this process. An engine that is killed sends no sign, and nobody would record what this process
 * creates or deletes from then on: it ends at once, and the next run continues.
 */
export function endWithProcess(run: Run): void {
  const lives = watchOfEngine();
  setInterval(() => lives() || process.exit(), betweenLooks).unref();
  const end = () => {
    setTimeout(() => process.exit(), endLimits.all);
    void endRun(run)
      .then(flushed)
      .finally(() => process.exit());
  };
  process.once("SIGINT", end).once("SIGBREAK", end);
}
