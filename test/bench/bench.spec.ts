import { runsAll } from "../engine/runs-all";
import { describeLong, testLong } from "../harness/long";
import { type Account, openAccount } from "./account";
import { countOf, roundTrips } from "./calls";
import { expectedTrips } from "./expected";
import { Bench, faces, type Measured, type Phase, phases } from "./life";
import { samples } from "./measure-lives";
import { kinds, mixed, pods } from "./program";
import { sum } from "./results";

/** Resources of each kind. More than one, so that one request per kind differs from one per resource. */
const ofEachKind = 3;
const size = ofEachKind * kinds;

/** Both faces ask for the same. The plugin starts faster. */
const asking = runsAll ? faces : (["plugin"] as const);

describe.each(asking)("what the life of a stack of %s asks of the service", (face) => {
  const life = {} as Record<Phase, Measured>;
  let account: Account;

  beforeAll(async () => {
    account = await openAccount();
    const bench = await Bench.create(account, face, mixed(size));
    for (const phase of phases) life[phase] = await bench.phase(phase);
    bench.remove();
  }, 180_000);
  afterAll(() => account.close());

  test("creating it takes one request a resource, and one list of each kind", () => {
    expect(sum(countOf(life.up.calls, "change"))).toBe(size);
    expect(sum(countOf(life.up.calls, "read"))).toBe(0);
    expect(repeated(countOf(life.up.calls, "list"))).toEqual({});
  });

  test("an up with no change changes nothing, and lists each kind at most once", () => {
    expect(countOf(life.again.calls, "change", "read")).toEqual({});
    expect(repeated(countOf(life.again.calls, "list"))).toEqual({});
  });

  test("a refresh lists each kind once, and reads no object singly", () => {
    expect(countOf(life.refresh.calls, "change", "read")).toEqual({});
    expect(sum(countOf(life.refresh.calls, "list"))).toBeGreaterThanOrEqual(kinds);
    expect(repeated(countOf(life.refresh.calls, "list"))).toEqual({});
  });

  test("deleting it takes one request a resource, and one list of each kind", () => {
    expect(sum(countOf(life.destroy.calls, "change"))).toBe(size);
    expect(sum(countOf(life.destroy.calls, "read"))).toBe(0);
    const lists = countOf(life.destroy.calls, "list");
    expect(repeated(lists)).toEqual({});
    // A secret and a credential stay while a pod names them, and those of clusters are listed apart.
    expect(Object.keys(lists)).toHaveLength(kinds + 1);
    expect(lists).toHaveProperty("GET /clusters");
  });
});

/**
 * Milliseconds that an answer takes. Much longer than the engine takes between two requests, so that requests overlap
 * unless one waits for the other.
 */
const latency = 600;

describeLong.each(faces)("the round trips of %s", (face) => {
  const life = {} as Record<Phase, Measured>;

  beforeAll(async () => {
    const account = await openAccount({ timings: { latency } });
    const bench = await Bench.create(account, face, mixed(kinds));
    try {
      for (const phase of phases) life[phase] = await bench.phase(phase);
    } finally {
      bench.remove();
      account.close();
    }
  }, 180_000);

  test.each(phases)("%s waits for no answer that it does not need", (phase) => {
    const { calls } = life[phase];
    const began = Math.min(...calls.map(({ at }) => at));
    const times = calls.map(
      ({ at, ended, name }) => `${at - began} to ${Math.round(ended - began)}: ${name}`,
    );
    const excess = roundTrips(calls) - expectedTrips(phase, kinds);
    // A specification that fails names the requests.
    expect(excess > 0 ? times : []).toEqual([]);
  });
});

testLong(
  "pods that boot at once are waited for together",
  async () => {
    const count = 16;
    const account = await openAccount({ timings: { starting: 2_000 } });
    const bench = await Bench.create(account, "podlumi", pods(count));
    try {
      const { calls } = await bench.phase("up", "--parallel", String(count));
      expect(countOf(calls, "change")).toEqual({ "POST /pods": count });
      // The first pod that waits is alone, so it is read singly.
      expect(sum(countOf(calls, "read"))).toBeLessThanOrEqual(1);
      // One list before the first create, then one list per poll, however many pods wait.
      expect(sum(countOf(calls, "list"))).toBeLessThan(count);
    } finally {
      bench.remove();
      account.close();
    }
  },
  120_000,
);

testLong(
  "the provider that does nothing keeps as much as podlumi",
  async () => {
    const account = await openAccount();
    const [podlumi, idle] = [
      await Bench.create(account, "podlumi", mixed(kinds)),
      await Bench.create(account, "idle", mixed(kinds), await samples(account)),
    ];
    try {
      const { calls } = await idle.phase("up");
      expect(calls).toEqual([]);
      await podlumi.phase("up");
      expect(kept(idle) / kept(podlumi)).toBeCloseTo(1, 1);
    } finally {
      for (const bench of [podlumi, idle]) bench.remove();
      account.close();
    }
  },
  180_000,
);

/** The size of what a stack keeps of its objects. Its file also has paths of the program, of any length. */
function kept(bench: Bench): number {
  return JSON.stringify(bench.state().resources.map(({ inputs, outputs }) => [inputs, outputs])).length;
}

/** The requests that were sent more than once. */
function repeated(counts: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 1));
}
