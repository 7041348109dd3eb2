import type { Api } from "../../../provider/client/api";
import { type Observed, surveyed } from "../../../provider/core/kind";
import type { Mark } from "../../../provider/core/mark/mark";
import { readWhole } from "../../../provider/core/state/arguments-of";
import type { KindName } from "../../../provider/resources";
import { isEmpty } from "../../../provider/value";
import { definitionOf, listedKinds } from "../kinds";

/** An object of the account, as its definition reads it. */
export interface Found {
  readonly kind: KindName;
  readonly id: string;
  readonly name: string | undefined;
  readonly observed: Observed;
  readonly mark: Mark | undefined;
}

/** Every object whose name has the prefix, in an order in which a program can declare them: what others use comes first. */
export async function observedIn(api: Api, prefix: string): Promise<Found[]> {
  const declared = [...listedKinds].reverse();
  const kinds = await Promise.all([keys(api, prefix), ...declared.map((kind) => all(api, kind))]);
  return kinds.flat().filter(({ name = "" }) => name.startsWith(prefix));
}

async function all(api: Api, kind: KindName): Promise<Found[]> {
  const listed = (await surveyed(definitionOf(kind), api)) ?? [];
  const found = await Promise.all(listed.map(({ id }) => read(api, kind, id)));
  return found.filter((one) => one !== undefined).sort((a, b) => (a.name ?? "").localeCompare(b.name ?? ""));
}

/** Undefined when the object has gone since it was listed. */
async function read(api: Api, kind: KindName, id: string): Promise<Found | undefined> {
  const whole = await readWhole(definitionOf(kind), api, id);
  if (whole === undefined) return undefined;
  const { object: observed, mark } = whole;
  const name = typeof observed.name === "string" ? observed.name : undefined;
  return { kind, id, name, observed, mark };
}

/** The account's SSH keys have no name, so a prefix leaves them out. */
async function keys(api: Api, prefix: string): Promise<Found[]> {
  if (prefix !== "") return [];
  const observed = await definitionOf("SshKeys").read(api, "ssh-keys", {});
  if (observed === undefined || isEmpty(observed.keys)) return [];
  return [{ kind: "SshKeys", id: "ssh-keys", name: undefined, observed, mark: undefined }];
}
