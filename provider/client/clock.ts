import { setTimeout as sleep } from "node:timers/promises";

/** Time and chance, so that specifications can rule both. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Waits so many milliseconds; rejects with the signal's reason when it aborts first. */
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

/** A time that the service tells, in milliseconds since the epoch: without a zone it is UTC. NaN for what is no time. */
export function timeOf(text: string): number {
  return Date.parse(/[T ]\d\d:\d\d(:[\d.]+)?$/.test(text) ? `${text}Z` : text);
}

export const systemClock: Clock = {
  now: Date.now,
  sleep: (milliseconds, signal) =>
    sleep(milliseconds, undefined, { signal }).catch(() => signal?.throwIfAborted()),
  random: Math.random,
};
