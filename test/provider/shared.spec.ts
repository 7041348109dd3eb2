import { systemClock } from "../../provider/client/clock";
import { Answers, impatiently, patienceNow } from "../../provider/client/patience";
import { Shared } from "../../provider/client/shared";

interface Thing {
  id: string;
  size: number;
}

let things: Thing[];
let lists: number;
let looks: string[];
let time: number;
let shared: Shared<Thing>;

/** A clock whose pauses end at once. */
const clock = {
  ...systemClock,
  now: () => time,
  sleep: async (milliseconds: number) => {
    time += milliseconds;
  },
};
const all = async () => {
  lists += 1;
  return structuredClone(things);
};
const one = async (id: string) => {
  looks.push(id);
  return structuredClone(things.find((thing) => thing.id === id));
};

beforeEach(() => {
  things = ["a", "b", "c"].map((id) => ({ id, size: 1 }));
  lists = 0;
  looks = [];
  time = 1_000_000;
  shared = new Shared(all, clock, one);
});

test("who looks alone looks at one object", async () => {
  expect(await shared.find("a")).toEqual({ id: "a", size: 1 });
  expect({ lists, looks }).toEqual({ lists: 0, looks: ["a"] });
});

test("who takes a response of any age, as a refresh does, begins the list that the others share", async () => {
  const any = Number.POSITIVE_INFINITY;
  expect(await shared.find("a", any)).toEqual({ id: "a", size: 1 });
  time += 60_000;
  await shared.find("b", any);
  expect({ lists, looks }).toEqual({ lists: 1, looks: [] });
});

test("those who look at the same time share one list", async () => {
  const found = await Promise.all(["a", "b", "c"].map((id) => shared.find(id)));
  expect(found.map((thing) => thing?.id)).toEqual(["a", "b", "c"]);
  expect({ lists, looks }).toEqual({ lists: 1, looks: [] });
});

test("a later look shares the list when it may be that old", async () => {
  await Promise.all(["a", "b"].map((id) => shared.find(id)));
  time += 4_000;
  await shared.find("c", 5_000);
  expect({ lists, looks }).toEqual({ lists: 1, looks: [] });
  await shared.find("c", 3_000);
  expect({ lists, looks }).toEqual({ lists: 2, looks: [] });
});

test("what this process has changed is not answered from an older list, what others are is", async () => {
  await Promise.all(["a", "b"].map((id) => shared.find(id)));
  time += 1;
  things = [{ id: "a", size: 2 }, ...things.slice(1)];
  shared.changed("a");
  time += 1;
  expect(await shared.find("b", 5_000)).toEqual({ id: "b", size: 1 });
  expect(lists).toBe(1);
  expect(await shared.find("a", 5_000)).toEqual({ id: "a", size: 2 });
  expect(lists).toBe(2);
});

describe("gone", () => {
  test("is what the list does not have and its own address denies", async () => {
    await Promise.all(["a", "b"].map((id) => shared.find(id)));
    things.push({ id: "d", size: 4 });
    expect(await shared.find("d", 5_000)).toEqual({ id: "d", size: 4 });
    expect(await shared.find("e", 5_000)).toBeUndefined();
    expect({ lists, looks }).toEqual({ lists: 1, looks: ["d", "e"] });
  });

  test("is what its own address denies and the list does not have", async () => {
    expect(await shared.find("e")).toBeUndefined();
    expect({ lists, looks }).toEqual({ lists: 1, looks: ["e"] });
  });

  test("is nothing that continues to be listed: an address that lags behind is asked again", async () => {
    let denials = 1;
    shared = new Shared(all, clock, async (id) => (denials-- > 0 ? undefined : one(id)));
    expect(await shared.find("a")).toEqual({ id: "a", size: 1 });
    shared = new Shared(all, clock, async () => undefined);
    await expect(shared.find("a")).rejects.toThrow(/there is no a, and still lists it/);
  });

  test("is what two lists lack, some time apart, where there is only a list: one second list for all", async () => {
    shared = new Shared(all, clock);
    await Promise.all([shared.find("a"), shared.find("x"), shared.find("y")]);
    expect({ lists, time }).toEqual({ lists: 2, time: 1_006_000 });
    const lagging = [[], things];
    shared = new Shared(async () => lagging.shift() ?? [], clock);
    expect(await shared.find("a")).toEqual({ id: "a", size: 1 });
  });

  test("is nothing that this process created in the last half minute", async () => {
    const made = { id: "new", size: 1 };
    shared.add(made);
    expect(await shared.find("new")).toEqual(made);
    time += 30_000;
    expect(await shared.find("new")).toBeUndefined();
  });

  test("is what this process created and something was done to since", async () => {
    shared.add({ id: "new", size: 1 });
    shared.changed("new");
    expect(await shared.find("new")).toBeUndefined();
  });
});

test("a list that failed fails those who shared it, and nobody else", async () => {
  let broken = true;
  const unsure = async () => {
    if (broken) throw new Error("no");
    return things;
  };
  shared = new Shared(unsure, clock, async () => undefined);
  const found = await Promise.allSettled(["a", "b"].map((id) => shared.find(id)));
  expect(found.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  broken = false;
  expect(await shared.find("a", 5_000)).toEqual({ id: "a", size: 1 });
});

test("who has patience does not go without an answer because somebody without patience asked first", async () => {
  const slow = async () => {
    if (patienceNow() < Number.POSITIVE_INFINITY) throw new Error("no time");
    return all();
  };
  shared = new Shared(slow, clock, one);
  const hasty = expect(impatiently(() => shared.list())).rejects.toThrow("no time");
  await expect(Promise.all([shared.find("a"), shared.find("b")])).resolves.toHaveLength(2);
  await hasty;
  const answers = new Answers();
  const asked = expect(impatiently(() => answers.once("things", slow))).rejects.toThrow("no time");
  await expect(answers.once("things", slow)).resolves.toEqual(things);
  await asked;
});

test("what this process wrote is believed for half a minute, whatever a look says that lags", async () => {
  shared.changed("a");
  shared.wrote("a", { size: 2 });
  expect(await shared.find("a")).toEqual({ id: "a", size: 2 });
  time += 31_000;
  expect(await shared.find("a")).toEqual({ id: "a", size: 1 });
});
