import { isRecord, isUnknown, type Properties } from "../value";
import type { Kind, ServiceObject } from "./definition";
import { isUnseen } from "./field";
import {
  adoption,
  digitsOfValues,
  type Mark,
  type MarkedRequest,
  markInName,
  markText,
  markVariable,
  nameDigits,
  type Owner,
  ownerOf,
  parseMark,
  resourceInText,
} from "./mark";

/**
 * The mark of an object. Undefined when podlumi did not create it, or when the mark would be in the name but the program
 * gave the name.
 */
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

/** An object that carries a mark. */
export interface Marked {
  readonly kind: Kind;
  readonly object: ServiceObject;
  readonly mark: Mark;
}

/** Those of the objects that carry marks. */
export function markedAmong(kind: Kind, objects: readonly ServiceObject[]): Marked[] {
  return objects.flatMap((object) => {
    const mark = markOf(kind, object);
    return mark === undefined ? [] : [{ kind, object, mark }];
  });
}

/** The digits of the owner in an object's mark. */
export function markDigits(kind: Pick<Kind, "mark">, object: Properties): string | undefined {
  return ownerDigits(markOf(kind, object));
}

/** The digits of an owner as one text. */
export function ownerDigits(of: Pick<Owner, "digits"> | undefined): string | undefined {
  return of && `${of.digits.stack}-${of.digits.resource}`;
}

/** The digits of the mark that the object of a state has. An older state does not tell them: then those that podlumi gave it. */
export function markInState(kind: Kind, state: Properties): string | undefined {
  if (typeof state.__mark === "string") return state.__mark;
  if (kind.mark === undefined) return markDigits(kind, { name: state.__autoname });
  return ownerDigits(ownerOf(state));
}

/**
 * The digits of the mark in a state after an update. It writes no mark but that in a new name, and never takes the mark of another
 * resource for its own.
 */
export function markAfterUpdate(kind: Kind, state: Properties, { name }: Properties): string | undefined {
  return markDigits(kind, { name }) ?? markInState(kind, state);
}

/** The digits of the mark that an object gets with these inputs; undefined where it gets none, or nobody knows them yet. */
export function markToGet(kind: Kind, inputs: Properties): string | undefined {
  return kind.mark === undefined ? markDigits(kind, inputs) : ownerDigits(ownerOf(inputs));
}

/** Whether the object of a state carries another mark than in that state: another resource has adopted it, or the response lags. */
export function hasOtherMark(kind: Kind, state: Properties, object: Properties): boolean {
  const own = markInState(kind, state);
  const mark = markOf(kind, object);
  if (own === undefined || mark === undefined || ownerDigits(mark) === own) return false;
  // Without a mark in the state, a resource may have been renamed since. So only another stack, or an adoption, is another owner.
  const isKnown = typeof state.__mark === "string";
  return isKnown || mark.attempt === adoption || mark.digits.stack !== own.slice(0, mark.digits.stack.length);
}

/** Whether an object carries the mark of exactly this resource of this stack. */
export function carries(kind: Pick<Kind, "mark">, object: Properties, { name, digits }: Owner): boolean {
  const mark = markOf(kind, object);
  if (mark?.digits.stack !== digits.stack || !digits.resource.startsWith(mark.digits.resource)) return false;
  // A name has room for only a few digits of the resource, so compare the logical name too.
  return isUnderItsName(mark, object) && (mark.name === undefined || mark.name === name);
}

/**
 * Whether a new object of this name carries the mark of its resource. Where only the name has room for it, podlumi has to make that up. A stack's
 * first preview knows neither the owner nor such a name.
 */
export function willCarry(kind: Pick<Kind, "mark">, name: unknown, owner: Owner | undefined): boolean {
  if (kind.mark !== undefined) return true;
  return owner === undefined ? isUnknown(name) : carries(kind, { name }, owner);
}

/** Whether a mark has the name of the owner's stack, and not its digits: it may be of the stack's other face. */
export function hasOtherDigits({ digits }: Mark, { digits: { stack, stackName } }: Owner): boolean {
  return digits.stackName === stackName && digits.stack !== stack;
}

/** Whether a mark has the names of the owner's stack and resource, by its text or its logical name, and not the digits of that stack. */
export function isNamesake(mark: Mark & { name?: string }, owner: Owner): boolean {
  if (!hasOtherDigits(mark, owner)) return false;
  return mark.readable === undefined
    ? mark.name === owner.name
    : mark.readable.resource === resourceInText(owner.readable);
}

/** Whether an object still has the name that it was created with. True when its mark does not tell. */
export function isUnderItsName({ named }: Mark, object: Properties): boolean {
  return named === undefined || named === nameDigits(object.name);
}

/** A request body with the mark added, where the kind has a field for it. */
export function withMark(kind: Pick<Kind, "mark">, body: Properties, text: string | undefined): Properties {
  if (kind.mark === undefined || text === undefined) return body;
  if (kind.mark === "description") return { ...body, description: `podlumi: ${text}` };
  return { ...body, env: { ...(body.env as object | undefined), [markVariable]: text } };
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

/**
 * Digits of the inputs that the service never returns. By them, a later run knows whether the same was asked for.
 * Sensitive inputs are left out: somebody could guess them from the digits.
 */
export function digitsOfUnseen({ fields }: Kind, inputs: Properties): string {
  const unseen: Properties = {};
  for (const [name, field] of Object.entries(fields)) {
    const input = inputs[name];
    if (input === undefined || !isUnseen(field)) continue;
    const { writeOnly = [] } = field;
    if (writeOnly === true) unseen[name] = input;
    else for (const key of writeOnly) if (isRecord(input)) unseen[`${name}.${key}`] = input[key];
  }
  return digitsOfValues(unseen);
}
