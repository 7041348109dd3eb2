import { againstTheBest, beginnings } from "./simulation";

describe.each([6, 12, 30, 60])("300 resources under 60 requests each %s s", (window) => {
  const cases = beginnings(window).map((firstWindow) => ({ quota: 60, window, firstWindow }));

  test("take at most 1.1 times the least time, whenever they begin, and no request is refused", async () => {
    for (const limits of cases) {
      const { ratio, refused } = await againstTheBest(limits, 1, 300);
      expect({ ...limits, refused, ratio: Math.max(1.1, ratio) }).toEqual({
        ...limits,
        refused: 0,
        ratio: 1.1,
      });
    }
  });

  test.each([true, false])(
    "of two stacks at once succeed, where responses tell the windows: %s",
    async (headers) => {
      for (const limits of cases) {
        const { statuses, seconds, least } = await againstTheBest({ ...limits, headers }, 2, 300);
        expect(new Set(statuses)).toEqual(new Set([200]));
        // What is left of the last window is spread over it.
        expect(seconds).toBeLessThan(1.1 * least + window);
      }
    },
  );
});
