import { systemClock } from "../../provider/client/clock";

/** The fast clock of the provider runs this many times faster than real time: half a minute takes half a second. */
export const speed = 60;

const { sleep } = systemClock;

/** Lets the provider's clock run fast until `jest.restoreAllMocks()`. `by` tells how much shorter its pauses are. */
export function useFastClock(by = () => speed): void {
  const began = Date.now();
  jest.spyOn(systemClock, "now").mockImplementation(() => began + (Date.now() - began) * speed);
  jest.spyOn(systemClock, "sleep").mockImplementation((pause, signal) => sleep(pause / by(), signal));
}

/** Stops the fast clock in a pause of at least so many milliseconds until something is done, however long a busy machine takes for it. */
export function stopInPause(least: number, done: Promise<unknown>): void {
  const [now, sleep] = [jest.mocked(systemClock.now), jest.mocked(systemClock.sleep)];
  const fast = { now: implementationOf(now), sleep: implementationOf(sleep) };
  let lost = 0;
  let stopped: number | undefined;
  now.mockImplementation(() => (stopped ?? fast.now()) - lost);
  sleep.mockImplementation(async (pause, signal) => {
    if (pause >= least && stopped === undefined) {
      stopped = fast.now();
      await done;
      lost += fast.now() - stopped;
      stopped = undefined;
    }
    await fast.sleep(pause, signal);
  });
}

function implementationOf<F extends (...given: never[]) => unknown>(mock: jest.MockedFunction<F>): F {
  const found = mock.getMockImplementation();
  if (found === undefined) throw new Error("useFastClock() comes first");
  return found as F;
}
