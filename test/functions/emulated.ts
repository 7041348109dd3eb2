import { type Emulator, type EmulatorOptions, ManualClock, startEmulator } from "../../sdk/emulator/service";

/** The API key of these specifications. No message may contain it. */
export const apiKey = "rpa_FUNCTIONS_0123456789";

/** Sets up an emulated account whose clock stands still. The environment variables point to it. */
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

/** The requests to this path so far. */
export function requestsOf({ emulator }: { emulator: Emulator }, path: string): string[] {
  return emulator.requests.map((request) => request.path).filter((one) => one.split("?")[0] === `/v2${path}`);
}
