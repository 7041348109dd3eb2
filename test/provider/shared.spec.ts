import { Answers } from "../../provider/client/answers";
import { systemClock } from "../../provider/client/clock";
import { type Reader, Seen, Shared } from "../../provider/client/shared";

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

/** Reads as one of several callers that share what they have seen. */
const reading = (
  from: Reader<Thing>["all"],
  single?: Reader<Thing>["get"],
  { seen = new Seen<Thing>(clock), patience = Number.POSITIVE_INFINITY } = {},
) => new Shared(seen, { all: from, get: single, clock, patience });

beforeEach(() => {
  things = ["a", "b", "c"].map((id) => ({ id, size: 1 }));
  lists = 0;
  looks = [];
  time = 1_000_000;
  shared = reading(all, one);
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
  shared.seen.changed("a");
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
    shared = reading(all, async (id) => (denials-- > 0 ? undefined : one(id)));
    expect(await shared.find("a")).toEqual({ id: "a", size: 1 });
    shared = reading(all, async () => undefined);
    await expect(shared.find("a")).rejects.toThrow(/there is no a, and still lists it/);
  });

  test("is what two lists lack, some time apart, where there is only a list: one second list for all", async () => {
    shared = reading(all);
    await Promise.all([shared.find("a"), shared.find("x"), shared.find("y")]);
    expect({ lists, time }).toEqual({ lists: 2, time: 1_006_000 });
    const lagging = [[], things];
    shared = reading(async () => lagging.shift() ?? []);
    expect(await shared.find("a")).toEqual({ id: "a", size: 1 });
  });

  test("is nothing that this process created in the last half minute", async () => {
    const made = { id: "new", size: 1 };
    shared.seen.add(made);
    expect(await shared.find("new")).toEqual(made);
    time += 30_000;
    expect(await shared.find("new")).toBeUndefined();
  });

  test("is what this process created and something was done to since", async () => {
    shared.seen.add({ id: "new", size: 1 });
    shared.seen.changed("new");
    expect(await shared.find("new")).toBeUndefined();
  });
});

test("a list that failed fails those who shared it, and nobody else", async () => {
  let broken = true;
  const unsure = async () => {
    if (broken) throw new Error("no");
    return things;
  };
  shared = reading(unsure, async () => undefined);
  const found = await Promise.allSettled(["a", "b"].map((id) => shared.find(id)));
  expect(found.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  broken = false;
  expect(await shared.find("a", 5_000)).toEqual({ id: "a", size: 1 });
});

test("who has patience does not go without an answer because somebody without patience asked first", async () => {
  const late = () => Promise.reject(new Error("no time"));
  const patience = 3_000;
  const hasty = expect(reading(late, one, { seen: shared.seen, patience }).list()).rejects.toThrow("no time");
  await expect(Promise.all([shared.find("a"), shared.find("b")])).resolves.toHaveLength(2);
  await hasty;
  const answers = new Answers();
  const asked = expect(answers.once("things", late, { patience })).rejects.toThrow("no time");
  await expect(answers.once("things", all)).resolves.toEqual(things);
  await asked;
});

test("what this process wrote is believed for half a minute, whatever a look says that lags", async () => {
  shared.seen.changed("a");
  shared.seen.wrote("a", { size: 2 });
  expect(await shared.find("a")).toEqual({ id: "a", size: 2 });
  time += 31_000;
  expect(await shared.find("a")).toEqual({ id: "a", size: 1 });
});

describe("what this process has deleted", () => {
  beforeEach(async () => {
    await shared.list();
    time += 1;
    shared.seen.deleted("a");
  });

  test("is left out of the lists from before, which stay good", async () => {
    expect(await shared.list(Number.POSITIVE_INFINITY)).toEqual(things.slice(1));
    expect(lists).toBe(1);
  });

  test("makes no list too old that had to show a change of it", async () => {
    shared.seen.changed("b");
    shared.seen.deleted("b");
    expect(await shared.list(Number.POSITIVE_INFINITY)).toEqual(things.slice(2));
    expect(lists).toBe(1);
  });

  test("shows again if a later list has it", async () => {
    time += 1;
    expect(await shared.list()).toEqual(things);
  });

  test("is not found in an older list", async () => {
    things.shift();
    expect(await shared.find("a", Number.POSITIVE_INFINITY)).toBeUndefined();
    expect({ lists, looks }).toEqual({ lists: 2, looks: ["a"] });
  });
});
