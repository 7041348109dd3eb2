import type { Run } from "../run";
import type { Properties } from "../value";

/**
 * Guards an object that the state has. One that a replacement has deleted already, and whose successor is still to be made, stands there,
 * too: nothing stops that. Pulumi is asked only where the guard fails.
 */
export async function unlessGone(
  run: Run,
  id: string,
  whose: Properties,
  guard: () => Promise<void>,
): Promise<void> {
  try {
    await guard();
  } catch (error) {
    const state = await run.states.before(whose);
    if (!state?.objects.some((one) => one.id === id && one.isGone)) throw error;
  }
}
