import { evenIfCancelled } from "../client/cancel";
import { inTime } from "../client/clock";
import { watchOfEngine } from "../engine/command";
import { flushed, warn } from "../engine/log";
import { endLimits } from "./end-limits";
import { warnIfAllGone } from "./guard/all-gone";
import { warnOfMissingSecrets } from "./guard/missing-secrets";
import { warnOfRenames } from "./guard/renamed";
import { warnOfUsers } from "./guard/still-used";
import { warnOfInterrupted } from "./owner/orphans";
import { settle } from "./owner/twins";
import { warnOfOrphans } from "./owner/warn-of-orphans";
import type { Run } from "./run";

/** Work at the end of a run, also of a cancelled one. The engine leaves a provider a few seconds for it. */
export async function endRun(run: Run): Promise<void> {
  warnIfAllGone(run);
  await evenIfCancelled(() =>
    Promise.allSettled([
      ...[...run.atEnd.unfinished.values()].map((create) => {
        const { kind, inputs } = create;
        const what = `settle what a request without an answer may have created for this ${kind.noun}`;
        return orTell(settle(run, create), what, inputs.__urn);
      }),
      orTell(warnOfOrphans(run), "look for what this stack has left", undefined, endLimits.all),
      warnOfRenames(run),
      warnOfUsers(run),
      warnOfMissingSecrets(run),
      ...[...run.atEnd.interrupted.values()].map((create) => {
        const { kind, pending } = create;
        const what = `look for the ${kind.noun} that an interrupted run was creating as ${pending.urn}`;
        return orTell(warnOfInterrupted(run, create), what);
      }),
    ]),
  );
}

/** Waits for work of the end, and tells `what` could not be done where it fails or there is no time. */
async function orTell(
  work: Promise<void>,
  what: string,
  urn?: unknown,
  limit = endLimits.settling,
): Promise<void> {
  const tell = (why: string) =>
    warn(urn, `podlumi could not ${what}: ${why}. \`pulumi refresh\` looks for it`, "PODLUMI-ORPHAN");
  const done = work.then(() => true);
  try {
    const isDone = await inTime(limit, done);
    if (!isDone) tell("the time ran out, for example because the backend has many stacks");
  } catch (error) {
    tell((error as Error).message);
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
