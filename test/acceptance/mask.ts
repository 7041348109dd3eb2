import { isRecord } from "../../provider/value";

/** Headers of gateways, caches and browsers. They say nothing of the service's interface. */
const wayside = new RegExp(
  `^(${[
    "date|server|connection|keep-alive|transfer-encoding|content-(length|encoding|security-policy)|vary|via|age|etag",
    "cf-.*|alt-svc|nel|report-to|set-cookie|strict-transport-security|access-control-.*|referrer-policy|priority",
    "x-(envoy|amz|cache|served|timer|content-type|frame|xss|powered|robots|dns|download|permitted).*",
    "permissions-policy|cross-origin-.*|origin-agent-cluster|pragma|expires|server-timing",
  ].join("|")})$`,
);

/** The headers that belong to the interface. Values are kept where they have a form, with `n` for numbers. */
export function maskedHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const kept = Object.entries(headers).filter(([name, value]) => value !== undefined && !wayside.test(name));
  return Object.fromEntries(
    kept
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => [name, /^x-|id$/.test(name) ? "<text>" : form(String(value))]),
  );
}

const form = (value: string) => value.replaceAll(/\d+/g, "n");

/** Paths whose texts are the service's own words. */
const words =
  /(^|\.)(title|detail|errors\[\]|message|status|actions\[\]|type|category|cloud|role|source|code)$/;

/** Paths whose numbers differ from one moment to the next, or from one machine to the next. */
const measured =
  /(^|\.)(cost|uptime|util|memoryUtil|public|port|memory|vcpuCountTotal|total|version)$|^requestUrls/;

/** Only the shape of these answers matters: they describe the account or the catalog, not an object of a step. */
export const isShapeOnly = (path: string) => /^\/(catalog|billing|account\/ssh-keys)/.test(path);

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
/** A value such as `HIGH_PERFORMANCE` or `EU-RO-1`. */
const constant = /^[A-Z][A-Z0-9]*([_-][A-Z0-9]+)*$/;

/**
 * Takes out of requests and answers what must not be kept: ids, keys, addresses, and every text of which it does not
 * know that it is the acceptance's own or one of the service's words. Equal ids get equal placeholders.
 */
export class Masker {
  private readonly known = new Map<string, string>();
  /** Texts that the acceptance has sent. */
  private readonly own = new Set<string>();

  /** Notes an id, under the placeholder that a recording has for it. */
  learnId(id: string, placeholder = `<id-${this.known.size + 1}>`): void {
    if (!this.known.has(id)) this.known.set(id, placeholder);
  }

  /** The text with placeholders for ids. */
  ids(text: string): string {
    let masked = text;
    for (const [id, placeholder] of this.known) masked = masked.replaceAll(id, placeholder);
    return masked;
  }

  /** The text with ids for placeholders. */
  back(text: string): string {
    let real = text;
    for (const [id, placeholder] of this.known) real = real.replaceAll(placeholder, id);
    return real;
  }

  learn(value: unknown): void {
    if (typeof value === "string") this.own.add(value);
    else if (typeof value === "object" && value !== null)
      for (const one of Object.values(value)) this.learn(one);
  }

  /** A request is the acceptance's own but for the ids. */
  request(body: unknown): unknown {
    return JSON.parse(this.ids(JSON.stringify(body)));
  }

  /** An answer. Of a list, it keeps the objects that this run made. */
  answer(content: unknown): unknown {
    return this.masked(
      ownOnly(content, (id) => this.known.has(id)),
      "",
    );
  }

  private masked(value: unknown, path: string): unknown {
    if (typeof value === "string") return this.text(value, path);
    if (typeof value === "number") return measured.test(path) ? "<number>" : value;
    if (Array.isArray(value)) return value.map((item) => this.masked(item, `${path}[]`));
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        this.masked(inner, path === "" ? key : `${path}.${key}`),
      ]),
    );
  }

  private text(value: string, path: string): string {
    if (value === "" || this.own.has(value)) return this.ids(value);
    if (this.known.has(value)) return this.ids(value);
    if (time.test(value)) return "<time>";
    if (/(^|\.)env\./.test(path) || path.startsWith("requestUrls")) return "<text>";
    if (words.test(path)) return said(this.ids(value));
    if (/^\d{1,6}(\.\d+)?$/.test(value)) return value;
    return constant.test(value) && value.length <= 40 ? value : "<text>";
  }

  /** Only the types. The items of a list count together. */
  shape(value: unknown): unknown {
    if (Array.isArray(value)) {
      const items = value.map((item) => this.shape(item));
      return items.length === 0 ? [] : [items.reduce(merged)];
    }
    if (isRecord(value))
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, this.shape(inner)]));
    return value === null ? null : `<${typeof value}>`;
  }
}

/** What the service says, without what could name somebody. */
function said(text: string): string {
  return text
    .replaceAll(/https?:\/\/\S+/g, "<address>")
    .replaceAll(/\b\d{1,3}(\.\d{1,3}){3}\b/g, "<address>")
    .replaceAll(/\S+@\S+\.\w+/g, "<address>")
    .replaceAll(/\brpa_\w+/gi, "<key>")
    .replaceAll(/\b(?=\w*\d)[a-z0-9]{10,}\b/gi, "<text>");
}

function merged(a: unknown, b: unknown): unknown {
  if (a === null) return b;
  if (b === null) return a;
  if (Array.isArray(a) && Array.isArray(b))
    return [...a, ...b].length === 0 ? [] : [[...a, ...b].reduce(merged)];
  if (!isRecord(a) || !isRecord(b)) return a;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return Object.fromEntries(
    [...keys].map((key) => [key, key in a && key in b ? merged(a[key], b[key]) : (a[key] ?? b[key])]),
  );
}

/** An answer without other people's objects: lists of objects with ids keep those that `isOwn` knows. */
function ownOnly(content: unknown, isOwn: (id: string) => boolean): unknown {
  if (Array.isArray(content))
    return content
      .filter((item) => !isRecord(item) || typeof item.id !== "string" || isOwn(item.id))
      .map((item) => ownOnly(item, isOwn));
  if (!isRecord(content)) return content;
  return Object.fromEntries(Object.entries(content).map(([key, value]) => [key, ownOnly(value, isOwn)]));
}
