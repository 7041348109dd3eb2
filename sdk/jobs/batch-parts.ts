import type { Calls } from "./calls";
import { BatchIncompleteError } from "./errors";
import type { CallOptions } from "./options";
import type { JobRequest } from "./request";
import { bodiesOf, payload, secretsOf } from "./request";

/** Requests that fit into one body together. */
export interface Part {
  readonly bodies: string[];
  /** Texts that no error may repeat. */
  readonly secrets: string[];
}

const frame = '{"requests":[]}'.length;

/** Checks all requests, and divides them into as few parts as the service takes. */
export async function partsOf(
  { endpointId, input }: Calls,
  requests: readonly JobRequest<unknown>[],
): Promise<Part[]> {
  const most = payload.batch - frame;
  const bodies = await bodiesOf(endpointId, requests, input, most);
  const parts: Part[] = [];
  let room = 0;
  for (const [index, body] of bodies.entries()) {
    const bytes = Buffer.byteLength(body) + ",".length;
    if (parts.length === 0 || bytes > room + ",".length) {
      parts.push({ bodies: [], secrets: [] });
      room = most;
    }
    room -= bytes;
    parts.at(-1)?.bodies.push(body);
    parts.at(-1)?.secrets.push(...secretsOf(requests[index] as JobRequest<unknown>));
  }
  return parts;
}

/** Adds parts to a batch that has the first `added` requests of the caller. */
export async function addParts(
  { endpointId, queue }: Calls,
  batchId: string,
  parts: readonly Part[],
  added: number,
  { signal }: CallOptions,
): Promise<void> {
  let inBatch = added;
  for (const { bodies, secrets } of parts) {
    const body = `{"requests":[${bodies}]}`;
    await queue
      .send({ operation: "addToBatch", batchId, body, secrets, signal, read: () => true })
      .catch((cause) => {
        throw new BatchIncompleteError(endpointId, batchId, inBatch, { cause });
      });
    inBatch += bodies.length;
  }
}
