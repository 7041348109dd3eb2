import type { Body, Conversion } from "./note";
import { Draft } from "./note";
import type { Reader } from "./value";

/** How a key of REST v1 is converted. `secret`: no note shows its value. */
export type Row<Argument extends string = string> = (Moved<Argument> | Part<unknown> | Gone) & {
  readonly secret?: true;
};

/** The key becomes an argument by itself. */
export interface Moved<Argument extends string> {
  readonly to: Argument;
  readonly reader: Reader<unknown>;
}

/** The key makes an argument together with other keys. */
export interface Part<Value> {
  readonly part: Reader<Value>;
}

/** The key is left out. `text` says why. */
export interface Gone {
  readonly gone: "lost" | "omitted";
  readonly text: string;
}

/** All keys of a kind in bodies and responses of REST v1, in the order of the arguments. */
export type Table<Argument extends string = string> = Readonly<Record<string, Row<Argument>>>;

/** The values of the keys of a table that are a {@link Part}. */
export type Parts<T extends Table> = {
  readonly [Key in keyof T as T[Key] extends Part<unknown> ? Key : never]?: T[Key] extends Part<infer Value>
    ? Value
    : never;
};

export function to<Argument extends string>(argument: Argument, reader: Reader<unknown>): Moved<Argument> {
  return { to: argument, reader };
}

/** Keeps the value of a key out of all notes. */
export function secret<R extends Row>(row: R): R & { secret: true } {
  return { ...row, secret: true };
}

export function part<Value>(reader: Reader<Value>): Part<Value> {
  return { part: reader };
}

/** A key without an equivalent in REST v2. `text` says what that means and what to do. */
export function lost(text: string): Gone {
  return { gone: "lost", text };
}

/** A key that only responses have. Leaving it out loses nothing. */
export function response(text = "a response of the service, not a setting"): Gone {
  return { gone: "omitted", text };
}

/** The id of an existing object, which podlumi can adopt. `another` names what podlumi creates without `adopt`. */
export function identity(noun: string, another = "another one"): Gone {
  return response(
    `given as adopt: the program adopts this ${noun}; without adopt, podlumi creates ${another}`,
  );
}

/** Converts bodies of one kind. */
export interface Mapping<Args> {
  /** True for a key of the kind, in any spelling. */
  has(key: string): boolean;
  convert(body: Body): Conversion<Args>;
}

/** `compose` makes the arguments that come from several keys, and writes out the defaults of REST v1. */
export function mapping<Args extends object, T extends Table<keyof Args & string>>(
  table: T,
  compose: (v1: Parts<T>, draft: Draft<Args>) => void,
): Mapping<Args> {
  const names = new Map(Object.keys(table).map((name) => [fold(name), name]));
  return {
    has: (key) => names.has(fold(key)),
    convert(body) {
      const written = new Map<string, string>();
      const keys = Object.keys(body);
      for (const key of [...keys.filter((one) => Object.hasOwn(table, one)), ...keys]) {
        const name = names.get(fold(key));
        if (name !== undefined && !written.has(name)) written.set(name, key);
      }
      const draft = new Draft<Args>(body, written, (key) => isSecret(table, names.get(fold(key))));
      const parts: Record<string, unknown> = {};
      for (const [name, row] of Object.entries(table)) {
        const key = written.get(name);
        if (key !== undefined) apply(name, row, body[key], draft, parts);
      }
      compose(parts as Parts<T>, draft);
      for (const key of keys) {
        const name = names.get(fold(key));
        if (name !== undefined && written.get(name) === key) continue;
        if (name === undefined) draft.note("unknown", key, "no key of REST v1: left out");
        else draft.note("decide", key, `the same as ${written.get(name)}: left out. Remove one of them`);
      }
      return { args: draft.args as Args, notes: draft.notes };
    },
  };
}

/** Terraform writes `image_name` where REST v1 writes `imageName`. */
function fold(key: string): string {
  return key.replaceAll("_", "").toLowerCase();
}

/** An unknown key may be a misspelt secret. */
function isSecret(table: Table, name: string | undefined): boolean {
  return name === undefined || table[name]?.secret === true;
}

function apply<Args extends object>(
  name: string,
  row: Row,
  value: unknown,
  draft: Draft<Args>,
  parts: Record<string, unknown>,
): void {
  if ("gone" in row) {
    const idle = isEmpty(value) || value === false || value === 0;
    if (idle && row.gone === "lost") draft.note("omitted", name, "asks for nothing");
    else draft.note(row.gone, name, row.text);
    return;
  }
  const reader = "to" in row ? row.reader : row.part;
  if (value === undefined || value === null || (isEmpty(value) && !reader.empty)) {
    draft.note("omitted", name, "says nothing");
    return;
  }
  const read = reader.read(value, {
    isResponse: draft.isResponse,
    note: (kind, text, inner) => draft.note(kind, name, text, inner),
  });
  if (read === undefined) {
    draft.note("decide", name, `is not ${reader.noun}: left out. Correct it, or write the argument yourself`);
  } else if ("part" in row) {
    parts[name] = read;
  } else {
    const args = draft.args as Record<string, unknown>;
    const before = args[row.to];
    if (before !== undefined && before !== read) {
      draft.note("decide", name, `another key says otherwise of ${row.to}: left out. Remove one of them`);
    } else {
      args[row.to] = read;
    }
  }
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
