import type { Send } from "../../provider/client/transport";
import { type Limits, paced, SimulatedClock, SimulatedService, up } from "./simulation";

/** Ups at the same time, and what came of them. */
async function simulated(limits: Limits, stacks: number, size: number, client: typeof paced | "best") {
  const clock = new SimulatedClock(1_000_000_337);
  const service = new SimulatedService(clock, limits);
  const best = service.best();
  const send = (): Send => (client === "best" ? best : client(service, clock));
  const began = clock.now();
  const statuses = await clock.until(Promise.all(Array.from({ length: stacks }, () => up(send(), size))));
  return { seconds: (clock.now() - began) / 1000, refused: service.refused, statuses: statuses.flat() };
}

const quota = 60;
/** When in a window the first request comes: anywhere, and close to its end, where few requests still fit. */
const phases = (window: number) => [
  ...Array.from({ length: 12 }, (_, index) => window * (1 - index / 12)),
  ...Array.from({ length: 12 }, (_, index) => 0.9 - index * 0.07),
];

describe.each([6, 12, 30, 60])("300 resources under 60 requests each %s s", (window) => {
  const cases = phases(window).map((firstWindow) => ({ quota, window, firstWindow }));

  test("take at most 1.1 times the least time, whenever they begin, and no request is refused", async () => {
    for (const limits of cases) {
      const least = await simulated(limits, 1, 300, "best");
      const own = await simulated(limits, 1, 300, paced);
      expect({ ...limits, refused: own.refused, ratio: Math.max(1.1, own.seconds / least.seconds) }).toEqual({
        ...limits,
        refused: 0,
        ratio: 1.1,
      });
    }
  });

  test.each([true, false])(
    "of two stacks at once succeed, where answers tell the windows: %s",
    async (headers) => {
      for (const limits of cases) {
        const least = await simulated(limits, 2, 150, "best");
        const own = await simulated({ ...limits, headers }, 2, 150, paced);
        expect(new Set(own.statuses)).toEqual(new Set([200]));
        // What is left of the last window is spread over it.
        expect(own.seconds).toBeLessThan(1.1 * least.seconds + window);
      }
    },
  );
});
