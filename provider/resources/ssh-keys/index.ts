import * as z from "zod";
import type { Api } from "../../client/api";
import { ExpectedError, unreadable } from "../../client/errors";
import type { Definition, ServiceObject } from "../../core/kind";
import { invalid } from "../../schema/failure";
import { type ChangeRule, change, inPlaceWhere } from "../../schema/field";
import { wholeRule } from "../../schema/rule";
import { hasUnknown } from "../../value";
import { keysWouldGo, knownKeysWouldGo } from "../../words/whose";
import { sshKeysShape } from "./outputs";
import type { SshKeysArgs } from "./types";

const address = "/account/ssh-keys";

/** The keys in a response. */
function keysIn(call: string, response: unknown): string[] {
  const { keys } = Object(response) as { keys?: unknown };
  if (Array.isArray(keys) && keys.every((key) => typeof key === "string")) return keys;
  throw unreadable(`${call} ${address}`, 200, "it has no list of keys");
}

export async function keysOf(api: Api): Promise<string[]> {
  return keysIn("GET", await api.rest.get(address));
}

async function setKeys(api: Api, keys: unknown): Promise<string[]> {
  return keysIn("PUT", await api.rest.put(address, { keys }));
}

/** Trimmed, because key files end in a line break. (API: Account, SSH keys) */
const line = z
  .string()
  .trim()
  .regex(
    /^(ssh|ecdsa|sk)-\S+ \S+([ \t][^\n\r]*)?$/,
    'must be one line with a public key, such as "ssh-ed25519 AAAA… me@example.com"',
  );

const trimmed = (keys: unknown) =>
  Array.isArray(keys) ? keys.map((key) => (typeof key === "string" ? key.trim() : key)) : keys;

/** Type and body of a key. Keys that differ only in the comment are the same key. */
const identity = (key: string) => key.split(/\s+/, 2).join(" ");

/** The account's keys. Keys that the program has are written as in the program. */
function observed(keys: readonly string[], own: readonly string[]): ServiceObject {
  const written = new Map(own.map((key) => [identity(key), key]));
  return { id: "ssh-keys", keys: keys.map((key) => written.get(identity(key)) ?? key) };
}

/** A key for messages: its type, the end of its body and its comment. */
function described(key: string): string {
  const [type, body = "", ...comment] = key.split(/\s+/);
  return [type, `…${body.slice(-8)}`, ...comment].join(" ");
}

/** The account's keys that would be removed without notice: they are neither in the list nor in the state. */
async function wouldLose(api: Api, keys: string[], shown: string[] = []): Promise<string | undefined> {
  const known = new Set([...keys, ...shown].map(identity));
  const lost = (await keysOf(api)).filter((key) => !known.has(identity(key)));
  return lost.length === 0 ? undefined : lost.map(described).join(", ");
}

/** The code of such a removal. */
const code = "PODLUMI-SSH-KEYS";

/** In place, if the state has every key that would be removed, so that the preview shows it. */
const onceShown: ChangeRule = (from, to, context) => {
  if (hasUnknown(to)) return "update";
  return inPlaceWhere(async (api) => {
    const lost = await wouldLose(api, to as string[], from as string[]);
    if (lost === undefined) return true;
    throw new ExpectedError(knownKeysWouldGo(lost), code);
  })(from, to, context);
};

/** (API: Account, SSH keys) */
export const sshKeys: Definition<SshKeysArgs> = {
  type: "SshKeys",
  noun: "SSH keys",
  single: true,
  fields: { keys: change(z.array(line), onceShown, { normalize: trimmed, sensitive: true }) },
  rules: [
    wholeRule(["keys"], ({ keys }) => {
      const all = (trimmed(keys) as string[]).map(identity);
      const index = all.findIndex((key, index) => all.indexOf(key) < index);
      return index < 0 ? undefined : invalid(`keys[${index}]`, "is in the list already: remove one");
    }),
  ],
  advice: {
    async conflict(api, { keys }) {
      const lost = hasUnknown(keys) ? undefined : await wouldLose(api, trimmed(keys) as string[]);
      return lost === undefined ? undefined : { property: "keys", reason: keysWouldGo(lost), code };
    },
  },
  outputs: { shape: sshKeysShape },
  async create(api, { keys }) {
    const lost = await wouldLose(api, keys as string[]);
    if (lost !== undefined) throw new ExpectedError(keysWouldGo(lost), code);
    return observed(await setKeys(api, keys), keys as string[]);
  },
  // An account has one set of keys, so a create without an answer is repeated instead of looked for.
  list: async () => undefined,
  read: async (api, _id, { keys = [] }) => observed(await keysOf(api), keys as string[]),
  update: async (api, _id, { keys }) => observed(await setKeys(api, keys), keys as string[]),
  // Keep the keys: losing access is worse than keeping a key too many.
  delete: async () => true,
};
