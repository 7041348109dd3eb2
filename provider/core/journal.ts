import { createHash, createHmac } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { isRecord } from "./value";

/** A creation that was begun. */
export interface Entry {
  /** When, by the service's clock, in milliseconds since the epoch. */
  readonly began: number;
  /** Ids of the kind's objects that existed before. */
  readonly known: readonly string[];
  /** What it was to be called; the program may have been edited since. */
  readonly name: string;
  /** A digest of everything that was asked for, keyed so that nothing can be guessed from it. */
  readonly digest: string;
  /** The object's id, once it was answered. */
  readonly id?: string;
}

/**
 * What this machine began to create, one small file a resource, written before the request is sent. Pulumi learns an
 * id only from the answer: when a process dies in between, this is how the next run finds what was made. An entry
 * goes away when its id is seen in a state, whatever the resource is called by then. It holds no value but the name.
 */
export class Journal {
  constructor(
    private readonly account: string,
    private readonly key: string,
    private readonly folder = join(
      process.env.PULUMI_HOME || join(homedir(), ".pulumi"),
      "podlumi",
      "creating",
    ),
  ) {}

  read(urn: string): Entry | undefined {
    return entryIn(this.file(urn));
  }

  /** Whole or not at all. */
  write(urn: string, entry: Entry): void {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const file = this.file(urn);
    writeFileSync(`${file}.${process.pid}`, JSON.stringify(entry));
    renameSync(`${file}.${process.pid}`, file);
  }

  /** The same for the same inputs, whatever the order of their keys. */
  digest(inputs: unknown): string {
    const sorted = (_key: string, value: unknown) =>
      isRecord(value)
        ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
        : value;
    return createHmac("sha256", this.key).update(JSON.stringify(inputs, sorted)).digest("hex");
  }

  forget(urn: string): void {
    rmSync(this.file(urn), { force: true });
  }

  /** A state holds this id, so there is nothing left to find. */
  settle(id: string): void {
    this.unsettled ??= this.all();
    const file = this.unsettled.get(id);
    if (file !== undefined) rmSync(file, { force: true });
  }

  private unsettled: Map<string, string> | undefined;

  /** Files of earlier runs by the id that they hold. */
  private all(): Map<string, string> {
    const files = existsSync(this.folder) ? readdirSync(this.folder) : [];
    const found = files
      .map((name) => join(this.folder, name))
      .map((file) => [entryIn(file)?.id, file] as const);
    return new Map(found.filter((entry): entry is [string, string] => entry[0] !== undefined));
  }

  /** Where an entry lies, for messages. */
  file(urn: string): string {
    const name = createHash("sha256").update(`${this.account}\n${urn}`).digest("hex");
    return join(this.folder, `${name.slice(0, 32)}.json`);
  }
}

function entryIn(file: string): Entry | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Entry;
  } catch {
    // None, or one that was cut while it was written: then nothing had been sent.
    return undefined;
  }
}
