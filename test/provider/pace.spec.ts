import { systemClock } from "../../provider/client/clock";
import { pace, Quota } from "../../provider/client/pace";
import type { Request } from "../../provider/client/transport";
import { tellWaits } from "../../provider/engine/log";

/** A clock that moves only when the test moves it. */
class TestClock {
  private time = 1_000_000;
  private sleepers: { at: number; wake: () => void }[] = [];
  now = () => this.time;
  random = () => 0;
  sleep = (milliseconds: number) =>
    new Promise<void>((wake) => {
      this.sleepers.push({ at: this.time + milliseconds, wake });
    });

  async pass(milliseconds: number): Promise<void> {
    const end = this.time + milliseconds;
    for (;;) {
      await settled();
      const next = this.sleepers.sort((a, b) => a.at - b.at)[0];
      if (next === undefined || next.at > end) break;
      this.sleepers.shift();
      this.time = next.at;
      next.wake();
    }
    this.time = end;
    await settled();
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

let clock: TestClock;
let quota: Quota;
let gone: string[];

beforeEach(() => {
  clock = new TestClock();
  quota = new Quota(clock);
  gone = [];
});

/** The rate limit headers of an answer. By default a minute of 60 requests. */
const headers = (left: number, resets: number, policy = '"minute";q=60;w=60') => ({
  ratelimit: `"minute";r=${left};t=${resets}`,
  "ratelimit-policy": policy,
});

/** Sends one request. Its answer says how many requests are left in the minute. */
async function answered(left: number, resets: number): Promise<void> {
  await quota.turn(rank.change);
  quota.learn({ headers: headers(left, resets) });
}

/** As pace() ranks them. */
const rank = { read: 0, change: 1, refused: 2 };

function ask(name: string, rank = 1): void {
  quota.turn(rank).then(() => gone.push(name));
}

test("nothing waits before the service has told its quota", async () => {
  for (let number = 0; number < 100; number++) ask(String(number));
  await settled();
  expect(gone).toHaveLength(100);
});

test("requests go at full speed while there is plenty", async () => {
  await answered(59, 50);
  for (let number = 0; number < 44; number++) ask(String(number));
  await settled();
  expect(gone).toHaveLength(44);
});

test("requests go at full speed to the end of a quota that nobody else uses", async () => {
  await answered(10, 50);
  for (let number = 0; number < 20; number++) ask(String(number));
  await settled();
  expect(gone).toHaveLength(10);
  await clock.pass(50_000);
  expect(gone).toHaveLength(20);
});

test("what is left at the end of a quota that somebody else uses is spread over the rest of the window", async () => {
  await answered(40, 50);
  await answered(10, 50);
  for (let number = 0; number < 14; number++) ask(String(number));
  await clock.pass(0);
  expect(gone).toHaveLength(0);
  await clock.pass(5_000);
  expect(gone).toHaveLength(1);
  await clock.pass(45_000);
  expect(gone.length).toBeGreaterThanOrEqual(9);
  await clock.pass(1_000);
  expect(gone).toHaveLength(14);
});

test("a turn that is given back does not speed up what follows the request after it", async () => {
  await answered(40, 50);
  await answered(10, 50);
  const first = quota.turn(rank.change);
  ask("second");
  await clock.pass(10_000);
  expect(gone).toEqual(["second"]);
  (await first)();
  ask("third");
  await clock.pass(1_000);
  expect(gone).toEqual(["second"]);
  await clock.pass(5_000);
  expect(gone).toEqual(["second", "third"]);
});

test("when nothing is left, nothing goes until the window begins anew", async () => {
  await answered(0, 30);
  ask("it");
  await clock.pass(29_000);
  expect(gone).toEqual([]);
  await clock.pass(1_000);
  expect(gone).toEqual(["it"]);
});

test("changes go before reads that waited longer, and what was refused goes before both", async () => {
  await answered(0, 30);
  ask("poll 1", rank.read);
  ask("poll 2", rank.read);
  ask("create", rank.change);
  ask("create again", rank.refused);
  await clock.pass(30_000);
  expect(gone).toEqual(["create again", "create", "poll 1", "poll 2"]);
});

test("what somebody else of the account has used is taken into account", async () => {
  await answered(59, 50);
  await answered(3, 49);
  for (let number = 0; number < 5; number++) ask(String(number));
  await clock.pass(10_000);
  expect(gone.length).toBeLessThan(2);
});

test("no more than a quarter of a quota that somebody else uses is on its way at once", async () => {
  await answered(59, 50);
  await answered(50, 49);
  for (let number = 0; number < 40; number++) ask(String(number));
  await settled();
  expect(gone).toHaveLength(15);
  quota.learn({ headers: headers(49, 49) });
  await settled();
  expect(gone).toHaveLength(16);
});

test("a refusal that tells no window holds back everything until the time that it tells", async () => {
  await quota.turn(rank.change);
  quota.learn({ status: 429, headers: { "retry-after": "30" } });
  ask("it");
  await clock.pass(29_000);
  expect(gone).toEqual([]);
  await clock.pass(1_000);
  expect(gone).toEqual(["it"]);
});

test("the end of a day's quota is not waited for: the service says no, and that ends the run", async () => {
  await quota.turn(rank.change);
  quota.learn({ headers: { ratelimit: '"day";r=0;t=40000', "ratelimit-policy": '"day";q=50000;w=86400' } });
  await quota.turn(rank.change);
  quota.learn({ status: 429, headers: { "retry-after": "40000" } });
  ask("it");
  await settled();
  expect(gone).toEqual(["it"]);
});

test("a window is over after its own length, however far away a response puts its end", async () => {
  const told = { "ratelimit-policy": '"minute";q=1;w=60', ratelimit: '"minute";r=0;t=1795351965' };
  quota.learn({ headers: told });
  expect(quota.pause()).toBeLessThanOrEqual(60_000);
});

test.each(['"minute";q=60;w=0', '"minute";q=0;w=60'])(
  "a window that cannot be, %s, holds nothing back",
  async (policy) => {
    await quota.turn(rank.change);
    quota.learn({ headers: headers(0, 30, policy) });
    await clock.pass(1);
    expect(quota.pause()).toBe(0);
    ask("next");
    await settled();
    expect(gone).toEqual(["next"]);
  },
);

test("a request whose caller would not wait for the quota is not sent, since the service would only refuse it", async () => {
  await answered(0, 50);
  const send = jest.fn();
  const request = { effect: "read", errand: { patience: 3_000 } } as Request;
  expect(await pace(send, quota, clock)(request)).toEqual({
    status: 429,
    headers: { "retry-after": "50" },
    body: "",
  });
  expect(send).not.toHaveBeenCalled();
});

test("a wait for the quota is told when it begins", async () => {
  const told: string[] = [];
  tellWaits((text) => told.push(text));
  await answered(0, 50);
  const response = { status: 200, headers: {}, body: "" };
  const sent = pace(async () => response, quota, clock)({ effect: "read" } as Request);
  await settled();
  expect(told).toEqual(["waiting for the account's rate limit, 50 s"]);
  await clock.pass(50_000);
  expect(await sent).toEqual(response);
});

test("after a cancellation no request is held any more but that of an unending errand", async () => {
  const stop = new AbortController();
  quota = new Quota(clock, stop.signal);
  await answered(0, 60);
  ask("waits");
  const unending = quota.turn(rank.change, true).then(() => gone.push("unending"));
  await settled();
  expect(gone).toEqual([]);
  stop.abort();
  await settled();
  ask("later");
  await settled();
  expect(gone).toEqual(["waits", "later"]);
  await clock.pass(60_000);
  await unending;
  expect(gone).toEqual(["waits", "later", "unending"]);
});

test("after a cancellation no timer is left that would keep the process", async () => {
  const stop = new AbortController();
  quota = new Quota(systemClock, stop.signal);
  const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;
  const before = timers();
  await answered(0, 60);
  ask("waits");
  await settled();
  expect(timers()).toBe(before + 1);
  stop.abort();
  await settled();
  expect(timers()).toBe(before);
  expect(gone).toEqual(["waits"]);
});
