import { inTime } from "./clock";
import { NoAnswerError } from "./errors";
import type { Request, Send } from "./transport";

/** Until the service has answered at all, looks have more patience. If it never does, what would be created or changed fails. */
export class Hearing {
  private hasHeard = false;
  private first: Request | undefined;
  private failed: NoAnswerError | undefined;
  private silence: NoAnswerError | undefined;

  /** `knock` asks for anything, with the patience that there is. */
  constructor(
    private readonly next: Send,
    private readonly knock: () => Promise<unknown>,
  ) {}

  readonly send: Send = async (request) => {
    this.first ??= request;
    try {
      const response = await this.next(request);
      this.hasHeard = true;
      return response;
    } catch (error) {
      if (error instanceof NoAnswerError) this.failed = error;
      throw error;
    }
  };

  /** Milliseconds for a look that can do without an answer. */
  get patience(): number {
    return this.hasHeard ? 3_000 : 10_000;
  }

  /** The service was asked, and has answered nothing yet. */
  get isSilent(): boolean {
    return this.first !== undefined && !this.hasHeard;
  }

  /** The result of looks. Throws a NoAnswerError where they ask the service, and it answers nothing in this run, soon enough. */
  async unlessSilent<T>(look: () => Promise<T>): Promise<T> {
    if (this.silence !== undefined) throw this.silence;
    const result = look();
    if (this.hasHeard) return result;
    const looked = result.then(ignore, ignore).then(() => (this.isSilent ? this.knock() : undefined));
    await inTime(this.patience, looked.then(ignore, ignore));
    if (!this.isSilent) return result;
    result.catch(ignore);
    this.silence = this.failed ?? this.unanswered();
    throw this.silence;
  }

  private unanswered(): NoAnswerError {
    const { call, url } = this.first as Request;
    return new NoAnswerError(call, url.origin, false, `nothing within ${this.patience / 1_000} s`);
  }
}

const ignore = () => undefined;
