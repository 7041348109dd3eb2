import { AsyncLocalStorage } from "node:async_hooks";

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

/** Keeps the answer to each question. A failed question is forgotten, so the next caller asks it again. */
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
