/**
 * podlumi/emulator: the service on this machine, for tests of programs, jobs and scripts. Needs the package `fastify`.
 *
 * @packageDocumentation
 */
import { accountOf, ownOptions } from "./account";
import { implementation } from "./load";
import type { Emulator, EmulatorOptions, EmulatorTimings } from "./types";

export * from "./types";

/** Timings with which nothing takes time. */
export const instant: EmulatorTimings = {
  provisioning: 0,
  starting: 0,
  stopping: 0,
  templateRelease: 0,
  queueReady: 0,
  jobTime: 0,
};

/**
 * Starts an emulated account on loopback: REST v2, GraphQL and the queues on one port. It lives until `close`.
 *
 * @throws `Error` when fastify is not installed, or when the seed is refused.
 *
 * @example
 * ```ts
 * const emulator = await startEmulator({ timings: instant });
 * Object.assign(process.env, emulator.env);
 * emulator.setHandler("*", ({ prompt }) => ({ text: `You said ${prompt}` }));
 * // … a run of the program, with the Automation API or as a process
 * console.log(emulator.snapshot().pods, emulator.requests.length);
 * await emulator.close();
 * ```
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const own = await implementation().startEmulator(ownOptions(options));
  const { port, apiUrl, graphqlUrl, queueUrl, pageUrl } = own;
  const env = { ...own.env, PODLUMI_EMULATED: "1" };
  const account = await accountOf(own, options);
  return { ...account, port, apiUrl, graphqlUrl, queueUrl, pageUrl, env };
}
