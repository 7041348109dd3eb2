import { setTimeout as sleep } from "node:timers/promises";

/** Time and randomness, so that tests can control both. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Waits. Rejects with the signal's reason when the signal aborts first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<unknown>;
  /** A number from 0 (included) to 1 (excluded). */
  random(): number;
}

/** Upper limits of the first pause and of every pause, in milliseconds. */
const pauses = { first: 250, longest: 20_000 };

/** Exponential backoff with full jitter, so that many clients do not retry at the same moment. */
export function backoff(failures: number, clock: Clock): number {
  return clock.random() * Math.min(pauses.longest, pauses.first * 2 ** failures);
}

/**
 * The result, or undefined when it takes longer. Takes no {@link Clock}: tests shorten pauses, and the awaited work takes its real time.
 */
export async function inTime<T>(milliseconds: number, result: Promise<T>): Promise<T | undefined> {
  const over = new AbortController();
  // Node.js would warn the user of a negative time.
  const late = sleep(Math.max(0, milliseconds), undefined, { signal: over.signal }).then(() => undefined);
  try {
    return await Promise.race([result, late]);
  } finally {
    // A timer keeps its process alive.
    over.abort();
  }
}

/** The time for an answer that is not needed. It begins with the first wait, and all waits end together. */
export class Patience {
  private ends: number | undefined;

  constructor(private readonly milliseconds: number) {}

  inTime<T>(result: Promise<T>): Promise<T | undefined> {
    this.ends ??= performance.now() + this.milliseconds;
    return inTime(this.ends - performance.now(), result);
  }
}

/** A point in time with its zone (RFC 3339). */
export function isTimestamp(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:\d{2})$/.test(text) && !Number.isNaN(Date.parse(text));
}

/** Milliseconds since the epoch; NaN for a text that is no time. Without a zone, a time of the service is UTC. */
export function timeOf(text: string): number {
  return Date.parse(/[T ]\d\d:\d\d(:[\d.]+)?$/.test(text) ? `${text}Z` : text);
}

export const systemClock: Clock = {
  now: Date.now,
  sleep: (milliseconds, signal) =>
    sleep(milliseconds, undefined, { signal }).catch(() => signal?.throwIfAborted()),
  random: Math.random,
};
