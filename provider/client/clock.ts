import { setTimeout as sleep } from "node:timers/promises";

/** Time and chance, so that specifications can rule both. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Waits so many milliseconds. */
  sleep(milliseconds: number): Promise<unknown>;
  /** A number from 0 up to 1. */
  random(): number;
}

export const systemClock: Clock = {
  now: Date.now,
  sleep: (milliseconds) => sleep(milliseconds),
  random: Math.random,
};
