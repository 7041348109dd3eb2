import { isHashedInMark } from "../../schema/field";
import { isEmpty, isRecord, isUnknown, type Properties } from "../../value";
import type { Kind } from "../kind";
import { isMarkedByName } from "../kind/naming";
import {
  digitsOfValues,
  isMarkOf,
  type Mark,
  type MarkedRequest,
  markInName,
  markText,
  markVariable,
  nameDigits,
  type Owner,
  ownerOf,
  parseMark,
} from "./mark";

/** The mark of an object. Undefined where podlumi did not create it, or where the mark would be in the name but the program gave that. */
export function markOf(kind: Pick<Kind, "naming">, object: Properties): Mark | undefined {
  switch (kind.naming?.mark) {
    case "env":
      return parseMark(isRecord(object.env) ? object.env[markVariable] : undefined);
    case "description":
      return parseMark(partsOfDescription(object.description).mark);
    case undefined:
      return markInName(object.name);
  }
}

/** The digits of the owner in an object's mark. */
export function markDigits(kind: Pick<Kind, "naming">, object: Properties): string | undefined {
  return ownerDigits(markOf(kind, object));
}

/** The digits of an owner as one text. */
export function ownerDigits(of: Pick<Owner, "digits"> | undefined): string | undefined {
  return of && `${of.digits.stack}-${of.digits.resource}`;
}

/** The digits of the mark that the object of a state had when podlumi last created or changed it. */
export function markInState({ __mark }: Properties): string | undefined {
  return typeof __mark === "string" ? __mark : undefined;
}

/** The digits of the mark that an object gets with these inputs; undefined where it gets none, or nobody knows them yet. */
export function markToGet(kind: Kind, inputs: Properties): string | undefined {
  return isMarkedByName(kind) ? markDigits(kind, inputs) : ownerDigits(ownerOf(inputs));
}

/** The object carries the mark of exactly this resource of this stack. */
export function carries(kind: Pick<Kind, "naming">, object: Properties, owner: Owner): boolean {
  const mark = markOf(kind, object);
  return mark !== undefined && isMarkOf(mark, owner);
}

/** A new object of this name will carry the mark of its resource. A stack's first preview knows neither the owner nor a made-up name. */
export function willCarry(kind: Pick<Kind, "naming">, name: unknown, owner: Owner | undefined): boolean {
  if (!isMarkedByName(kind)) return true;
  return owner === undefined ? isUnknown(name) : carries(kind, { name }, owner);
}

/** False for an object that was renamed since its mark was made. */
export function isUnderItsName({ named }: Mark, object: Properties): boolean {
  return named === undefined || named === nameDigits(object.name);
}

/** A request body with the mark added, where the kind has a field for it. */
export function withMark(kind: Pick<Kind, "naming">, body: Properties, text: string | undefined): Properties {
  if (isMarkedByName(kind) || text === undefined) return body;
  if (kind.naming?.mark === "description")
    return { ...body, description: withMarkAtEnd(body.description, `podlumi: ${text}`) };
  return { ...body, env: { ...(body.env as object | undefined), [markVariable]: text } };
}

/** A description as people wrote it, and the mark at its end; each may be empty. */
export function partsOfDescription(description: unknown): { text: string; mark: string } {
  const whole = String(description ?? "");
  const [, text = "", mark] = /^(?:([\s\S]*) )?(podlumi: .*)$/.exec(whole) ?? [];
  return mark === undefined || parseMark(mark) === undefined ? { text: whole, mark: "" } : { text, mark };
}

/** A description with a mark at its end. */
export function withMarkAtEnd(text: unknown, mark: string): string {
  return [text, mark].filter((part) => !isEmpty(part)).join(" ");
}

/** An object without the mark in its description: it is not meant for people. */
export function withoutMark(object: Properties): Properties {
  const { text, mark } = partsOfDescription(object.description);
  return mark === "" ? object : { ...object, description: text || null };
}

/** The text of the mark for a request with these inputs. */
export function markFor(
  kind: Kind,
  owner: Owner,
  inputs: Properties,
  request: Pick<MarkedRequest, "call" | "attempt" | "sentAt">,
): string {
  return markText(owner, { ...request, unseen: digitsOfUnseen(kind, inputs), name: inputs.name });
}

/** Digits of write-only inputs: by them, a later run knows whether the same was asked for. Without sensitive ones, which somebody could guess. */
export function digitsOfUnseen({ fields }: Kind, inputs: Properties): string {
  const unseen: Properties = {};
  for (const [name, field] of Object.entries(fields)) {
    const input = inputs[name];
    if (input === undefined || !isHashedInMark(field)) continue;
    const { writeOnly = [] } = field;
    if (writeOnly === true) unseen[name] = input;
    else for (const key of writeOnly) if (isRecord(input)) unseen[`${name}.${key}`] = input[key];
  }
  return digitsOfValues(unseen);
}
