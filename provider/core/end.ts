import { evenIfCancelled } from "../client/cancel";
import { flushed, warn } from "../engine/log";
import { warnOfInterrupted } from "./owner/orphans";
import { settle, type UnfinishedCreate } from "./owner/twins";
import { warnOfOrphans } from "./owner/warn-of-orphans";
import type { Run } from "./run";

/** Work at the end of a run, also of a cancelled one. The engine leaves a provider a few seconds for it. */
export async function endRun(run: Run): Promise<void> {
  await evenIfCancelled(() =>
    Promise.allSettled([
      ...run.unfinished.map((create) => settle(run, create).catch(tellUnsettled(create))),
      warnOfOrphans(run),
      warnOfInterrupted(run),
    ]),
  );
}

/** Tells that nobody knows what requests without an answer have made. */
function tellUnsettled({ kind, inputs }: UnfinishedCreate) {
  return (error: Error) => {
    const what = `podlumi could not look for what a request without an answer may have made for this ${kind.noun}`;
    warn(inputs.__urn, `${what}: ${error.message}. \`pulumi refresh\` looks for it`, "PODLUMI-ORPHAN");
  };
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
