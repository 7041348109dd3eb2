import { type Emulator, type EmulatorOptions, startEmulator } from "../../sdk/emulator/service";
import type { JobHandler } from "../../sdk/emulator/service/state/job";
import { Endpoint, type EndpointOptions } from "../../sdk/jobs";
import { ENDPOINT } from "../emulator/client";

export const KEY = "top-secret-key";
export const INPUT = { input: { prompt: "hi" } };

const instant = { starting: 0, jobTime: 0, queueReady: 0 };
const running: Emulator[] = [];

afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all(running.splice(0).map((emulator) => emulator.close()));
});

/** Starts an emulator whose workers start at once, and makes the client of an endpoint. */
export async function start<Input extends object = object, Output = unknown>(
  handler?: JobHandler,
  emulation: EmulatorOptions = {},
  options: EndpointOptions<Input, Output> = {},
) {
  const timings = { ...instant, ...emulation.timings };
  const emulator = await startEmulator({ apiKey: KEY, ...emulation, timings });
  running.push(emulator);
  const { id } = emulator.service.endpoints.create(ENDPOINT);
  if (handler !== undefined) emulator.setHandler(id, handler);
  const account = { apiKey: KEY, queueUrl: emulator.queueUrl };
  const endpoint = new Endpoint(id, { ...account, ...options });
  /** The requests of one operation so far. */
  const sent = (operation: string) =>
    emulator.requests.filter(({ path }) => path.startsWith(`/queue/v2/${id}/${operation}`));
  return { emulator, endpoint, account, sent };
}

/** A worker that runs until the test ends it. */
export function worker() {
  let end: (output: unknown) => void = () => undefined;
  const output = new Promise((resolve) => {
    end = resolve;
  });
  return { handler: () => output, end };
}

/** Resolves with the error of a promise that must reject. */
export const failure = <E extends Error>(promise: Promise<unknown>): Promise<E> =>
  promise.then(
    (value) => {
      throw new Error(`it ended well: ${JSON.stringify(value)}`);
    },
    (error) => error,
  );
