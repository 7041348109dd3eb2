import type { JobView } from "../../sdk/emulator/service/state/job";
import { type Client, ENDPOINT, emulate } from "./client";

export const INPUT = { input: { prompt: "hi" } };

/** Starts an emulator with an endpoint of type QUEUE whose workers start at once. */
export async function startQueue(options: Parameters<typeof emulate>[0] = {}, more: object = {}) {
  const client = await emulate({ ...options, timings: { starting: 0, ...options.timings } });
  const endpoint = client.emulator.service.endpoints.create({ ...ENDPOINT, ...more });
  const call = <T = JobView>(method: string, path: string, body?: unknown) =>
    client.queue<T>(method, `/${endpoint.id}${path}`, body);
  const submit = async (body: object = INPUT) => (await call("POST", "/run", body)).body.id;
  return { ...client, id: endpoint.id, call, submit };
}

/** Gives the promises of handlers time to settle. */
export const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

/** A handler whose jobs end when the test says so. */
export function manual({ emulator }: Client) {
  const waiting: { resolve: (output: unknown) => void; reject: (error: Error) => void }[] = [];
  emulator.setHandler("*", () => new Promise((resolve, reject) => waiting.push({ resolve, reject })));
  return waiting;
}
