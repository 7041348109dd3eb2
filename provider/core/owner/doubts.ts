import { timeOf } from "../../client/clock";
import { usualEffect } from "../../client/policy";
import type { State } from "../../engine/export";
import { adoption, type Mark, ownerOf } from "../kind/mark";
import { isUnderItsName } from "../kind/ownership";
import type { Properties } from "../value";
import type { Use } from "./whose";

/** Why an object with a resource's mark may be another's all the same, and the flag with which a sweep takes it, if any. */
export interface Doubt {
  readonly why: string;
  readonly flag?: "--adopted" | "--copies" | "--newer" | "--read";
}

const copied: Doubt = {
  why: "it may be a copy that somebody made, by its mark and its name",
  flag: "--copies",
};

const createdLate: Doubt = {
  why: "it was created more than 10 minutes after its mark, so it may be a copy that somebody made",
  flag: "--copies",
};

const adopted: Doubt = {
  why: "it got its mark by an adoption, so another stack may have created it",
  flag: "--adopted",
};

const newer: Doubt = {
  why: "it was created after the state was last written, which shows no create of it, so a newer copy of the state may have it",
  flag: "--newer",
};

const undated: Doubt = {
  why: "its time of creation is unknown, and the state is older than another object of this stack, so a newer copy of the state may have it",
  flag: "--newer",
};

const unlisted: Doubt = {
  why: "its time of creation is unknown, and what shows that the state is an old copy may be of a kind that could not be listed",
  flag: "--newer",
};

/** The name of a stack does not tell stacks apart that share a provider. */
export const maybeOthers: Doubt = {
  why: "another stack may have created it (`pulumi state move`, `pulumi stack rename`)",
};

/**
 * Returns a function that tells everything that makes it doubtful whether a resource created the object that carries its mark. `held` has
 * the marks of objects that states have. A person can copy an object with its mark. Such a copy has another name than its mark says,
 * the mark of a request that created an object in `held`, or a later time of creation. Neither is proof: a program can rename its objects,
 * too.
 */
export function doubtsBeside(held: readonly Mark[]): (mark: Mark, object: Properties) => Doubt[] {
  const requestOf = ({ call, attempt }: Mark) => (call === undefined ? undefined : `${call}-${attempt}`);
  const requests = new Set(held.flatMap((mark) => requestOf(mark) ?? []));
  return (mark, object) => {
    const isCopy = !isUnderItsName(mark, object) || requests.has(String(requestOf(mark)));
    return [
      ...(isCopy ? [copied] : []),
      ...(isCreatedLate(object, mark.sentAt) ? [createdLate] : []),
      ...(mark.attempt === adoption ? [adopted] : []),
    ];
  };
}

/** Whether an object was created so long after a request that it may be a copy of what the request created. */
export function isCreatedLate({ createdAt }: Properties, sentAt: number | undefined): boolean {
  return sentAt !== undefined && timeOf(String(createdAt)) - sentAt > usualEffect;
}

/** An object in no state, with the mark of a stack. */
interface Stray {
  readonly object: Properties;
  readonly mark: Mark;
}

/** When an object was created, in milliseconds since 1970; NaN where nothing tells. */
export function creationTimeOf({ mark, object }: Stray): number {
  return mark.sentAt ?? timeOf(String(object.createdAt));
}

/**
 * Returns a function that tells what makes it doubtful that a state is the newest copy of it: the engine writes a create into the state
 * before it asks for it, and what came of it after that. `all` has what the stack has marked and no state has. Where one of them is
 * newer than the state, what has no time may be, too; also where one may be that is missing there, since the list is not `complete`.
 * `lead` is by how many milliseconds the service's clock is ahead of this machine's.
 */
export function doubtsByTime(
  { at, pending, markers }: State,
  all: readonly Stray[],
  lead: number,
  complete: boolean,
): (stray: Stray) => Doubt[] {
  const begun = pending.flatMap(({ urn }) =>
    [...markers].flatMap((id) => ownerOf({ __urn: urn, __stack: id })?.digits.resource ?? []),
  );
  const isBegun = ({ mark }: Stray) => begun.some((digits) => digits.startsWith(mark.digits.resource));
  const isNewer = (one: Stray) => at > 0 && !isBegun(one) && creationTimeOf(one) > at + Math.max(0, lead);
  const isOld = all.some(isNewer);
  return (one) => {
    if (isNewer(one)) return [newer];
    if (isBegun(one) || !Number.isNaN(creationTimeOf(one))) return [];
    if (isOld) return [undated];
    return at > 0 && !complete ? [unlisted] : [];
  };
}

/** What makes it doubtful that nobody needs an object any more: the stacks that read it. */
export function doubtsByReaders(stacks: readonly string[]): Doubt[] {
  if (stacks.length === 0) return [];
  return [{ why: `the program of ${stacks.join(" and ")} reads it (\`get\`)`, flag: "--read" }];
}

/** The same of all stacks that do something with it and do not have it: their runs adopt it, their replacements have kept it, or they read it. */
export function doubtsByUsers(stacksThat: (use: Use) => readonly string[]): Doubt[] {
  const [adopting, keeping] = [stacksThat("adopts"), stacksThat("keeps")];
  return [
    ...(adopting.length === 0 ? [] : [{ why: adoptedBy(adopting) }]),
    ...(keeping.length === 0 ? [] : [{ why: keptBy(keeping) }]),
    ...doubtsByReaders(stacksThat("reads")),
  ];
}

/** That replacements of these stacks have kept an object, which their states have as deleted. */
function keptBy(stacks: readonly string[]): string {
  return `an interrupted replacement of ${stacks.join(" and ")} kept it, and the next \`pulumi up\` may adopt it again`;
}

/** That runs of these stacks are adopting an object, and what shows whether they still are. */
export function adoptedBy(stacks: readonly string[], object = "it"): string {
  const next = "`pulumi refresh --clear-pending-creates` there tells whether it has come to an end";
  return `a run of ${stacks.join(" and ")} is adopting ${object}, or was interrupted at that: ${next}`;
}

/** Why, and the flags with which a sweep takes the object all the same, each after a space; undefined when no sweep takes it. */
export function inWords(doubts: readonly Doubt[]): {
  readonly why: string;
  readonly flags: string | undefined;
} {
  const why = doubts.map((doubt) => doubt.why).join(", and ");
  if (doubts.some(({ flag }) => flag === undefined)) return { why, flags: undefined };
  return { why, flags: [...new Set(doubts.map(({ flag }) => ` ${flag}`))].join("") };
}

/** Where an orphan is, for people: states of another backend, or another login, cannot be seen. */
export const noState = "no state that this login shows";
