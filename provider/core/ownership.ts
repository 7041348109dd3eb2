import type { Kind, ServiceObject } from "./definition";
import { digitsOfValues, type Mark, markText, markVariable, nameDigits, type Owner, parseMark } from "./mark";
import { markInName, type Room } from "./naming";
import { isRecord, type Properties } from "./value";

/** What an object says of whose it is; undefined for what podlumi did not make, or made under a name of the program. */
export function markOf(kind: Pick<Kind, "mark">, object: Properties): (Mark & { name?: string }) | undefined {
  switch (kind.mark) {
    case "env":
      return parseMark(isRecord(object.env) ? object.env[markVariable] : undefined);
    case "description":
      return parseMark(object.description);
    case undefined:
      return markInName(object.name);
  }
}

/** The digits of an object's mark that tell whose it is. */
export function markDigits(kind: Pick<Kind, "mark">, object: Properties): string | undefined {
  const mark = markOf(kind, object);
  return mark && `${mark.stack}-${mark.resource}`;
}

/** Whether an object says that it is this very resource's of this very stack. */
export function carries(kind: Pick<Kind, "mark">, object: Properties, { name, digits }: Owner): boolean {
  const mark = markOf(kind, object);
  if (mark?.stack !== digits.stack || !digits.resource.startsWith(mark.resource)) return false;
  // A name has room for a few digits of the resource only.
  return isUnderItsName(mark, object) && (mark.name === undefined || mark.name === name);
}

/** Whether an object has the name that it was made under, as far as its mark tells. */
export function isUnderItsName({ named }: Mark, object: Properties): boolean {
  return named === undefined || named === nameDigits(object.name);
}

/**
 * Tells what was made by a request of podlumi from copies of it that somebody made, mark and all: they have another name, or
 * the mark of an object that is `held`. A program can rename its objects, too, so a copy is only what may be one.
 */
export function copies(held: readonly Mark[]): (mark: Mark, object: Properties) => boolean {
  const requests = new Set(
    held.flatMap(({ call, attempt }) => (call === undefined ? [] : `${call}-${attempt}`)),
  );
  return (mark, object) => !isUnderItsName(mark, object) || requests.has(`${mark.call}-${mark.attempt}`);
}

/** How much a made-up name has to carry. */
export function roomOf(kind: Pick<Kind, "mark">): Room {
  return kind.mark === undefined ? "whole" : "short";
}

/** A create body with the mark of the object that is to come of it, where the kind has room for it. */
export function withMark(kind: Pick<Kind, "mark">, body: Properties, text: string | undefined): Properties {
  if (kind.mark === undefined || text === undefined) return body;
  if (kind.mark === "description") return { ...body, description: `podlumi: ${text}` };
  return { ...body, env: { ...(body.env as object | undefined), [markVariable]: text } };
}

/** The text of a mark for what these inputs ask for. */
export function markFor(kind: Kind, owner: Owner, inputs: Properties, call: string, attempt: number): string {
  return markText(owner, { call, asked: digitsOfUnseen(kind, inputs), name: inputs.name, attempt });
}

/**
 * Digits of the inputs that no look at an object tells, so that a later run knows whether it was asked for the same.
 * What is sensitive has no part in it: digits can be guessed from.
 */
export function digitsOfUnseen({ fields }: Kind, inputs: Properties): string {
  const unseen: Properties = {};
  for (const [name, { writeOnly, sensitive, notInBody }] of Object.entries(fields)) {
    const input = inputs[name];
    if (input === undefined || writeOnly === undefined || sensitive || notInBody) continue;
    if (writeOnly === true) unseen[name] = input;
    else for (const key of writeOnly) if (isRecord(input)) unseen[`${name}.${key}`] = input[key];
  }
  return digitsOfValues(unseen);
}

/** An object for people: `pod "web" (7h9k2m4n6p)`. */
export function describe({ noun }: Pick<Kind, "noun">, { id, name }: ServiceObject): string {
  return typeof name === "string" ? `${noun} "${name}" (${id})` : `${noun} ${id}`;
}
