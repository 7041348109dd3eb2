import { createHmac } from "node:crypto";
import { appendFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { canonical, home, keyOf, noteOf, prepare, textIn } from "./notes";
import type { Properties } from "./value";

/** Before the hash of what has been set, and not only been sent. */
const done = "=";

/**
 * Changes that nobody can look at afterwards, such as that of a password: one small file an object, with a keyed hash
 * of each set of values that was sent. While the state does not have what was sent last, the service may.
 */
export class Changes {
  private readonly key: Buffer;

  constructor(
    private readonly account: string,
    apiKey: string,
    private readonly folder = home(),
  ) {
    this.key = keyOf(apiKey);
  }

  /** These values of an object are about to be sent. */
  begin(id: string, values: Properties): void {
    prepare(join(this.folder, "changing"));
    appendFileSync(this.file(id), `${this.hash(values)}\n`);
  }

  /** They are set: whatever was tried before is of no account any more. */
  end(id: string, values: Properties): void {
    appendFileSync(this.file(id), `${done}${this.hash(values)}\n`);
  }

  /** Whether the service may have other values of an object than these, which the state has. */
  mayDiffer(id: string, values: Properties): boolean {
    const [tried = ""] = textIn(this.file(id)).split(done).slice(-1);
    const hashes = tried.split("\n").filter((line) => line !== "");
    const open = hashes.some((hash) => hash !== this.hash(values));
    if (!open && hashes.length > 0) this.forget(id);
    return open;
  }

  forget(id: string): void {
    rmSync(this.file(id), { force: true });
  }

  private hash(values: Properties): string {
    return createHmac("sha256", this.key).update(canonical(values)).digest("hex");
  }

  private file(id: string): string {
    return noteOf(join(this.folder, "changing"), id, this.account);
  }
}
