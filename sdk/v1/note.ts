/**
 * What a note is about, the most important first:
 *
 * - `decide`: REST v1 does not say what podlumi needs, or says what cannot be converted. Only you can tell.
 * - `lost`: REST v2 has nothing like it, and without it something else will run.
 * - `changed`: it is in the arguments, and means something else there.
 * - `added`: the body left it to REST v1, whose default was another one: it is written out.
 * - `unknown`: no key of REST v1.
 * - `omitted`: rightly left out. An answer of the service, or a value that says nothing.
 */
export type NoteKind = "decide" | "lost" | "changed" | "added" | "unknown" | "omitted";

/** What became of a key, when it is not simply in the arguments under its new name. */
export interface Note {
  kind: NoteKind;
  /** Where in the body, as the body writes it: `gpuTypeIds[1]`. */
  path: string;
  /** What stands there: plain values and lists of them, unless they may be secret. */
  value?: unknown;
  /** Why, and what to do. */
  text: string;
}

/** Arguments of a resource, and what is to be known of them. */
export interface Conversion<Args> {
  /** To be passed to the class. Complete, unless a note says `decide`. */
  args: Args;
  /** Everything that the arguments do not say, or say in another way. */
  notes: Note[];
}

/** A body as REST v1 took or answered it. */
export type Body = Readonly<Record<string, unknown>>;

export function isBody(value: unknown): value is Body {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Arguments and notes while they are made. */
export class Draft<Args extends object> {
  readonly args: Partial<Args> = {};
  readonly notes: Note[] = [];
  /** The service answered this body; then it holds everything, and nothing was left to a default. */
  readonly answer: boolean;

  /** `written` has the keys as the body writes them, by their names in REST v1. */
  constructor(
    private readonly body: Body,
    private readonly written: ReadonlyMap<string, string>,
    private readonly secret: (key: string) => boolean,
  ) {
    this.answer = typeof body[written.get("id") ?? "id"] === "string";
  }

  /** Notes what became of a key, or of what lies in it at `inner`. What is to be decided is asked once. */
  note(kind: NoteKind, key: string, text: string, inner = ""): void {
    const name = this.written.get(key) ?? key;
    if (kind === "decide" && this.notes.some((note) => note.kind === kind && note.path === name + inner))
      return;
    const value = this.secret(key) || inner !== "" ? undefined : this.body[name];
    this.notes.push({ kind, path: name + inner, ...(isPlain(value) && { value }), text });
  }

  /** Notes of each of the keys that the body has why it is left out. */
  omit(v1: Body, keys: readonly string[], text: string): void {
    for (const key of keys) if (v1[key] !== undefined) this.note("omitted", key, text);
  }

  put<Name extends keyof Args & string>(name: Name, value: Args[Name]): void {
    this.args[name] = value;
  }

  /** Writes out what REST v1 took for granted. */
  add<Name extends keyof Args & string>(name: Name, value: Args[Name], key: string, text: string): void {
    this.put(name, value);
    this.note("added", key, text);
  }
}

function isPlain(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => isPlain(item) && !Array.isArray(item));
  return value !== undefined && (typeof value !== "object" || value === null);
}
