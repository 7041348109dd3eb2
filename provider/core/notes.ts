import { createHash, hkdfSync } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { isRecord, type Properties } from "./value";

// Small files on this machine, for what a state cannot know yet.

/** Where they lie. */
export function home(): string {
  return join(process.env.PULUMI_HOME || join(homedir(), ".pulumi"), "podlumi");
}

/** The file about a resource or an object of an account. */
export function noteOf(folder: string, of: string, account: string): string {
  return join(folder, `${digest(of, 24)}-${digest(account, 8)}`);
}

/** What only who has the API key can read. */
export function keyOf(apiKey: string): Buffer {
  return Buffer.from(hkdfSync("sha256", apiKey, "", "podlumi journal", 32));
}

export function prepare(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

export function filesIn(folder: string, prefix = ""): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.startsWith(prefix))
      .map((name) => join(folder, name));
  } catch {
    return []; // Nothing was ever noted on this machine.
  }
}

export function textIn(file: string): string {
  // Hardly ever is there one, and a thrown error takes longer than a look.
  if (!existsSync(file)) return "";
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // Another process has settled it just now.
  }
}

/** The same text for the same values, whatever the order of their keys. */
export function canonical(values: Properties): string {
  return JSON.stringify(values, (_key, value) =>
    isRecord(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
  );
}

export function digest(text: string, length: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, length);
}
