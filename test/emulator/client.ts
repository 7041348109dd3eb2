import { type Emulator, type EmulatorOptions, ManualClock, startEmulator } from "../../sdk/emulator/service";
import type { Endpoint } from "../../sdk/emulator/service/state/endpoint";
import type { Pod } from "../../sdk/emulator/service/state/pod";

/** The fields that most tests check. Tests that need others name the type of the body. */
export interface Body {
  id: string;
  detail: string;
  errors: string[];
  [field: string]: unknown;
}

export interface Answer<T = Body> {
  status: number;
  headers: Headers;
  body: T;
}

export interface Client {
  emulator: Emulator;
  clock: ManualClock;
  rest<T = Body>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer<T>>;
  graphql<T = Body>(query: string, variables?: Record<string, unknown>): Promise<Answer<T>>;
  queue<T = Body>(method: string, path: string, body?: unknown): Promise<Answer<T>>;
}

const running: Emulator[] = [];

/** The default times of the tests, in milliseconds. */
const TIMINGS = {
  provisioning: 1_000,
  starting: 2_000,
  stopping: 0,
  templateRelease: 60_000,
  queueReady: 0,
  jobTime: 0,
};

/** Starts an emulator whose clock stands still. Requests go through plain fetch. */
export async function emulate(options: EmulatorOptions = {}): Promise<Client> {
  const clock = new ManualClock();
  const emulator = await startEmulator({ clock, ...options, timings: { ...TIMINGS, ...options.timings } });
  running.push(emulator);
  const json = { "Content-Type": "application/json" };
  return {
    emulator,
    clock,
    rest: (method, path, body, headers) =>
      send(emulator.apiUrl + path, method, body, { ...json, Authorization: "Bearer key", ...headers }),
    graphql: (query, variables) =>
      send(`${emulator.graphqlUrl}?api_key=key`, "POST", { query, variables }, json),
    queue: (method, path, body) =>
      send(`${emulator.queueUrl}/v2${path}`, method, body, { ...json, Authorization: "key" }),
  };
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((emulator) => emulator.close()));
});

export async function send<T = Body>(
  url: string,
  method: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<Answer<T>> {
  const response = await fetch(url, { method, headers, body: body === undefined ? undefined : text(body) });
  const answer = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: answer === "" ? undefined : JSON.parse(answer),
  };
}

export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

const text = (body: unknown) => (typeof body === "string" ? body : JSON.stringify(body));

export const GPU = { id: "NVIDIA GeForce RTX 4090", count: 1 };
export const CPU = { id: "cpu3c", vcpuCount: 4 };
export const NO_CAPACITY = /no longer any instances available/;

export const POD = { name: "p", image: "app:1", gpu: GPU };

export async function createPod(client: Client, more: object = {}): Promise<Pod> {
  const { status, body } = await client.rest<Pod>("POST", "/pods", { ...POD, ...more });
  expect({ status, body }).toMatchObject({ status: 201 });
  return body;
}

/** Creates a pod and lets it boot. Returns its path. */
export async function runningPod(client: Client, more: object = {}): Promise<string> {
  const { id } = await createPod(client, more);
  client.clock.advance(TIMINGS.provisioning + TIMINGS.starting);
  return `/pods/${id}`;
}

export const QUEUE_DELAY = { type: "QUEUE_DELAY", queueDelay: 4 } as const;
export const REQUEST_COUNT = { type: "REQUEST_COUNT", requestCount: 2 } as const;
export const ENDPOINT = {
  name: "e",
  type: "QUEUE" as const,
  image: "app:1",
  gpu: { pools: ["ADA_24"] },
  scaling: QUEUE_DELAY,
};
export const BALANCED = { ...ENDPOINT, type: "LOAD_BALANCER" as const, scaling: REQUEST_COUNT };

export async function createEndpoint(client: Client, more: object = {}): Promise<Endpoint> {
  const { status, body } = await client.rest<Endpoint>("POST", "/serverless", { ...ENDPOINT, ...more });
  expect({ status, body }).toMatchObject({ status: 201 });
  return body;
}

export const endpointPath = ({ id }: { id: string }) => `/serverless/${id}`;
