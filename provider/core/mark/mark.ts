import { createHash, randomBytes } from "node:crypto";
import { partsOfUrn } from "../../identity";
import { isRecord, isUnknown, type Properties } from "../../value";

/**
 * The owner of an object: a resource of a stack. The service has no labels, so an object carries a mark where its kind has room: in a
 * variable of its `env`, in its description, or in the name that podlumi makes up. A stack keeps the id of its provider for life, so every
 * machine computes the same digits.
 */
export interface Owner {
  readonly digits: Digits;
  readonly readable: Readable;
  /** The logical name. */
  readonly name: string;
}

/** Hexadecimal digits of an owner. */
export interface Digits {
  /** They identify the stack, by the id of its provider. */
  readonly stack: string;
  /** They identify the resource among all stacks. A name has room for the first four. */
  readonly resource: string;
}

/** An owner in words, for people. A stack can be renamed, so the words do not identify it. */
export interface Readable {
  /** `project/stack`. */
  readonly stack: string;
  /** Kind and logical name, with the types of its parents: `Pod::web`. */
  readonly resource: string;
}

/** The mark of an object, with as many parts as the object has room for. */
export interface Mark {
  readonly digits: Digits;
  readonly readable?: Readable;
  /** The create call that made it. */
  readonly call?: string;
  /** The number of the request in that call, from 1; {@link adoption} for an object that an adoption has marked. */
  readonly attempt?: number;
  /** When the request was sent, in milliseconds since 1970, by the service's clock. */
  readonly sentAt?: number;
  /** Digits of the inputs that the service never returns. */
  readonly unseen?: string;
  /** Digits of the name that the object was created with. A copy that somebody made has another name. */
  readonly named?: string;
  /** The logical name, where the mark is in the name. */
  readonly name?: string;
}

/** The number of the request in the mark of an object that was another resource's, and that the program adopted. */
export const adoption = 0;

/** The variable that holds the mark of a pod or an endpoint. */
export const markVariable = "PODLUMI_MARK";

const length = { stack: 6, resource: 12, call: 7, unseen: 7, named: 7 };

/** Removed from the types in a URN, so that podlumi's own types are just the names of the kinds. */
const ownType = /pulumi-nodejs:dynamic\/podlumi:|podlumi:index:/g;

/** The owner from inputs or outputs; undefined while a preview does not know it. */
export function ownerOf({ __urn, __providerId }: Properties): Owner | undefined {
  if (typeof __providerId !== "string" || isUnknown(__providerId)) return undefined;
  const readable = readableOf(__urn);
  return { digits: digitsOf(__providerId, readable), readable, name: partsOfUrn(__urn).name };
}

/** The mark is that of exactly this resource of this stack. */
export function isMarkOf(mark: Mark, { name, digits }: Owner): boolean {
  if (mark.digits.stack !== digits.stack || !digits.resource.startsWith(mark.digits.resource)) return false;
  return mark.name === undefined || mark.name === name;
}

/** A resource in words, from its URN. */
export function readableOf(urn: unknown): Readable {
  const { stack, project, types, name } = partsOfUrn(urn);
  return { stack: `${project}/${stack}`, resource: `${types.replace(ownType, "")}::${name}` };
}

function digitsOf(providerId: string, { resource }: Readable): Digits {
  return { stack: stackDigits(providerId), resource: hash(`${providerId} ${resource}`, length.resource) };
}

/** Digits of a stack, from the id of its provider. */
export function stackDigits(providerId: string): string {
  return hash(providerId, length.stack);
}

/** Digits of values. The order of keys does not matter. */
export function digitsOfValues(values: Properties): string {
  return hash(JSON.stringify(values, sorted), length.unseen);
}

function sorted(_key: string, value: unknown): unknown {
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
}

/** Digits of a name. */
export function nameDigits(name: unknown): string {
  return hash(String(name), length.named);
}

/** Random digits for one create call. */
export function newCallDigits(): string {
  return randomBytes(4).toString("hex").slice(0, length.call);
}

function hash(text: string, digits: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, digits);
}

/** The parts of a mark that describe one request. */
export interface MarkedRequest {
  readonly call: string;
  readonly unseen: string;
  readonly name: unknown;
  /** The number of the request in the call, from 1, or {@link adoption}. */
  readonly attempt: number;
  /** When it is sent, in milliseconds since 1970, by the service's clock. */
  readonly sentAt: number;
}

/** The text of a mark: `shop/dev Pod::web 70b3f2-5e6a1b9c0d2f-9f31c2d-04be1a7-8c1f04a-1 2026-11-23T21:40:01Z`. */
export function markText(owner: Owner, { call, unseen, name, attempt, sentAt }: MarkedRequest): string {
  const { readable, digits } = owner;
  const resource = readable.resource.replace(/[^\x21-\x7e]+/g, " ").slice(0, 120);
  const all = [digits.stack, digits.resource, call, unseen, nameDigits(name), attempt];
  const time = new Date(sentAt).toISOString().replace(/\.\d+/, "");
  return `${readable.stack} ${resource} ${all.join("-")} ${time}`;
}

const text =
  /^(?:podlumi: )?(\S+) (.*) ([0-9a-f]{6})-([0-9a-f]{12})-([0-9a-f]{7})-([0-9a-f]{7})-([0-9a-f]{7})-(\d+) (\S+Z)$/;

/** The marks that this process has read, by their texts: each resource looks at those of all objects of its kind. */
const known = new Map<string, Mark>();

/** Reads the text of a mark; undefined for any other text. */
export function parseMark(value: unknown): Mark | undefined {
  if (typeof value !== "string") return undefined;
  const mark = known.get(value) ?? markIn(value);
  if (mark !== undefined) known.set(value, mark);
  return mark;
}

function markIn(value: string): Mark | undefined {
  const found = text.exec(value);
  if (found === null) return undefined;
  const [, stackPath = "", made = "", stack = "", resource = "", call, unseen, named, attempt, time] = found;
  return {
    digits: { stack, resource },
    readable: { stack: stackPath, resource: made },
    call,
    attempt: Number(attempt),
    sentAt: Date.parse(String(time)),
    unseen,
    named,
  };
}

/** How many digits of a name identify the resource, and how many its generation: a replacement gets the next one. */
export const lengthInName = { resource: 4, generation: 2 };

/** The generations from this one on are of objects that the program adopted from another resource. */
export const adoptedFrom = 16 ** lengthInName.generation / 2;

/** The digits at the end of a made-up name: of the resource and of the generation. Where the name is the mark, those of the stack come first. */
export function digitsInName({ digits }: Owner, generation: number, isMark: boolean): string {
  const own = digits.resource.slice(0, lengthInName.resource);
  const number = generation.toString(16).padStart(lengthInName.generation, "0");
  return `${isMark ? digits.stack : ""}${own}${number}`;
}

const madeUp = /^(.*)-([0-9a-f]{6})([0-9a-f]{4})([0-9a-f]{2})$/s;

/** Reads the mark in a name that podlumi made up; undefined for any other name. */
export function markInName(name: unknown): Mark | undefined {
  const found = typeof name === "string" ? madeUp.exec(name) : null;
  if (found === null) return undefined;
  const [, logical = "", stack = "", resource = "", generation = ""] = found;
  const isAdopted = Number.parseInt(generation, 16) >= adoptedFrom;
  return { name: logical, digits: { stack, resource }, ...(isAdopted && { attempt: adoption }) };
}

/** The logical name in a name that podlumi made up for an object with this mark; undefined for any other name. */
export function logicalNameIn(name: string, { digits }: Pick<Mark, "digits">): string | undefined {
  const own = digits.resource.slice(0, lengthInName.resource);
  return new RegExp(`^(.*)-(?:${digits.stack})?${own}[0-9a-f]{2}$`, "s").exec(name)?.[1];
}
