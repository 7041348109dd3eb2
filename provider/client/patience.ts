import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock } from "./clock";
import { systemClock } from "./clock";

/** Milliseconds that a request may take with all its retries. Each caller has its own limit. */
const patience = new AsyncLocalStorage<number>();

/** Runs something that can do without answers, such as the reads of a preview. Its requests give up after a while. */
export function impatiently<T>(act: () => Promise<T>, milliseconds = 3_000): Promise<T> {
  return patience.run(milliseconds, act);
}

/** The limit of the caller; infinite outside {@link impatiently}. */
export function patienceNow(): number {
  return patience.getStore() ?? Number.POSITIVE_INFINITY;
}

/** A question, since somebody has asked it. */
interface Asked {
  readonly at: number;
  /** Patience of the caller that asked. Where that fails, a caller with more patience asks again. */
  readonly patience: number;
  readonly answer: Promise<unknown>;
}

/** Keeps the answer to each question. A failed question is forgotten, so the next caller asks it again. */
export class Answers {
  private readonly asked = new Map<string, Asked>();

  constructor(private readonly clock: Clock = systemClock) {}

  /** The answer as it was `age` milliseconds ago or later. */
  once<T>(question: string, ask: () => Promise<T>, age = Number.POSITIVE_INFINITY): Promise<T> {
    const patience = patienceNow();
    const now = this.clock.now();
    const latest = this.asked.get(question);
    const known = latest !== undefined && now - latest.at < age ? latest : undefined;
    const answer = known?.answer as Promise<T> | undefined;
    if (known !== undefined && answer !== undefined && known.patience >= patience) return answer;
    const asked = { at: known?.at ?? now, patience, answer: answer?.catch(ask) ?? ask() };
    this.asked.set(question, asked);
    asked.answer.catch(() => {
      if (this.asked.get(question) === asked) this.asked.delete(question);
    });
    return asked.answer;
  }
}
