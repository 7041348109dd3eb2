import { inLine } from "../../../provider/mask";

/** Longest line of generated code, in characters. */
const width = 100;

/** A value that the program takes from elsewhere: its configuration, or another resource. */
export class Expression {
  constructor(
    readonly code: string,
    /** Its present value, if it is known. */
    readonly value: unknown,
    readonly secret = false,
  ) {}
}

/** A value as TypeScript, on one line if it fits. `column` is where it begins. */
export function literal(value: unknown, column = 0, indent = ""): string {
  const line = onOneLine(value);
  if (
    column + line.length <= width ||
    value instanceof Expression ||
    typeof value !== "object" ||
    value === null
  )
    return line;
  const inner = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map((item) => `${inner}${literal(item, inner.length + 1, inner)},`)
    : Object.entries(value).map(([key, item]) => {
        const named = `${inner}${property(key)}: `;
        return `${named}${literal(item, named.length + 1, inner)},`;
      });
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return [`${open}`, ...lines, `${indent}${close}`].join("\n");
}

function onOneLine(value: unknown): string {
  if (value instanceof Expression) return value.code;
  if (Array.isArray(value)) return `[${value.map((item) => onOneLine(item)).join(", ")}]`;
  if (typeof value !== "object" || value === null) return quoted(value);
  const entries = Object.entries(value).map(([key, item]) => `${property(key)}: ${onOneLine(item)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

/** A plain value. No character of it changes how the line looks to a person who reviews it. */
export function quoted(value: unknown): string {
  return inLine(JSON.stringify(value));
}

function property(key: string): string {
  // Without brackets, it would set the prototype.
  if (key === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key);
}

/** What TypeScript, strict mode and the function around a CommonJS module forbid, and the names of `Program.source`. */
export const reserved: readonly string[] = (
  "arguments await break case catch class config const continue debugger default delete do else enum eval export " +
  "exports extends false finally for function if implements import in instanceof interface let module new null " +
  "package podlumi private protected public pulumi require return static super switch this throw true try typeof " +
  "undefined var void while with yield"
).split(" ");

/** A name in camel case: `hf_token` and `HF-TOKEN` become `hfToken`; always an identifier. */
export function camelCase(...names: string[]): string {
  const words = names
    .join(" ")
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase());
  const name = words
    .map((word, index) => (index === 0 ? word : word[0]?.toUpperCase() + word.slice(1)))
    .join("");
  return /^[a-z]/.test(name) ? name : `_${name}`;
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
