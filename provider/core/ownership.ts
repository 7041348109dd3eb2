import { timeOf } from "../client/clock";
import type { State } from "../engine/stacks";
import { inLine } from "../mask";
import type { Kind, ServiceObject } from "./definition";
import { isUnseen } from "./field";
import {
  adoption,
  digitsOfValues,
  type Mark,
  type MarkedRequest,
  markText,
  markVariable,
  nameDigits,
  type Owner,
  ownerOf,
  parseMark,
} from "./mark";
import { markInName } from "./naming";
import { isRecord, type Properties } from "./value";

/** Milliseconds within which a request takes effect, but for rare ones. What was made later may be a copy of what it made. */
export const usualEffect = 600_000;

/**
 * The mark of an object. Undefined when podlumi did not make it, or when the mark would be in the name but the program
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

/** The digits of the owner in an object's mark. */
export function markDigits(kind: Pick<Kind, "mark">, object: Properties): string | undefined {
  return ownerDigits(markOf(kind, object));
}

/** The digits of an owner as one text. */
export function ownerDigits(of: Pick<Owner, "digits"> | undefined): string | undefined {
  return of && `${of.digits.stack}-${of.digits.resource}`;
}

/** Whether an object carries the mark of exactly this resource of this stack. */
export function carries(kind: Pick<Kind, "mark">, object: Properties, { name, digits }: Owner): boolean {
  const mark = markOf(kind, object);
  if (mark?.digits.stack !== digits.stack || !digits.resource.startsWith(mark.digits.resource)) return false;
  // A name has room for only a few digits of the resource, so compare the logical name too.
  return isUnderItsName(mark, object) && (mark.name === undefined || mark.name === name);
}

/** Whether a mark has the name of the owner's stack, and not its digits: it may be of the stack's other face. */
export function hasOtherDigits({ digits }: Mark, { digits: { stack, stackName } }: Owner): boolean {
  return digits.stackName === stackName && digits.stack !== stack;
}

/** Whether an object still has the name that it was made with. True when its mark does not tell. */
export function isUnderItsName({ named }: Mark, object: Properties): boolean {
  return named === undefined || named === nameDigits(object.name);
}

/** Why an object with a resource's mark may be another's all the same, and the flag with which a sweep takes it, if any. */
export interface Doubt {
  readonly why: string;
  readonly flag?: "--adopted" | "--copies" | "--newer" | "--read";
}

/**
 * Returns a function that tells everything that makes it doubtful whether a resource made the object that carries its mark. `held` has
 * the marks of objects that states have. A person can copy an object with its mark. Such a copy has another name than its mark says,
 * the mark of a request that made an object in `held`, or a later time of creation. Neither is proof: a program can rename its objects,
 * too.
 */
export function doubtsBeside(held: readonly Mark[]): (mark: Mark, object: Properties) => Doubt[] {
  const requestOf = ({ call, attempt }: Mark) => (call === undefined ? undefined : `${call}-${attempt}`);
  const requests = new Set(held.flatMap((mark) => requestOf(mark) ?? []));
  return (mark, object) => {
    const isCopy = !isUnderItsName(mark, object) || requests.has(String(requestOf(mark)));
    return [
      ...(isCopy ? [copied] : []),
      ...(isMadeLate(object, mark.sentAt) ? [madeLate] : []),
      ...(mark.attempt === adoption ? [adopted] : []),
    ];
  };
}

/** Whether an object was made so long after a request that it may be a copy of what the request made. */
export function isMadeLate({ createdAt }: Properties, sentAt: number | undefined): boolean {
  return sentAt !== undefined && timeOf(String(createdAt)) - sentAt > usualEffect;
}

const copied: Doubt = {
  why: "it may be a copy that somebody made, by its mark and its name",
  flag: "--copies",
};

const madeLate: Doubt = {
  why: "it was made more than 10 minutes after its mark, so that it may be a copy that somebody made",
  flag: "--copies",
};

const adopted: Doubt = {
  why: "it got its mark by an adoption, so that another stack may have made it",
  flag: "--adopted",
};

/** Where an orphan is, for people: states of another backend, or another login, cannot be seen. */
export const noState = "no state that this login shows";

/**
 * What makes it doubtful that a state is the newest copy of it: the engine writes a create into the state before it asks for it, and
 * what came of it after that. `lead` is by how many milliseconds the service's clock is ahead of this machine's.
 */
export function doubtsByTime(
  { at, pending, markers }: State,
  { sentAt, digits }: Mark,
  lead: number,
): Doubt[] {
  const isBegun = pending.some((urn) =>
    [...markers].some((id) => ownerOf({ __urn: urn, __stack: id })?.digits.resource === digits.resource),
  );
  const isKnown = sentAt === undefined || at <= 0 || sentAt <= at + Math.max(0, lead);
  return isBegun || isKnown ? [] : [newer];
}

/** What makes it doubtful that nobody needs an object any more: the stacks that read it. */
export function doubtsByReaders(stacks: readonly string[]): Doubt[] {
  if (stacks.length === 0) return [];
  return [{ why: `the program of ${stacks.join(" and ")} reads it (\`get\`)`, flag: "--read" }];
}

const newer: Doubt = {
  why: "it was made after the state was last written, which shows no create of it, so that a newer copy of the state may have it",
  flag: "--newer",
};

/** The name of a stack does not tell stacks apart that share a provider. */
export const maybeOthers: Doubt = {
  why: "another stack may have made it (`pulumi state move`, `pulumi stack rename`)",
};

/** Why, and the flags with which a sweep takes the object all the same, each after a space; undefined when no sweep takes it. */
export function inWords(doubts: readonly Doubt[]): {
  readonly why: string;
  readonly flags: string | undefined;
} {
  const why = doubts.map((doubt) => doubt.why).join(", and ");
  if (doubts.some(({ flag }) => flag === undefined)) return { why, flags: undefined };
  return { why, flags: [...new Set(doubts.map(({ flag }) => ` ${flag}`))].join("") };
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
 * Digits of the inputs that the service never answers. By them, a later run knows whether the same was asked for.
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

/** An object for people: `pod "web" (7h9k2m4n6p)`. */
export function describe({ noun }: Pick<Kind, "noun">, { id, name }: ServiceObject): string {
  return typeof name === "string" ? `${noun} "${inLine(name)}" (${id})` : `${noun} ${id}`;
}
