import { randomInt } from "node:crypto";

const ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789";

/** The service's ids are 8 to 14 lowercase letters and digits. */
export function newId(length = 10): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
}

/** The id of an account. */
export function newUserId(): string {
  return `user${randomInt(1, 2 ** 40)}emulator`;
}

/** RFC 3339 as the service writes it: whole seconds have no fraction. */
export function timestamp(ms: number): string {
  return new Date(ms).toISOString().replace(".000Z", "Z");
}
