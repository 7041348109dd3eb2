import { flushed, whenEngineEnds } from "./log";

/** Milliseconds for the last messages. The engine kills a provider 5 s after it has interrupted it. */
const patience = 2_000;

/**
 * Ends this process with its engine: once that interrupts it, or has died. A killed engine sends no sign, and nobody would record what this
 * process creates or deletes from then on: the next run continues.
 */
export function endWithEngine(): void {
  const end = () => {
    setTimeout(() => process.exit(), patience);
    void flushed().finally(() => process.exit());
  };
  process.once("SIGINT", end).once("SIGBREAK", end);
  whenEngineEnds(() => process.exit());
}
