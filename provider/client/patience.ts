import { AsyncLocalStorage } from "node:async_hooks";

/** How long a request may take with all that is tried again, in milliseconds: its own property, not the client's. */
const patience = new AsyncLocalStorage<number>();

/** Does something whose requests would rather go without an answer than wait: a look of a preview. */
export function impatiently<T>(act: () => Promise<T>, milliseconds = 3_000): Promise<T> {
  return patience.run(milliseconds, act);
}

/** The patience of whoever asks; without a limit as a rule. */
export function patienceNow(): number {
  return patience.getStore() ?? Number.POSITIVE_INFINITY;
}

/** Answers to questions that are asked once. Who has more patience than who asked asks again when that one got none. */
export class Answers {
  private readonly known = new Map<
    string,
    { readonly patience: number; readonly answer: Promise<unknown> }
  >();

  once<T>(question: string, ask: () => Promise<T>): Promise<T> {
    const patience = patienceNow();
    const known = this.known.get(question);
    const answered = known?.answer as Promise<T> | undefined;
    if (known !== undefined && answered !== undefined && known.patience >= patience) return answered;
    const asked = { patience, answer: answered?.catch(ask) ?? ask() };
    this.known.set(question, asked);
    asked.answer.catch(() => {
      if (this.known.get(question) === asked) this.known.delete(question);
    });
    return asked.answer;
  }
}
