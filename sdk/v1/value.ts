import type { NoteKind } from "./note";
import { isBody } from "./note";

/** Lets a reader add notes about the value that it reads. */
export interface Saying {
  /** The body is a response of the service. */
  readonly isResponse: boolean;
  note(kind: NoteKind, text: string, inner?: string): void;
}

/** Converts a value in a body to a value of REST v2. Undefined when it cannot be converted. */
export interface Reader<Value> {
  /** For messages: `a list of strings`. */
  readonly noun: string;
  /** An empty value is a setting. Without this, it counts as not set. */
  readonly empty?: true;
  read(value: unknown, saying: Saying): Value | undefined;
}

export const text: Reader<string> = {
  noun: "a string",
  read: (value) => (typeof value === "string" ? value : undefined),
};

/** Numbers in quotes are read too, because scripts quote them. */
export const number: Reader<number> = {
  noun: "a number",
  read: (value) => {
    const parsed = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
    return typeof parsed === "number" && Number.isFinite(parsed) ? parsed : undefined;
  },
};

export const flag: Reader<boolean> = {
  noun: "true or false",
  read: (value) => (typeof value === "boolean" ? value : undefined),
};

export const object: Reader<Readonly<Record<string, unknown>>> = {
  noun: "an object",
  read: (value) => (isBody(value) ? value : undefined),
};

export function oneOf<Word extends string>(...words: Word[]): Reader<Word> {
  return { noun: words.join(" or "), read: (value) => words.find((word) => word === value) };
}

/** A list, or one text with commas between the items. */
export const texts: Reader<string[]> = {
  noun: "a list of strings",
  read: (value) => {
    const items = typeof value === "string" ? value.split(",") : value;
    if (!Array.isArray(items) || items.some((item) => typeof item !== "string")) return undefined;
    return items.map((item: string) => item.trim()).filter((item) => item !== "");
  },
};

/** An empty list is a setting: no ports. */
export const ports: Reader<string[]> = { ...texts, noun: "a list of ports", empty: true };

/** The service accepts lower-case ids and then misbehaves. (API: Behaviours, creation and capacity) */
export const dataCenters: Reader<string[]> = {
  noun: "a list of data centers",
  read: (value, saying) => {
    const written = texts.read(value, saying);
    const ids = written?.map((id) => id.toUpperCase());
    if (ids?.join() !== written?.join()) saying.note("changed", "ids of data centers are in upper case");
    return ids;
  },
};

/** Words of a command: a list, or one text without quotes. An empty list is the image's own, as without it. */
export const words: Reader<string[]> = {
  noun: "a list of strings",
  read: (value) => {
    if (Array.isArray(value)) return value.every((word) => typeof word === "string") ? value : undefined;
    if (typeof value !== "string" || /["'\\]/.test(value)) return undefined;
    return value.split(/\s+/).filter((word) => word !== "");
  },
};

/** A map, a list of `{ key, value }`, or a list of `KEY=value`. */
export const environment: Reader<Record<string, string>> = {
  noun: "a map of names to values",
  read: (value, saying) => {
    const entries = pairs(value);
    if (entries === undefined) return undefined;
    const last = new Map(entries);
    const kept = entries.flatMap(([name, content]) => {
      const inner = `[${JSON.stringify(name)}]`;
      if (content !== last.get(name))
        saying.note("decide", "is there again with another value, which counts: remove one of them", inner);
      const scalar = ["string", "number", "boolean"].includes(typeof content);
      if (!scalar) saying.note("decide", "is not a string: left out", inner);
      else if (typeof content !== "string") saying.note("changed", "is now a string", inner);
      if (saying.isResponse && /^(RUNPOD_|PUBLIC_KEY$|JUPYTER_PASSWORD$)/.test(name)) {
        saying.note("decide", "the platform adds such variables: remove it unless it is yours", inner);
      }
      return scalar ? [[name, String(content)]] : [];
    });
    return Object.fromEntries(kept);
  },
};

function pairs(value: unknown): [name: string, content: unknown][] | undefined {
  if (isBody(value)) return Object.entries(value);
  if (!Array.isArray(value)) return undefined;
  const entries = value.map((item): [string, unknown] | undefined => {
    if (isBody(item)) return typeof item.key === "string" ? [item.key, item.value] : undefined;
    const at = typeof item === "string" ? item.indexOf("=") : -1;
    return at > 0 ? [item.slice(0, at), item.slice(at + 1)] : undefined;
  });
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
}
