import { systemClock } from "../../provider/client/clock";
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

beforeEach(() => {
  things = ["a", "b", "c"].map((id) => ({ id, size: 1 }));
  lists = 0;
  looks = [];
  time = 1_000_000;
  const all = async () => {
    lists += 1;
    return structuredClone(things);
  };
  const one = async (id: string) => {
    looks.push(id);
    return structuredClone(things.find((thing) => thing.id === id));
  };
  shared = new Shared(all, one, { ...systemClock, now: () => time });
});

test("who looks alone looks at one object", async () => {
  expect(await shared.find("a")).toEqual({ id: "a", size: 1 });
  expect({ lists, looks }).toEqual({ lists: 0, looks: ["a"] });
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

test("that something is not in the list is no proof that it is gone", async () => {
  await Promise.all(["a", "b"].map((id) => shared.find(id)));
  things.push({ id: "d", size: 4 });
  expect(await shared.find("d", 5_000)).toEqual({ id: "d", size: 4 });
  expect(await shared.find("e", 5_000)).toBeUndefined();
  expect({ lists, looks }).toEqual({ lists: 1, looks: ["d", "e"] });
});

test("a list that failed fails those who shared it, and nobody else", async () => {
  let broken = true;
  const all = async () => {
    if (broken) throw new Error("no");
    return things;
  };
  shared = new Shared(all, async () => undefined, { ...systemClock, now: () => time });
  const found = await Promise.allSettled(["a", "b"].map((id) => shared.find(id)));
  expect(found.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  broken = false;
  expect(await shared.find("a", 5_000)).toEqual({ id: "a", size: 1 });
});
