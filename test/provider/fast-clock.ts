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
