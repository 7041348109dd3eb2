import type { KindName } from "../../../provider/resources";
import type { Properties } from "../../../provider/value";

/** Longest line of generated code, in characters. */
export const width = 100;

/** A resource of a program. */
export interface Declaration {
  readonly kind: KindName;
  readonly logicalName: string;
  /** Plain values and expressions. */
  readonly args: Properties;
  /** The id of the object, when the program only reads it. */
  readonly readId?: string;
}

export interface Language {
  /** The names that no variable can have: those of the language, and what `head` declares. */
  readonly reserved: readonly string[];
  /** Every resource has its variable, and no secret of the configuration can have the same name. */
  readonly oneScope?: true;
  /** A name as the language writes its variables; always an identifier. */
  variable(...names: string[]): string;
  /** A secret of the stack's configuration. */
  secret(name: string): string;
  /** The first lines of a program. `settings` are the secrets that it takes from its configuration. */
  head(settings: readonly string[], project: string, hasResources: boolean): readonly string[];
  comment(line: string): string;
  /** Declares a resource. The variable is undefined where nothing refers to it. */
  statement(declaration: Declaration, variable: string | undefined): string;
}

/** How a language writes plain values. */
export interface Style {
  readonly indent: string;
  readonly braces: readonly [open: string, close: string];
  scalar(value: unknown): string;
  key(name: string): string;
  /** The code of an expression as a value. Default: as it is. */
  expression?(code: string): string;
}

/** A value that the program takes from elsewhere: its configuration, or another resource. */
export class Expression {
  constructor(
    readonly code: string,
    /** Its present value, if it is known. */
    readonly value: unknown,
    readonly secret = false,
  ) {}
}

/** A value as code, on one line if it fits. `column` is where it begins. */
export function literal(style: Style, value: unknown, column = 0, indent = ""): string {
  const line = onOneLine(style, value);
  if (
    column + line.length <= width ||
    value instanceof Expression ||
    typeof value !== "object" ||
    value === null
  )
    return line;
  const inner = `${indent}${style.indent}`;
  const lines = Array.isArray(value)
    ? value.map((item) => `${inner}${literal(style, item, inner.length + 1, inner)},`)
    : Object.entries(value).map(([key, item]) => {
        const named = `${inner}${style.key(key)}: `;
        return `${named}${literal(style, item, named.length + 1, inner)},`;
      });
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return [`${open}`, ...lines, `${indent}${close}`].join("\n");
}

/** The same, always on one line. */
export function onOneLine(style: Style, value: unknown): string {
  if (value instanceof Expression) return style.expression?.(value.code) ?? value.code;
  if (Array.isArray(value)) return `[${value.map((item) => onOneLine(style, item)).join(", ")}]`;
  if (typeof value !== "object" || value === null) return style.scalar(value);
  const entries = Object.entries(value).map(([key, item]) => `${style.key(key)}: ${onOneLine(style, item)}`);
  return entries.length === 0 ? "{}" : style.braces.join(entries.join(", "));
}

/** The words of names, in lower case: `hf_token` and `HF-TOKEN` are `hf` and `token`. */
export function wordsOf(names: readonly string[]): string[] {
  return names
    .join(" ")
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase());
}

/** An identifier: a name that begins with something else gets an underscore. */
export const identifier = (name: string) => (/^[a-z]/.test(name) ? name : `_${name}`);

/** A name in camel case: `hf_token` and `HF-TOKEN` become `hfToken`; always an identifier. */
export function camelCase(...names: string[]): string {
  const [first = "", ...others] = wordsOf(names);
  return identifier([first, ...others.map((word) => word[0]?.toUpperCase() + word.slice(1))].join(""));
}

/** Gives each name once: the first suggestion that is free, or else the last one with a number. */
export class Names {
  private readonly taken: Set<string>;

  constructor(
    taken: Iterable<string> = [],
    /** Between a name and its number. */
    private readonly separator = "",
  ) {
    this.taken = new Set(taken);
  }

  take(...suggestions: string[]): string {
    const name = this.free(...suggestions);
    this.taken.add(name);
    return name;
  }

  /** The name that `take` would give. */
  free(...suggestions: string[]): string {
    const last = suggestions.at(-1) ?? "_";
    const free = suggestions.find((one) => !this.taken.has(one));
    for (let number = 2; ; number++) {
      const name = free ?? `${last}${this.separator}${number}`;
      if (!this.taken.has(name)) return name;
    }
  }
}
