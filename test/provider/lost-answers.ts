import type { Properties } from "../../provider/value";
import { letPass } from "./fast-clock";
import { begin, creations, emulator, existing, type Kind } from "./process";

/** Makes creates take effect late, by so many milliseconds of the fast clock. Their error answer comes at once. */
export function late(milliseconds: number): void {
  const what = { later: milliseconds, status: 504 };
  for (const { match } of creations) emulator.faults.add({ match, when: "before", what } as never);
}

/** Waits for what comes late. */
export async function until(holds: () => boolean): Promise<void> {
  for (const began = Date.now(); !holds(); ) {
    if (Date.now() - began > 20_000) throw new Error("what was to come late has not come");
    await letPass();
  }
}

/** Begins a create whose answer never comes, as if the run had died. Returns the id of the object. */
export async function interrupted(kind: Kind, changes: Properties = {}): Promise<string> {
  const before = new Set(existing());
  for (const { match } of creations)
    emulator.faults.add({ match, when: "after", what: { hang: true } } as never);
  begin(kind, changes).catch(() => undefined);
  for (;;) {
    const made = existing().find((id) => !before.has(id));
    if (made !== undefined) {
      emulator.faults.clear();
      return made;
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
