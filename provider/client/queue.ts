import { masked } from "../mask";
import { backoff, type Clock } from "./clock";
import { mayHaveActed, UnknownOutcomeError, unreadable } from "./errors";
import { situations } from "./policy";
import { type Remedy, remedies, remedyFor } from "./remedies";
import { errorOf, parse } from "./response";
import { path, segment } from "./rest";
import type { Effect, HttpResponse, Request, Send } from "./transport";

/** The operations of a queue and of its batches. (API: Serverless, queue; Batch jobs) */
const operations = {
  run: { method: "POST", path: "run", effect: "job" },
  runsync: { method: "POST", path: "runsync", effect: "job" },
  status: { method: "GET", path: "status/{id}", effect: "read" },
  // A queue gives each chunk out once, so a second read cannot recover what the first one lost.
  stream: { method: "GET", path: "stream/{id}", effect: "job" },
  cancel: { method: "POST", path: "cancel/{id}", effect: "change" },
  retry: { method: "POST", path: "retry/{id}", effect: "job" },
  "purge-queue": { method: "POST", path: "purge-queue", effect: "job" },
  health: { method: "GET", path: "health", effect: "read" },
  createBatch: { method: "POST", path: "batch", effect: "job" },
  batchStatus: { method: "GET", path: "batch/{id}", effect: "read" },
  addToBatch: { method: "POST", path: "batch/{id}/requests", effect: "job" },
  finalizeBatch: { method: "POST", path: "batch/{id}/finalize", effect: "job" },
  cancelBatch: { method: "POST", path: "batch/{id}/cancel", effect: "change" },
  batchResults: { method: "GET", path: "batch/{id}/requests", effect: "read" },
} satisfies Record<string, { method: Request["method"]; path: string; effect: Effect }>;

export interface QueueRequest<T> extends Pick<Request, "body" | "hold" | "signal"> {
  readonly operation: keyof typeof operations;
  readonly jobId?: string;
  readonly batchId?: string;
  readonly query?: Readonly<Record<string, number | undefined>>;
  /** Texts of the body that no error may repeat. */
  readonly secrets?: readonly string[];
  /** Reads the body of a response; undefined when it cannot be understood. */
  readonly read: (body: unknown) => T | undefined;
}

/** The queue of a Serverless endpoint. */
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
      const response = await this.whenReady(request, wanted);
      const { call } = request;
      if (response.status < 200 || response.status > 299) {
        const { secrets = [] } = wanted;
        // A response that repeats the body has its JSON in a text of JSON.
        const quoted = secrets.map((text) => JSON.stringify(text).slice(1, -1));
        const body = masked(response.body, [...secrets, ...quoted]);
        throw errorOf(call, { ...response, body }, (status) => remedyOfQueue(status, wanted));
      }
      // The page of batches shows no answer to some operations.
      const value = wanted.read(response.body === "" ? undefined : parse(call, response));
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
    const { operation, query = {}, body, hold, signal } = wanted;
    const { method, path: form, effect } = operations[operation];
    const root = path`/v2/${this.endpointId}/`;
    const address = form.replace("{id}", (_id, place: number) =>
      // A program without types may pass an undefined id.
      segment(`${root}${form.slice(0, place)}`, idOf(wanted) as string),
    );
    const url = new URL(`${this.address}${root}${address}`);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    const headers = {
      accept: "application/json",
      // The queue takes the bare key too, but the page of batches shows this form only. (API: Batch jobs)
      authorization: `Bearer ${this.apiKey}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    };
    return { call: `${method} ${root}${address}`, effect, method, url, headers, body, hold, signal };
  }

  /** A new endpoint answers 404, and does nothing, until its queue exists. (API: Serverless, create) */
  private async whenReady(request: Request, wanted: QueueRequest<unknown>): Promise<HttpResponse> {
    const deadline = this.clock.now() + Math.min(situations.freshQueue.seconds * 1000, this.patience);
    for (let attempt = 0; ; attempt++) {
      const response = await this.transport(request);
      if (response.status < 300) this.answered = true;
      const pause = backoff(attempt, this.clock);
      const isFresh =
        situations.freshQueue.statuses(response.status) && idOf(wanted) === undefined && !this.answered;
      if (!isFresh || this.clock.now() + pause > deadline) return response;
      await this.clock.sleep(pause, request.signal);
    }
  }
}

const idOf = ({ jobId, batchId }: QueueRequest<unknown>) => jobId ?? batchId;

function remedyOfQueue(status: number, { jobId, batchId }: QueueRequest<unknown>): Remedy {
  switch (status) {
    case 401:
      return { code: "PODLUMI-UNAUTHORIZED", next: `Check the API key: ${remedies().apiKeyOfQueue}.` };
    case 403:
      return {
        code: "PODLUMI-FORBIDDEN",
        next: "The key is valid but may not use this endpoint: check its permissions.",
      };
    case 404:
      if (batchId !== undefined)
        return { code: "PODLUMI-NO-JOB", next: "Check the id, and that the batch is of this endpoint." };
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
      return { ...remedyFor(status), next: "" };
  }
}
