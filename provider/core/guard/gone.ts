import type { Edit } from "../existing";

/**
 * Guards an object that the state has. One that a replacement has deleted already, and whose successor is still to be created, stands there,
 * too: nothing stops that. Pulumi is asked only where the guard fails.
 */
export async function unlessGone({ run, id, news }: Edit, guard: () => Promise<void>): Promise<void> {
  try {
    await guard();
  } catch (error) {
    const state = await run.states.before(news);
    if (!state?.objects.some((one) => one.id === id && one.isGone)) throw error;
  }
}
