import { Quota } from "../../provider/client/pace";

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
  await quota.turn(true);
  quota.learn(headers(left, resets));
}

function ask(name: string, urgent: boolean): void {
  quota.turn(urgent).then(() => gone.push(name));
}

test("nothing waits before the service has told its quota", async () => {
  for (let number = 0; number < 100; number++) ask(String(number), true);
  await settled();
  expect(gone).toHaveLength(100);
});

test("requests go at full speed while there is plenty", async () => {
  await answered(59, 50);
  for (let number = 0; number < 44; number++) ask(String(number), true);
  await settled();
  expect(gone).toHaveLength(44);
});

test("what is left at the end of a quota is spread over the time until the window begins anew", async () => {
  await answered(10, 50);
  for (let number = 0; number < 20; number++) ask(String(number), true);
  await clock.pass(0);
  expect(gone).toHaveLength(0);
  await clock.pass(5_000);
  expect(gone).toHaveLength(1);
  await clock.pass(45_000);
  expect(gone.length).toBeGreaterThanOrEqual(9);
  await clock.pass(1_000);
  expect(gone).toHaveLength(20);
});

test("when nothing is left, nothing goes until the window begins anew", async () => {
  await answered(0, 30);
  ask("it", true);
  await clock.pass(29_000);
  expect(gone).toEqual([]);
  await clock.pass(1_000);
  expect(gone).toEqual(["it"]);
});

test("changes go before reads that waited longer", async () => {
  await answered(0, 30);
  ask("poll 1", false);
  ask("poll 2", false);
  ask("create", true);
  await clock.pass(30_000);
  expect(gone).toEqual(["create", "poll 1", "poll 2"]);
});

test("what somebody else of the account has used is taken into account", async () => {
  await answered(59, 50);
  await answered(3, 49);
  for (let number = 0; number < 5; number++) ask(String(number), true);
  await clock.pass(10_000);
  expect(gone.length).toBeLessThan(2);
});

test("the end of a day's quota is not waited for: the service says no, and that ends the run", async () => {
  await quota.turn(true);
  quota.learn({ ratelimit: '"day";r=0;t=40000', "ratelimit-policy": '"day";q=50000;w=86400' });
  ask("it", true);
  await settled();
  expect(gone).toEqual(["it"]);
});

test("a window is over after its own length, however far away an answer puts its end", async () => {
  quota.learn({ "ratelimit-policy": '"minute";q=1;w=60', ratelimit: '"minute";r=0;t=1795351965' });
  expect(quota.pause()).toBeLessThanOrEqual(60_000);
});
