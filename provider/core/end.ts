import { evenIfCancelled } from "../client/cancel";
import { inTime } from "../client/clock";
import { flushed, warn } from "../engine/log";
import { endLimits } from "./end-limits";
import { warnOfInterrupted } from "./owner/orphans";
import { settle, type UnfinishedCreate } from "./owner/twins";
import { warnOfOrphans } from "./owner/warn-of-orphans";
import type { Run } from "./run";

/** Work at the end of a run, also of a cancelled one. The engine leaves a provider a few seconds for it. */
export async function endRun(run: Run): Promise<void> {
  await evenIfCancelled(() =>
    Promise.allSettled([
      ...run.unfinished.map((create) => settleInTime(run, create)),
      warnOfOrphans(run),
      warnOfInterrupted(run),
    ]),
  );
}

/** Settles a create call, or tells that nobody knows what its requests without an answer have made. */
async function settleInTime(run: Run, create: UnfinishedCreate): Promise<void> {
  const tell = (why: string) => tellUnsettled(create, why);
  const settling = settle(run, create).then(() => true);
  try {
    const isSettled = await inTime(run.api().clock, endLimits.settling, settling);
    if (!isSettled) tell("there was no time, as where Pulumi has the states of many stacks to tell");
  } catch (error) {
    tell((error as Error).message);
  }
}

function tellUnsettled({ kind, inputs }: UnfinishedCreate, why: string): void {
  const what = `podlumi could not settle what a request without an answer may have made for this ${kind.noun}`;
  warn(inputs.__urn, `${what}: ${why}. \`pulumi refresh\` looks for it`, "PODLUMI-ORPHAN");
}

/** Ends the run when the engine interrupts this process. A provider gets no other sign of the end. */
export function endWithProcess(run: Run): void {
  const end = () => {
    setTimeout(() => process.exit(), endLimits.all);
    void endRun(run)
      .then(flushed)
      .finally(() => process.exit());
  };
  process.once("SIGINT", end).once("SIGBREAK", end);
}
