import { speed } from "./fast-clock";
import { creations, emulator } from "./process";

/** Makes creates take effect late, in milliseconds of the provider's clock. Their error answer comes at once. */
export function late(milliseconds: number): void {
  const what = { later: milliseconds / speed, status: 504 };
  for (const { match } of creations) emulator.faults.add({ match, when: "before", what } as never);
}

/** Waits for what comes late. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}
