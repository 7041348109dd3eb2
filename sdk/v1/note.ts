/**
 * The subject of a note, the most important first:
 *
 * - `decide`: something that podlumi needs is missing, or a value cannot be converted. You have to decide.
 * - `lost`: REST v2 has no equivalent. What runs will differ.
 * - `changed`: it is in the arguments, but in another form or with another meaning.
 * - `added`: the body relied on a default of REST v1. REST v2 has another default, so the old one is written out.
 * - `unknown`: not a key of REST v1.
 * - `omitted`: left out without a loss: the service computes it, or its value sets nothing.
 */
export type NoteKind = "decide" | "lost" | "changed" | "added" | "unknown" | "omitted";

/** Says what happened to a key that did not simply become an argument under its new name. */
export interface Note {
  /** Its subject. */
  kind: NoteKind;
  /** The path in the body, in the spelling of the body: `gpuTypeIds[1]`. */
  path: string;
  /** The value in the body. Only plain values and lists of them, and never a value that may be secret. */
  value?: unknown;
  /** The reason, and what to do. */
  text: string;
}

/** The arguments of a resource, and the notes about them. */
export interface Conversion<Args> {
  /** Arguments for the class. They are complete unless there is a note of the kind `decide`. */
  args: Args;
  /** Everything that the arguments leave out or express in another way. */
  notes: Note[];
}

/** A request body or a response of REST v1. */
export type Body = Readonly<Record<string, unknown>>;

export function isBody(value: unknown): value is Body {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Collects arguments and notes during a conversion. */
export class Draft<Args extends object> {
  readonly args: Partial<Args> = {};
  readonly notes: Note[] = [];
  /** The body is a response of the service, which is complete: no default is missing in it. */
  readonly isResponse: boolean;

  /** `written` maps key names of REST v1 to the spelling of the body. */
  constructor(
    private readonly body: Body,
    private readonly written: ReadonlyMap<string, string>,
    private readonly secret: (key: string) => boolean,
  ) {
    this.isResponse = typeof body[written.get("id") ?? "id"] === "string";
  }

  /** Adds a note about a key, or about the path `inner` inside its value. Each path gets at most one `decide`. */
  note(kind: NoteKind, key: string, text: string, inner = ""): void {
    const name = this.written.get(key) ?? key;
    if (kind === "decide" && this.notes.some((note) => note.kind === kind && note.path === name + inner))
      return;
    const value = this.secret(key) || inner !== "" ? undefined : this.body[name];
    this.notes.push({ kind, path: name + inner, ...(isPlain(value) && { value }), text });
  }

  /** Adds a note that says why a key is left out, for each of the keys that the body has. */
  omit(v1: Body, keys: readonly string[], text: string): void {
    for (const key of keys) if (v1[key] !== undefined) this.note("omitted", key, text);
  }

  put<Name extends keyof Args & string>(name: Name, value: Args[Name]): void {
    this.args[name] = value;
  }

  /** Writes out a default of REST v1. */
  add<Name extends keyof Args & string>(name: Name, value: Args[Name], key: string, text: string): void {
    this.put(name, value);
    this.note("added", key, text);
  }
}

function isPlain(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => isPlain(item) && !Array.isArray(item));
  return value !== undefined && (typeof value !== "object" || value === null);
}
