import { inTime } from "../client/clock";
import { NoAnswerError } from "../client/errors";
import type { Request, Send } from "../client/transport";

/** Milliseconds for the first answer of a run. */
const patience = 10_000;

/**
 * Whether the service answers at all. Once it has, looks can do without single answers; before that, they have more patience, and what
 * would be created or changed fails.
 */
export class Hearing {
  private hasHeard = false;
  private first: Request | undefined;
  /** Requests under way. */
  private open = 0;
  private failed: NoAnswerError | undefined;
  private listeners: (() => void)[] = [];
  private silence: NoAnswerError | undefined;

  constructor(private readonly next: Send) {}

  readonly send: Send = async (request) => {
    this.first ??= request;
    this.open += 1;
    try {
      const response = await this.next(request);
      this.hasHeard = true;
      return response;
    } catch (error) {
      if (error instanceof NoAnswerError) this.failed = error;
      throw error;
    } finally {
      this.open -= 1;
      if (this.isSettled) for (const tell of this.listeners.splice(0)) tell();
    }
  };

  /** Milliseconds for a look that can do without an answer. */
  get patience(): number {
    return this.hasHeard ? 3_000 : patience;
  }

  /** The service was asked, and has answered nothing yet. */
  get isSilent(): boolean {
    return this.first !== undefined && !this.hasHeard;
  }

  /** The result of looks. Throws a NoAnswerError where the service was asked and has answered nothing in this run, soon enough. */
  async unlessSilent<T>(look: () => Promise<T>): Promise<T> {
    if (this.silence !== undefined) throw this.silence;
    const result = look();
    if (this.hasHeard) return result;
    const over = result.then(ignore, ignore).then(() => this.settled());
    await inTime(patience, over);
    if (!this.isSilent) return result;
    result.catch(ignore);
    throw this.fail();
  }

  private get isSettled(): boolean {
    return this.hasHeard || this.open === 0;
  }

  /** Resolves with the first answer, or when no request is under way any more. */
  private settled(): Promise<void> {
    return this.isSettled ? Promise.resolve() : new Promise((settled) => this.listeners.push(settled));
  }

  private fail(): NoAnswerError {
    const { call, url } = this.first as Request;
    const reason = `nothing within ${patience / 1_000} s`;
    this.silence = this.failed ?? new NoAnswerError(call, url.origin, false, reason);
    return this.silence;
  }
}

const ignore = () => undefined;
