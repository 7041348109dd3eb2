import * as z from "zod";

/** Milliseconds of each unit. */
export const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of `30s`, `90m`, `8h` or `7d`; NaN for any other text. */
export function duration(text: string): number {
  const [, amount, unit = ""] = /^(\d+)([smhd])$/.exec(text) ?? [];
  return Number(amount) * Number(units[unit]);
}

/** A time in a program. */
export const time = z.string().regex(/^[1-9]\d{0,4}[smhd]$/, 'must be a time such as "90m", "8h" or "7d"');
