import { setTimeout as sleep } from "node:timers/promises";

/** Time and chance, so that specifications can rule both. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Waits so many milliseconds, or fails when the signal comes. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<unknown>;
  /** A number from 0 up to 1. */
  random(): number;
}

/** Milliseconds: the longest first pause, and the longest of all. */
export const pauses = { first: 250, longest: 20_000 };

/** The pause after so many failures: exponential, with full jitter, so that many clients do not come back at once. */
export function backoff(failures: number, clock: Clock): number {
  return clock.random() * Math.min(pauses.longest, pauses.first * 2 ** failures);
}

export const systemClock: Clock = {
  now: Date.now,
  sleep: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }),
  random: Math.random,
};
