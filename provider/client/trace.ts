import { debug } from "../engine/log";
import type { Clock } from "./clock";
import type { Request, Send } from "./transport";

/** Logs each request for `pulumi --debug`. Never logs a URL, a header or a body, because they hold secrets. */
export function traced(next: Send, clock: Clock): Send {
  return async (request) => {
    const { attempt = 1, after, held = 0 } = request;
    const what = nameOf(request);
    const began = clock.now();
    const note = (outcome: string, requestId?: unknown) => {
      const parts = [
        `${what}: ${outcome}`,
        `${Math.round(clock.now() - began)} ms`,
        ...(requestId === undefined ? [] : [`request ${requestId}`]),
        ...(after === undefined ? [] : [`attempt ${attempt}, after ${after}`]),
        ...(held > 0 ? [`held back ${Math.round(held)} ms for the rate limit`] : []),
      ];
      debug(parts.join(", "), request.errand?.urn);
    };
    try {
      const response = await next(request);
      note(String(response.status), response.headers["x-request-id"]);
      return response;
    } catch (error) {
      note(failure(error));
      throw error;
    }
  };
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
