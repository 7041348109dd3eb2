import { masked } from "../mask";
import type { Advice } from "./advice";
import { advice } from "./advice";
import type { Clock } from "./clock";
import { backoff } from "./clock";
import { mayHaveActed, UnknownOutcomeError, unreadable } from "./errors";
import { situations } from "./policy";
import { remedies } from "./remedies";
import { errorOf, parse } from "./response";
import { path, segment } from "./rest";
import type { Effect, HttpResponse, Request, Send } from "./transport";

/** The operations of a queue. (API: Serverless, queue) */
const operations = {
  run: { method: "POST", effect: "job" },
  runsync: { method: "POST", effect: "job" },
  status: { method: "GET", effect: "read" },
  // A queue gives each chunk out once, so a second read cannot recover what the first one lost.
  stream: { method: "GET", effect: "job" },
  cancel: { method: "POST", effect: "change" },
  retry: { method: "POST", effect: "job" },
  "purge-queue": { method: "POST", effect: "job" },
  health: { method: "GET", effect: "read" },
} satisfies Record<string, { method: Request["method"]; effect: Effect }>;

export interface QueueRequest<T> extends Pick<Request, "body" | "hold" | "signal"> {
  readonly operation: keyof typeof operations;
  readonly jobId?: string;
  readonly query?: Readonly<Record<string, number | undefined>>;
  /** Texts of the body that no error may repeat. */
  readonly secrets?: readonly string[];
  /** Reads the body of a response; undefined when it cannot be understood. */
  readonly read: (body: unknown) => T | undefined;
}

/** The queue of a Serverless endpoint. The key is sent without `Bearer`. (API: Serverless, queue) */
export class Queue {
  private answered = false;

  constructor(
    private readonly transport: Send,
    private readonly clock: Clock,
    private readonly address: string,
    private readonly apiKey: string,
    private readonly endpointId: string,
    /** Milliseconds that a request may take with all its retries. */
    private readonly patience = Number.POSITIVE_INFINITY,
  ) {}

  /** Throws an {@link UnknownOutcomeError} when a request failed that must not be repeated, and may have taken effect. */
  async send<T>(wanted: QueueRequest<T>): Promise<T> {
    const request = this.request(wanted);
    try {
      const response = await this.whenReady(request, wanted.jobId);
      const { call } = request;
      if (response.status < 200 || response.status > 299) {
        const { secrets = [] } = wanted;
        // A response that repeats the body has its JSON in a text of JSON.
        const quoted = secrets.map((text) => JSON.stringify(text).slice(1, -1));
        const body = masked(response.body, [...secrets, ...quoted]);
        throw errorOf(call, { ...response, body }, queueAdvice(call, response.status, wanted.jobId));
      }
      const value = wanted.read(parse(call, response));
      if (value !== undefined) return value;
      throw unreadable(call, response.status, "fields are missing");
    } catch (error) {
      wanted.signal?.throwIfAborted();
      if (request.effect === "job" && error instanceof Error && mayHaveActed(error))
        throw new UnknownOutcomeError(request.call, error);
      throw error;
    }
  }

  /** Masks the API key, and the secrets of a request, in the text of a worker. */
  discreet(text: string, secrets: readonly string[] = []): string {
    return masked(text.replaceAll(this.apiKey, "[secret]"), secrets);
  }

  private request(wanted: QueueRequest<unknown>): Request {
    const { operation, jobId, query = {}, body, hold, signal } = wanted;
    const { method, effect } = operations[operation];
    const root = path`/v2/${this.endpointId}/${operation}`;
    // A program without types may pass an undefined id, without which the address would lead elsewhere.
    const address = "jobId" in wanted ? `${root}/${segment(`${root}/`, jobId as string)}` : root;
    const url = new URL(`${this.address}${address}`);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    const headers = {
      accept: "application/json",
      authorization: this.apiKey,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    };
    return { call: `${method} ${address}`, effect, method, url, headers, body, hold, signal };
  }

  /** A new endpoint answers 404, and does nothing, until its queue exists. (API: Serverless, create) */
  private async whenReady(request: Request, jobId: string | undefined): Promise<HttpResponse> {
    const deadline = this.clock.now() + Math.min(situations.freshQueue.seconds * 1000, this.patience);
    for (let attempt = 0; ; attempt++) {
      const response = await this.transport(request);
      if (response.status < 300) this.answered = true;
      const pause = backoff(attempt, this.clock);
      const isFresh =
        situations.freshQueue.statuses(response.status) && jobId === undefined && !this.answered;
      if (!isFresh || this.clock.now() + pause > deadline) return response;
      await this.clock.sleep(pause, request.signal);
    }
  }
}

function queueAdvice(call: string, status: number, jobId: string | undefined): Advice {
  switch (status) {
    case 401:
      return { code: "PODLUMI-UNAUTHORIZED", next: `Check the API key: ${remedies().apiKeyOfQueue}.` };
    case 403:
      return {
        code: "PODLUMI-FORBIDDEN",
        next: "The key is valid but may not use this endpoint: check its permissions.",
      };
    case 404:
      return jobId === undefined
        ? {
            code: "PODLUMI-NO-QUEUE",
            next: "Check the endpoint's id, and that its type is QUEUE: a LOAD_BALANCER endpoint has no queue.",
          }
        : {
            code: "PODLUMI-NO-JOB",
            next:
              "It may be purged, past its ttl, or finished too long ago: results are kept 30 minutes after run and " +
              "1 minute after runSync.",
          };
    case 429:
      return {
        code: "PODLUMI-QUEUE-FULL",
        next: "The endpoint takes no more requests at the moment: send fewer, or allow more workers.",
      };
    default:
      return { ...advice(call, status), next: "" };
  }
}
