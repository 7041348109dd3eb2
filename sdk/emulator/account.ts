import type { Implementation } from "./load";
import type { EmulatedAccount, EmulatorOptions, EmulatorSeed, EmulatorSnapshot } from "./types";

type Own = Awaited<ReturnType<Implementation["startEmulator"]>>;
type OwnOptions = Parameters<Implementation["startEmulator"]>[0];

/** An emulated account with its seed, on a port or without one. It is closed if the seed is refused. */
export async function accountOf(
  own: Pick<Own, "requests" | "service" | "seed" | "reset" | "faults" | "setHandler" | "close">,
  { seed }: Pick<EmulatorOptions, "seed">,
): Promise<EmulatedAccount> {
  const account: EmulatedAccount = {
    requests: own.requests,
    snapshot: () => {
      const { userId: id } = own.service;
      return structuredClone({ account: { id }, ...own.service.snapshot() }) as unknown as EmulatorSnapshot;
    },
    seed: (seed: EmulatorSeed | string) => own.seed(seed),
    reset: own.reset,
    addFault: (fault) => own.faults.add(fault),
    clearFaults: (id) => {
      if (id === undefined) own.faults.clear();
      else own.faults.remove(id);
    },
    setHandler: own.setHandler,
    close: own.close,
  };
  try {
    if (seed !== undefined) await account.seed(seed);
  } catch (error) {
    await account.close();
    throw error;
  }
  return account;
}

/** The options in the emulator's own form. */
export function ownOptions({ rateLimit, seed, ...options }: EmulatorOptions): OwnOptions {
  return { ...options, ...(rateLimit !== undefined && { rateLimit: { minute: rateLimit, enforce: true } }) };
}
