import { type Clock, systemClock } from "./clock";

interface Asked {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Patience of the caller that asked. Where its request fails, a caller with more patience asks again. */
  readonly patience: number;
  readonly answer: Promise<unknown>;
}

/** The answers that a caller takes. */
interface Asking {
  /** By when it was asked for, in milliseconds since the epoch. Default: any. */
  readonly isFresh?: (at: number) => boolean;
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
    { isFresh = () => true, patience = Number.POSITIVE_INFINITY }: Asking = {},
  ): Promise<T> {
    const known = this.has(question, isFresh) ? this.asked.get(question) : undefined;
    const answer = known?.answer as Promise<T> | undefined;
    if (known !== undefined && answer !== undefined && known.patience >= patience) return answer;
    const at = known?.at ?? this.clock.now();
    const asked = { at, patience, answer: answer?.catch(ask) ?? ask() };
    this.asked.set(question, asked);
    asked.answer.catch(() => {
      if (this.asked.get(question) === asked) this.asked.delete(question);
    });
    return asked.answer;
  }

  has(question: string, isFresh: (at: number) => boolean): boolean {
    const asked = this.asked.get(question);
    return asked !== undefined && isFresh(asked.at);
  }
}
