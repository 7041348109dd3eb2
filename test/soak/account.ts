import { filtered, type Properties } from "../../provider/core/value";
import { type Existing, existing, ownVariables } from "../chaos/findings";
import type { Emulator } from "../emulator";

/** An object, with a text of what a program or a person can set of it. */
export interface Seen extends Existing {
  readonly text: string;
}

/** What only a program or a person changes. */
const set = [
  "name",
  "size",
  "dataCenter",
  "image",
  "args",
  "gpu",
  "compute",
  "mounts",
  "networkVolumes",
  "globalVolumes",
  "registry",
  "workers",
  "locked",
];

/** All objects of the account by their ids. */
export function seen(emulator: Emulator): ReadonlyMap<string, Seen> {
  return new Map(existing(emulator).map((one) => [one.id, { ...one, text: textOf(one.object) }]));
}

function textOf(object: Properties): string {
  const own = filtered(object, (name) => set.includes(name));
  return JSON.stringify({ ...own, env: ownVariables(object.env) });
}
