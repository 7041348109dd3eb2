import { asWritten, covers, outline, pick } from "../../provider/value";

describe("what the service returns covers what the program declares", () => {
  test.each<[string, unknown, unknown]>([
    ["when it adds keys", { min: 0, max: 3, idleTimeout: 10 }, { max: 3 }],
    ["when a list of plain values comes in another order", ["22/tcp", "80/http"], ["80/http", "22/tcp"]],
    ["when a list has the same plain value twice", ["22/tcp", "22/tcp"], ["22/tcp"]],
    ["when the program has the same plain value twice", ["22/tcp"], ["22/tcp", "22/tcp"]],
    ["when it answers nothing for an empty list", undefined, []],
    ["when it answers null for an empty text", null, ""],
    ["when it adds keys in a list of objects", [{ id: "cpu3c", memory: 4 }], [{ id: "cpu3c" }]],
  ])("%s", (_title, observed, declared) => {
    expect(covers(observed, declared)).toBe(true);
  });
});

describe("it does not", () => {
  test.each<[string, unknown, unknown]>([
    ["when a value differs", { max: 2 }, { max: 3 }],
    ["when a declared key is gone", {}, { A: "1" }],
    ["when a list has one more", ["a", "b"], ["a"]],
    ["when a list has the same value twice instead of two", ["a", "a"], ["a", "b"]],
    ["when a list of objects has one more", [{ id: "a" }, { id: "a" }], [{ id: "a" }]],
    ["when objects come in another order", [{ id: "a" }, { id: "b" }], [{ id: "b" }, { id: "a" }]],
    ["when false stands for nothing", undefined, false],
    ["when zero stands for nothing", null, 0],
    ["when it is there but should be empty", "x", ""],
  ])("%s", (_title, observed, declared) => {
    expect(covers(observed, declared)).toBe(false);
  });
});

test("an observed value is written in the program's order where both mean the same", () => {
  const observed = { ports: ["a", "b"], max: 3, extra: 1 };
  expect(asWritten(observed, { ports: ["b", "a"], max: 4 })).toEqual({ ports: ["b", "a"], max: 3, extra: 1 });
});

test("an outline holds no values and picks what it names", () => {
  const declared = { image: "secret", env: { A: "secret" }, cpu: [{ id: "secret" }], ports: ["secret"] };
  const shape = outline(declared);
  expect(JSON.stringify(shape)).not.toContain("secret");
  const observed = {
    image: "i",
    env: { A: "1", B: "2" },
    cpu: [{ id: "c", memory: 4 }],
    ports: [],
    status: "RUNNING",
  };
  expect(pick(observed, shape)).toEqual({ image: "i", env: { A: "1" }, cpu: [{ id: "c" }], ports: [] });
});
