import { evenIfCancelled } from "../client/cancel";
import { flushed } from "../engine/log";
import { warnOfInterrupted } from "./owner/orphans";
import { settle } from "./owner/twins";
import { warnOfOrphans } from "./owner/warn-of-orphans";
import type { Run } from "./run";

/** Work at the end of a run, also of a cancelled one. The engine leaves a provider a few seconds for it. */
export async function endRun(run: Run): Promise<void> {
  await evenIfCancelled(() =>
    Promise.allSettled([
      ...run.unfinished.map((create) => settle(run, create)),
      warnOfOrphans(run),
      warnOfInterrupted(run),
    ]),
  );
}

/** Milliseconds for that work. The engine interrupts a provider at the end of a run and kills it 5 s later. */
const limit = 4_500;

/** Ends the run when the engine interrupts this process. A provider gets no other sign of the end. */
export function endWithProcess(run: Run): void {
  const end = () => {
    setTimeout(() => process.exit(), limit);
    void endRun(run)
      .then(flushed)
      .finally(() => process.exit());
  };
  process.once("SIGINT", end).once("SIGBREAK", end);
}
