import { InvalidRequestError } from "./errors";
import type { Schema } from "./schema";
import { applied } from "./schema";

/**
 * A job to submit. (API: Send requests)
 *
 * @example
 * ```ts
 * await endpoint.run({
 *   input: { prompt: "Hello" },
 *   webhook: "https://example.com/done",
 *   policy: { executionTimeout: 120_000, ttl: 3_600_000 },
 * });
 * ```
 */
export interface JobRequest<Input = object> {
  /** The input of the worker. Workers refuse an empty object. */
  readonly input: Input;
  /** Address that the service calls when the job is over: up to three times, 10 s apart, until it responds with 2xx. */
  readonly webhook?: string;
  readonly policy?: JobPolicy;
  /** Bucket for the worker's files, instead of the one in its own configuration. */
  readonly s3Config?: S3Config;
}

/** The time limits and the priority of a job. */
export interface JobPolicy {
  /** Milliseconds that it may run, 5000 to 604800000 (7 days). Default: the endpoint's `timeout`. */
  readonly executionTimeout?: number;
  /** Let other jobs go first. Default false. */
  readonly lowPriority?: boolean;
  /** Milliseconds after which it is removed, even if it runs: 10000 to 604800000 (7 days). Default 86400000 (1 day). */
  readonly ttl?: number;
}

/** A bucket of an S3-compatible store. */
export interface S3Config {
  /** Id of the access key. */
  readonly accessId: string;
  /** The access key. Secret: no error shows it. */
  readonly accessSecret: string;
  /** Name of the bucket. */
  readonly bucketName: string;
  /** Address of the store, such as `https://s3.eu-central-1.amazonaws.com`. */
  readonly endpointUrl: string;
}

const MB = 1024 * 1024;
const week = 7 * 24 * 3600 * 1000;

/** Largest payloads, in bytes. (API: Send requests; Batch jobs) */
export const payload = { run: 10 * MB, runSync: 20 * MB, batch: 10 * MB };

/** Milliseconds that `runSync` waits by default. (API: Send requests) */
export const defaultWait = 90_000;

/** Allowed times, in whole milliseconds. (API: Send requests, execution policies) */
export const ranges = {
  wait: { least: 1_000, most: 300_000 },
  ttl: { least: 1, most: Number.MAX_SAFE_INTEGER },
  "policy.executionTimeout": { least: 5_000, most: week },
  "policy.ttl": { least: 10_000, most: week },
};

/** The properties of a request. The service takes any others in silence, also a limit that is misspelt or in the wrong place. */
const properties: {
  readonly request: readonly (keyof JobRequest)[];
  readonly policy: readonly (keyof JobPolicy)[];
  readonly s3Config: readonly (keyof S3Config)[];
} = {
  request: ["input", "webhook", "policy", "s3Config"],
  policy: ["executionTimeout", "lowPriority", "ttl"],
  s3Config: ["accessId", "accessSecret", "bucketName", "endpointUrl"],
};

/** Times in milliseconds, by the names that the caller gave them. */
type Times = { readonly [name in keyof typeof ranges]?: number };

/** Throws an {@link InvalidRequestError} that names every time out of its range. */
export function checkTimes(endpointId: string, times: Times): void {
  refuse(endpointId, wrong(times));
}

/** The body of a request. Throws an {@link InvalidRequestError} that lists the faults of the request. */
export async function bodyOf<Input>(
  endpointId: string,
  request: JobRequest<Input>,
  schema: Schema<Input> | undefined,
  most: number,
): Promise<string> {
  const { body, faults } = await written(request, schema, most);
  refuse(endpointId, faults);
  return body;
}

/** The bodies of many requests. The faults name a request by its index: `requests[2].input: …`. */
export async function bodiesOf<Input>(
  endpointId: string,
  requests: readonly JobRequest<Input>[],
  schema: Schema<Input> | undefined,
  most: number,
): Promise<string[]> {
  const all = await Promise.all(requests.map((request) => written(request, schema, most)));
  const faults = all.flatMap((each, index) => each.faults.map((fault) => `requests[${index}].${fault}`));
  refuse(endpointId, faults.length > shown ? [...faults.slice(0, shown), "and more"] : faults);
  return all.map(({ body }) => body);
}

/** Faults of many requests that an error lists. */
const shown = 10;

async function written<Input>(
  request: JobRequest<Input>,
  schema: Schema<Input> | undefined,
  most: number,
): Promise<{ body: string; faults: string[] }> {
  const { input, webhook, policy, s3Config } = request;
  const { made, faults } = await applied(schema, input, "input");
  const times = { "policy.executionTimeout": policy?.executionTimeout, "policy.ttl": policy?.ttl };
  // Programs without types forget it.
  if (faults.length === 0 && made == null)
    faults.push("input: is missing: put the worker's input into it, as { input: … }");
  else faults.push(...unknown(request));
  faults.push(...wrong(times), ...wrongAddress(webhook));
  if (faults.length > 0) return { body: "", faults };
  try {
    const body = JSON.stringify({ input: made, webhook, policy, s3Config });
    return { body, faults: wrongSize(body, most) };
  } catch (error) {
    const [why] = (error as Error).message.split("\n", 1);
    return { body: "", faults: [`input: cannot be sent as JSON: ${why}`] };
  }
}

function wrongSize(body: string, most: number): string[] {
  if (body.startsWith('{"input":{}')) return ["input: must not be empty: workers refuse an empty input"];
  const bytes = Buffer.byteLength(body);
  return bytes > most ? [`input: ${bytes} bytes are too many, the service takes ${most}`] : [];
}

/** Texts of a request that no error may repeat. */
export function secretsOf({ s3Config, webhook }: JobRequest<unknown>): string[] {
  return [s3Config?.accessSecret, webhook].filter((text) => typeof text === "string");
}

function wrong(times: Times): string[] {
  return Object.entries(times).flatMap(([name, time]) => {
    const { least, most } = ranges[name as keyof typeof ranges];
    if (time === undefined || (Number.isInteger(time) && time >= least && time <= most)) return [];
    const given = typeof time === "string" ? JSON.stringify(time) : time;
    return `${name}: must be whole milliseconds from ${least} to ${most}, not ${given}`;
  });
}

/** The unknown properties of a request, at its top or within. */
function unknown(request: JobRequest<unknown>): string[] {
  const others = (given: object | undefined, names: readonly string[]) =>
    Object.keys(given ?? {}).filter((key) => !names.includes(key));
  const takes = (place: keyof typeof properties) =>
    `unknown property; it takes ${properties[place].join(", ")}`;
  const within = (["policy", "s3Config"] as const).flatMap((place) =>
    others(request[place], properties[place]).map((key) => `${place}.${key}: ${takes(place)}`),
  );
  const isLimit = (key: string) => (properties.policy as readonly string[]).includes(key);
  const top = others(request, properties.request);
  return [
    ...top.map((key) => `${key}: ${isLimit(key) ? "belongs into policy" : takes("request")}`),
    ...within,
  ];
}

/** The service takes any text for a webhook, and nobody hears of a job whose webhook is no address. It is not shown: it may hold a token. */
export function wrongAddress(webhook: string | undefined): string[] {
  const isAddress = webhook == null || (URL.canParse(webhook) && /^https?:/i.test(webhook));
  return isAddress ? [] : ["webhook: must be an address that begins with https:// or http://"];
}

function refuse(endpointId: string, faults: readonly string[]): void {
  if (faults.length > 0) throw new InvalidRequestError(endpointId, faults);
}
