import { type Emulator, type EmulatorOptions, ManualClock, startEmulator } from "../emulator";

/** The key of these specifications: nothing that is told may hold it. */
export const apiKey = "rpa_FUNCTIONS_0123456789";

/** An emulated account with a clock that stands still, to which functions find the way by the environment. */
export function emulated(options: EmulatorOptions = {}): { emulator: Emulator; clock: ManualClock } {
  const account = { clock: new ManualClock() } as { emulator: Emulator; clock: ManualClock };
  const before = { ...process.env };
  beforeAll(async () => {
    const timings = { provisioning: 1_000, starting: 1_000, stopping: 0, queueReady: 0 };
    account.emulator = await startEmulator({ apiKey, clock: account.clock, timings, ...options });
    Object.assign(process.env, account.emulator.env);
  });
  afterAll(async () => {
    process.env = before;
    await account.emulator.close();
  });
  return account;
}

/** The requests of these paths so far, without the query. */
export function requestsOf({ emulator }: { emulator: Emulator }, path: string): string[] {
  return emulator.requests.map((request) => request.path).filter((one) => one.split("?")[0] === `/v2${path}`);
}
