import { ownerDigits } from "../../provider/core/mark/carried";
import {
  adoption,
  isMarkOf,
  markText,
  markVariable,
  type Owner,
  ownerOf,
} from "../../provider/core/mark/mark";
import { type Asker, type Standing, standingOf } from "../../provider/core/own/standing";
import type { Properties } from "../../provider/value";
import { stacks, urnOf } from "./process";

// Whose an object is, by the one judge of it.

const owner = (__providerId: string, name = "web") =>
  ownerOf({ __urn: urnOf("pod", name), __providerId }) as Owner;
const own = owner(stacks.ours);
const theirs = owner(stacks.theirs, "theirs");
const [ownMark, theirMark] = [ownerDigits(own), ownerDigits(theirs)];

const sentAt = Date.parse("2026-11-23T21:40:01Z");
const call = "9f31c2d";
const at = (minutes: number) => new Date(sentAt + minutes * 60_000).toISOString();

/** A pod, which carries its mark in a variable. */
const pod = (of: Owner | undefined, more: { attempt?: number; name?: string; createdAt?: string } = {}) => {
  const { attempt = 1, name = "web-1", createdAt = at(0) } = more;
  const request = { call, unseen: "04be1a7", name: "web-1", attempt, sentAt };
  return { id: "pod1", name, createdAt, env: of ? { [markVariable]: markText(of, request) } : {} };
};

const madeUp = `web-${own.digits.stack}${own.digits.resource.slice(0, 4)}00`;
/** A volume, which carries its mark in the name that podlumi makes up. */
const volume = (name: string, createdAt = at(0)) => ({ id: "volume1", name, createdAt });

const inVariable = { kind: { naming: { mark: "env" } } } as const;
const inName = { kind: {} };
/** The object is that of the asker's state. */
const had = { id: "pod1", mark: ownMark };
/** The asker has another object, and its create is unanswered. */
const create = { attempts: [1], name: "web-1", at: at(1) };
const twinByCall = { ...inVariable, id: "pod0", mark: ownMark, unanswered: { ...create, call } };
const twinByName = { ...inName, id: "volume0", mark: ownMark, unanswered: { ...create, name: madeUp } };

const ours: Standing = { is: "ours" };
const leftOver: Standing = { is: "left over" };
const twin: Standing = { is: "twin" };
const foreign: Standing = { is: "foreign", isCopy: false };
const copy: Standing = { is: "foreign", isCopy: true };
const heldBy = (holder: string): Standing => ({ is: "held by", holder });
const theirName = 'Pod "theirs" of project/dev';

type Case = [string, Properties & { id: string }, Omit<Asker, "isOwn" | "holderOf">, Standing];

const claimed: Case[] = [
  ["the object of its state", pod(own), { ...inVariable, ...had }, heldBy("urn:claim")],
  ["a twin", pod(own), twinByCall, heldBy("urn:claim")],
  ["what carries its mark", pod(own), inVariable, heldBy("urn:claim")],
];
test.each(claimed)("%s is held by another resource that has claimed it", (_what, object, asker, standing) => {
  expect(standingOf(object, { ...asker, isOwn: () => true, holderOf: () => "urn:claim" })).toEqual(standing);
});

test.each<Case>([
  ["of its state, with the mark that this remembers", pod(own), { ...inVariable, ...had }, ours],
  ["of its state, without a mark, which is no other mark", pod(undefined), { ...inVariable, ...had }, ours],
  ["of its state, which never had a mark", pod(undefined), { ...inVariable, id: "pod1" }, ours],
  [
    "of its state, under a name of the program",
    volume("data"),
    { ...inName, id: "volume1", mark: ownMark },
    ours,
  ],
  [
    "of its state, with its own mark, though this remembers another",
    pod(own),
    { ...inVariable, id: "pod1", mark: theirMark },
    ours,
  ],
  [
    "of its state, with another mark, which this remembers, as after an import",
    pod(theirs),
    { ...inVariable, id: "pod1", mark: theirMark },
    ours,
  ],
  [
    "of its state, with the mark of another resource",
    pod(theirs),
    { ...inVariable, ...had },
    heldBy(theirName),
  ],
  [
    "of its state, which had no mark, with that of another resource",
    pod(theirs),
    { ...inVariable, id: "pod1" },
    heldBy(theirName),
  ],
  [
    "of its state, with the mark of another resource in its name",
    volume("data-0123456789ab"),
    { ...inName, id: "volume1", mark: ownMark },
    heldBy("another resource"),
  ],

  ["with the digits of the unanswered call", pod(own), twinByCall, twin],
  [
    "with the number of the request that was answered, as a copy of the object in the state has",
    pod(own, { attempt: 2 }),
    twinByCall,
    leftOver,
  ],
  [
    "with these digits, and another name, as a person's copy of the twin has",
    pod(own, { name: "web-copy" }),
    twinByCall,
    copy,
  ],
  [
    "with these digits, created an hour later, as a person's copy of the twin is",
    pod(own, { createdAt: at(60) }),
    twinByCall,
    copy,
  ],
  [
    "with these digits, which another resource has adopted",
    pod(theirs, { attempt: adoption }),
    twinByCall,
    foreign,
  ],
  ["with the made-up name of the unanswered call", volume(madeUp), twinByName, twin],
  ["with that name, created an hour later", volume(madeUp, at(60)), twinByName, leftOver],
  ["with another name", volume("data"), twinByName, foreign],

  ["with exactly its mark", pod(own), inVariable, leftOver],
  ["with exactly its mark in the name", volume(madeUp), inName, leftOver],
  [
    "with its mark, and another name than it was created with",
    pod(own, { name: "web-copy" }),
    inVariable,
    copy,
  ],
  ["with its mark, created an hour after the request", pod(own, { createdAt: at(60) }), inVariable, copy],
  [
    "with its mark by an adoption, of which neither tells",
    pod(own, { attempt: adoption, name: "data", createdAt: at(-60) }),
    inVariable,
    leftOver,
  ],
  ["with the mark of another resource", pod(theirs), inVariable, foreign],
  ["without a mark", pod(undefined), inVariable, foreign],
  ["under a name of the program", volume("data"), inName, foreign],
])("an object %s", (_what, object, asker, standing) => {
  const isOwn: Asker["isOwn"] = (mark) => isMarkOf(mark, own);
  expect(standingOf(object, { ...asker, isOwn, holderOf: () => undefined })).toEqual(standing);
});
