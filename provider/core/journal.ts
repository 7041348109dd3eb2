import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { closeSync, constants, openSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { canonical, digest, filesIn, home, keyOf, noteOf, prepare, textIn } from "./notes";
import type { Properties } from "./value";

/** A creation that was begun. */
export interface Entry {
  /** The resource that it is for. */
  readonly urn: string;
  /** The kind of resource, as its definition calls it. */
  readonly noun: string;
  /** When, by the service's clock, in milliseconds since the epoch. */
  readonly began: number;
  /** Ids of the kind's objects that existed before. */
  readonly known: readonly string[];
  /** What it was to be called; the program may have been edited since. */
  readonly name: string;
  /** Everything that was asked for, encrypted. */
  readonly sealed: string;
  /** The object's id, once it was answered. */
  readonly id?: string;
  /** The engine was told: a state may have it, so it is not deleted without the engine's word. */
  readonly told?: true;
}

/** The part of a URN that all resources of a stack share: `urn:pulumi:dev::project::`. */
export function stackOf(urn: string): string {
  return urn
    .split("::", 2)
    .map((part) => `${part}::`)
    .join("");
}

const creating = "creating";

/** What becomes known of a creation after it was begun. */
type Addition = Partial<Pick<Entry, "known" | "id" | "told">>;

/**
 * What this machine began to create, one small file a resource, written before the request is sent. Pulumi learns an
 * id only from the answer: when a process dies in between, this is how the next run finds what was made. What becomes
 * known later is a line more: putting a new file in the place of an old one waits for the disk. An entry goes away when
 * its id is in a state. Names, ids and times can be read in it; what was asked for is encrypted with a key
 * that is derived from the API key.
 */
export class Journal {
  private readonly key: Buffer;
  /** Resources whose creation this process began, or went on with. */
  private readonly ours = new Set<string>();

  constructor(
    private readonly account: string,
    apiKey: string,
    private readonly folder = home(),
  ) {
    this.key = keyOf(apiKey);
  }

  read(urn: string): Entry | undefined {
    return entryIn(this.file(urn));
  }

  /** What an earlier run left open for a resource, which is from now on in the hands of this process. */
  take(urn: string): Entry | undefined {
    this.ours.add(urn);
    return this.read(urn);
  }

  begin(entry: Entry): void {
    prepare(join(this.folder, creating));
    writeFileSync(this.file(entry.urn), JSON.stringify(entry));
  }

  /** An object was made, for which no open creation has to look. */
  made({ urn, noun }: Entry, id: string): void {
    this.add(urn, { id });
    const open = this.entries().filter((other) => other.noun === noun && other.id === undefined);
    for (const other of open) this.add(other.urn, { known: [id] });
  }

  /** The engine is told, with the id. */
  tell(urn: string): void {
    this.add(urn, { told: true });
  }

  /** To an entry that is there. */
  private add(urn: string, addition: Addition): void {
    let file: number;
    try {
      file = openSync(this.file(urn), constants.O_WRONLY | constants.O_APPEND);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return; // Its id is in a state by now.
      throw error;
    }
    // The line break comes first: what was cut before it stays a line of its own.
    writeFileSync(file, `\n${JSON.stringify(addition)}`);
    closeSync(file);
  }

  /** Ids of what was made for other resources. */
  idsOfOthers(urn: string): Set<string | undefined> {
    return new Set(
      this.entries()
        .filter((entry) => entry.urn !== urn)
        .map(({ id }) => id),
    );
  }

  forget(urn: string): void {
    rmSync(this.file(urn), { force: true });
  }

  /** What earlier runs of a stack left open, and no state can have. */
  leftovers(stack: string): Entry[] {
    return this.entries().filter(({ urn }) => urn.startsWith(stack) && this.isLeftover(urn));
  }

  isLeftover(urn: string): boolean {
    const entry = this.ours.has(urn) ? undefined : this.read(urn);
    return entry !== undefined && !entry.told;
  }

  private entries(): Entry[] {
    return filesIn(join(this.folder, creating))
      .map(entryIn)
      .filter((entry) => entry !== undefined);
  }

  private unsettled: Map<string | undefined, string> | undefined;

  /** A state holds this id, whatever the resource is called by now, so there is nothing left to find. */
  settle(id: string): void {
    this.unsettled ??= new Map(filesIn(join(this.folder, creating)).map((file) => [entryIn(file)?.id, file]));
    const file = this.unsettled.get(id);
    if (file !== undefined) rmSync(file, { force: true });
  }

  /** Encrypts what was asked for, so that a later run can tell what was made from what only looks like it. */
  seal(inputs: Properties): string {
    const nonce = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", this.key, nonce);
    const text = Buffer.concat([cipher.update(canonical(inputs)), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString("base64");
  }

  /** What was asked for; undefined when it was asked with another API key. */
  open({ sealed }: Entry): Properties | undefined {
    const bytes = Buffer.from(sealed, "base64");
    try {
      const decipher = createDecipheriv("aes-256-gcm", this.key, bytes.subarray(0, 12));
      decipher.setAuthTag(bytes.subarray(12, 28));
      return JSON.parse(decipher.update(bytes.subarray(28), undefined, "utf8") + decipher.final("utf8"));
    } catch {
      return undefined;
    }
  }

  /** Where an entry lies, for messages. */
  file(urn: string): string {
    return noteOf(join(this.folder, creating), urn, this.account);
  }
}

/** The engine has written this id into the state. For a program's half, which knows neither account nor key. */
export function acknowledge(urn: string, id: string, folder = home()): void {
  for (const file of filesIn(join(folder, creating), digest(urn, 24))) {
    if (entryIn(file)?.id === id) rmSync(file, { force: true });
  }
}

/** Whether earlier runs of a stack left anything open. */
export function isOpen(stack: string): boolean {
  return filesIn(join(home(), creating))
    .map(entryIn)
    .some((entry) => entry?.urn.startsWith(stack) && !entry.told);
}

/** Whether two inputs are the same, whatever the order of their keys. */
export function sameInputs(one: Properties, other: Properties): boolean {
  return canonical(one) === canonical(other);
}

function entryIn(file: string): Entry | undefined {
  const [first = "", ...lines] = textIn(file).split("\n");
  try {
    return lines.map(additionIn).reduce(extended, JSON.parse(first) as Entry);
  } catch {
    return undefined; // None, or one that was cut while it was written: then nothing had been sent.
  }
}

function additionIn(line: string): Addition {
  try {
    return JSON.parse(line) as Addition;
  } catch {
    return {}; // It was cut.
  }
}

function extended(entry: Entry, { known = [], ...facts }: Addition): Entry {
  return { ...entry, ...facts, known: [...entry.known, ...known] };
}
