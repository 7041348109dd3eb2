import { debug } from "../engine/log";
import { type Clock, inTime } from "./clock";
import { NoAnswerError } from "./errors";
import type { HttpResponse, Request } from "./transport";

/**
 * Hears what the attempts of a run tell of the service: its time, and whether it answers at all. Until it does, looks have more
 * patience. If it never does, what would be created or changed fails.
 */
export class Hearing {
  private hasHeard = false;
  private first: Request | undefined;
  private failed: NoAnswerError | undefined;
  private silence: NoAnswerError | undefined;
  /** How far the service's clock is ahead of this machine's, in milliseconds. */
  private ahead = 0;

  /** `knock` asks for anything, with the patience that there is. */
  constructor(
    private readonly clock: Pick<Clock, "now">,
    private readonly knock: () => Promise<unknown> = async () => undefined,
  ) {}

  /** Hears and logs what an attempt comes to. */
  async hear(request: Request, answer: Promise<HttpResponse>): Promise<HttpResponse> {
    this.first ??= request;
    const began = this.clock.now();
    const note = (outcome: string, requestId?: unknown) =>
      trace(request, outcome, this.clock.now() - began, requestId);
    try {
      const response = await answer;
      note(String(response.status), response.headers["x-request-id"]);
      this.hasHeard = true;
      const date = Date.parse(String(response.headers.date));
      if (!Number.isNaN(date)) this.ahead = date - this.clock.now();
      return response;
    } catch (error) {
      note(failure(error));
      if (error instanceof NoAnswerError) this.failed = error;
      throw error;
    }
  }

  /** The service's time in milliseconds since the epoch, by its latest response; before that, this machine's time. */
  now(): number {
    return this.clock.now() + this.ahead;
  }

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
    const knocked = Promise.allSettled([result]).then(() => (this.isSilent ? this.knock() : undefined));
    await inTime(this.patience, Promise.allSettled([knocked]));
    if (!this.isSilent) return result;
    const { call, url } = this.first as Request;
    const why = `nothing within ${this.patience / 1_000} s`;
    this.silence = this.failed ?? new NoAnswerError(call, url.origin, false, why);
    throw this.silence;
  }
}

/** Logs an attempt for `PODLUMI_DEBUG`. Never logs a URL, a header or a body, because they hold secrets. */
function trace(request: Request, outcome: string, milliseconds: number, requestId: unknown): void {
  const { attempt = 1, after, held = 0 } = request;
  const parts = [
    `${nameOf(request)}: ${outcome}`,
    `${Math.round(milliseconds)} ms`,
    ...(requestId === undefined ? [] : [`request ${requestId}`]),
    ...(after === undefined ? [] : [`attempt ${attempt}, after ${after}`]),
    ...(held > 0 ? [`held back ${Math.round(held)} ms for the rate limit`] : []),
  ];
  debug(parts.join(", "), request.errand?.urn);
}

/** The request with its method, also for GraphQL. */
export function nameOf({ method, call }: Request): string {
  return call.startsWith(method) ? call : `${method} ${call}`;
}

/** The reason for no answer, in short. */
export function failure(error: unknown): string {
  const { cause, name } = Object(error) as Error;
  const { code } = Object(cause) as NodeJS.ErrnoException;
  return `no answer (${code ?? name})`;
}
