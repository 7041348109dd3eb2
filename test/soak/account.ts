import { filtered } from "../../provider/value";
import type { Emulator } from "../../sdk/emulator/service";
import { type Existing, existing, ownVariables } from "../chaos/findings";

/** An object, with a text of what a program or a person can set of it. */
export interface Seen extends Existing {
  readonly text: string;
}

/** The objects of the account at a time, by their ids. */
export type Objects = ReadonlyMap<string, Seen>;

/** What only a program or a person changes. */
const set =
  /^(name|size|dataCenter|image|args|gpu|compute|mounts|networkVolumes|globalVolumes|registry|workers|locked)$/;

export function seen(emulator: Emulator): Objects {
  return new Map(
    existing(emulator).map((one) => {
      const own = filtered(one.object, (name) => set.test(name));
      return [one.id, { ...one, text: JSON.stringify({ ...own, env: ownVariables(one.object.env) }) }];
    }),
  );
}
