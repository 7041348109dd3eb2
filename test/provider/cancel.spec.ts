import { setImmediate, setTimeout } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Api } from "../../provider/client/api";
import { endingBy } from "../../provider/client/cancel";
import { systemClock } from "../../provider/client/clock";
import type { HttpResponse, Send } from "../../provider/client/transport";

const settings = {
  apiKey: "key",
  apiUrl: "https://service.test",
  graphqlUrl: "https://service.test",
  queueUrl: "https://service.test",
};

/** Collects garbage. */
function collect(): void {
  setFlagsFromString("--expose_gc");
  runInNewContext("gc")();
}

const waiting = (signal?: AbortSignal) => {
  const cancelled = new AbortController();
  const wait = endingBy(cancelled.signal, systemClock).clock.sleep(60_000, signal);
  return { cancelled, wait };
};

test("a wait ends with its time limit, whatever garbage is collected meanwhile", async () => {
  const { cancelled, wait } = waiting(AbortSignal.timeout(300));
  const ended = jest.fn();
  wait.catch(ended);
  await setImmediate();
  collect();
  await setTimeout(1_000);
  expect(ended).toHaveBeenCalled();
  cancelled.abort();
});

test("a wait with a time limit ends with the run", async () => {
  const { cancelled, wait } = waiting(AbortSignal.timeout(60_000));
  cancelled.abort(new Error("it was cancelled"));
  await expect(wait).rejects.toThrow("it was cancelled");
});

test.each(["before", "after"])(
  "a request ends soon after the run, also one that begins %s its end",
  async (begins) => {
    jest.useFakeTimers();
    const cancelled = new AbortController();
    const asked: (AbortSignal | undefined)[] = [];
    const never: Send = ({ signal }) => {
      asked.push(signal);
      return new Promise(() => undefined);
    };
    if (begins === "after") cancelled.abort();
    const api = new Api(settings, systemClock, never, undefined, undefined, cancelled.signal);
    void api.rest.get("/pods");
    if (begins === "before") cancelled.abort();
    await jest.advanceTimersByTimeAsync(4_000);
    expect(asked).toMatchObject([{ aborted: false }]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(asked).toMatchObject([{ aborted: true }]);
    jest.useRealTimers();
  },
);

test("an unending errand goes on after the end of the run: its pauses and its requests", async () => {
  jest.useFakeTimers();
  const cancelled = new AbortController();
  const asked: (AbortSignal | undefined)[] = [];
  let answer: (response: HttpResponse) => void = () => undefined;
  const slow: Send = ({ signal }) => {
    asked.push(signal);
    return new Promise((answered) => {
      answer = answered;
    });
  };
  const api = new Api(settings, systemClock, slow, undefined, undefined, cancelled.signal);
  const unending = api.for({ unending: true });
  const found = unending.for({ urn: "urn" }).rest.get("/pods");
  cancelled.abort(new Error("it was cancelled"));
  jest.advanceTimersByTime(5_000);
  await expect(api.clock.sleep(1)).rejects.toThrow("it was cancelled");
  await expect(unending.clock.sleep(0)).resolves.toBeUndefined();
  expect(asked).toEqual([undefined]);
  answer({ status: 200, headers: {}, body: "{}" });
  expect(await found).toEqual({});
  jest.useRealTimers();
});
