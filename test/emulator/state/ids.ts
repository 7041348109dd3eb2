import { randomInt } from "node:crypto";

const ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789";

/** Ids of the service are short lowercase alphanumerics of 8 to 14 characters. */
export function newId(length = 10): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
}

/** RFC 3339 as the service writes it: without a fraction where there is none. */
export function timestamp(ms: number): string {
  return new Date(ms).toISOString().replace(".000Z", "Z");
}
