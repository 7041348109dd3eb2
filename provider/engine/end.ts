import { engine } from "./log";

/** Milliseconds for the last messages. The engine kills a provider 5 s after it has interrupted it. */
const patience = 2_000;

/** Ends this process with its engine, interrupted or dead: nobody would record what it creates or deletes from then on. */
export function endWithEngine(): void {
  const end = async () => {
    setTimeout(() => process.exit(), patience);
    await engine?.flushed();
    process.exit();
  };
  process.once("SIGINT", end).once("SIGBREAK", end);
  engine?.whenItEnds(() => process.exit());
}
