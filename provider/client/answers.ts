import type { Clock } from "./clock";
import { systemClock } from "./clock";

interface Asked {
  readonly at: number;
  /** Patience of the caller that asked. Where its request fails, a caller with more patience asks again. */
  readonly patience: number;
  readonly answer: Promise<unknown>;
}

/** The answers that a caller takes, in milliseconds. */
interface Asking {
  /** Default: any age. */
  readonly age?: number;
  /** Milliseconds that its requests may take. Default: what the policy allows. */
  readonly patience?: number;
}

/** Keeps the answer to each question. A failed question is forgotten, so the next caller asks it again. */
export class Answers {
  private readonly asked = new Map<string, Asked>();

  constructor(private readonly clock: Pick<Clock, "now"> = systemClock) {}

  once<T>(
    question: string,
    ask: () => Promise<T>,
    { age = Number.POSITIVE_INFINITY, patience = Number.POSITIVE_INFINITY }: Asking = {},
  ): Promise<T> {
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
