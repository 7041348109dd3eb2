import { speed } from "./fast-clock";
import { late, until } from "./lost-answers";
import {
  begin,
  create,
  creations,
  declared,
  emulator,
  existing,
  heard,
  inputs,
  kinds,
  provider,
  urnOf,
  withoutSecretsOverRest,
} from "./process";

// A create whose request has no clear answer: what it has made is found, and nothing is made twice.

describe.each([
  ["the connection is cut", { reset: true }],
  ["the service fails", { status: 500 }],
  ["a gateway fails", { status: 502 }],
  ["the answer is no JSON", { malformed: true }],
  ["the answer ends early", { truncated: true }],
  ["a gateway finds nothing", { answer: { status: 404, text: "<html>404 Not Found</html>" } }],
])("when %s", (_title, what) => {
  test.each(kinds)("after a %s was created, it is found and not created twice", async (kind) => {
    for (const { match } of creations) emulator.faults.add({ match, when: "after", what } as never);
    const { id } = await begin(kind);
    expect(existing()).toEqual([id]);
    expect(emulator.faults.injected).toHaveLength(1);
  });

  test("after a secret was created over GraphQL, it is found and not created twice", async () => {
    await withoutSecretsOverRest();
    for (const { match } of creations) emulator.faults.add({ match, when: "after", what } as never);
    const { id } = await begin("secret");
    expect(existing()).toEqual([id]);
    expect(emulator.faults.injected).toHaveLength(1);
  });

  test.each(kinds)("before a %s was created, it is created", async (kind) => {
    for (const { match } of creations)
      emulator.faults.add({ match, when: "before", what, times: 2 } as never);
    const { id } = await begin(kind);
    expect(existing()).toEqual([id]);
    expect(emulator.faults.injected).toHaveLength(2);
  });
});

describe("a create that fails after a request without a clear answer", () => {
  test.each(kinds)(
    "says so, and the next up takes over what that has created after all: a %s",
    async (kind) => {
      late(90_000);
      const refused = { status: 400 };
      for (const { match } of creations)
        emulator.faults.add({ match, when: "before", what: refused, times: 0 } as never);
      await expect(begin(kind)).rejects.toThrow(
        /400 .* An earlier request may still create the .*, which the next `pulumi up` then takes over/,
      );
      await until(() => existing().length > 0);
      emulator.faults.clear();
      expect((await begin(kind)).id).toBe(existing()[0]);
      expect(existing()).toHaveLength(1);
    },
  );

  test.each(["cluster", "networkVolume"] as const)(
    "by a name of the program, may have created what appears then, which the next preview names: a %s",
    async (kind) => {
      late(90_000);
      await expect(create(kind)).rejects.toThrow(/no such object has appeared/);
      await until(() => existing().length > 0);
      const named = declared(kind, { name: inputs[kind].name });
      const { said } = await heard(() => provider()[kind].check({}, named));
      expect(said).toMatch(
        new RegExp(
          `\\(${existing()[0]}\\), and podlumi creates another one of that name\\. To use the existing one, write adopt: "${existing()[0]}"`,
        ),
      );
    },
  );
});

describe("under a name of the program, where nothing else tells whose an object is", () => {
  const unmarked = ["networkVolume", "cluster", "registryDelegation"] as const;

  test.each(unmarked)("a request without a clear end is not sent again: a %s", async (kind) => {
    for (const { match } of creations)
      emulator.faults.add({ match, when: "before", what: { status: 502 } } as never);
    await expect(create(kind)).rejects.toThrow(
      /^could not create .*: POST \S+ answered 502 Bad Gateway, and no such object has appeared within 30 s\. Look with `npx podlumi ls` in a few minutes/,
    );
    expect(existing()).toEqual([]);
    expect((await create(kind)).id).toBe(existing()[0]);
  });

  test.each(unmarked)("what has appeared is not taken, but named: a %s", async (kind) => {
    for (const { match } of creations)
      emulator.faults.add({ match, when: "after", what: { status: 502 } } as never);
    const failed = create(kind);
    // There was no other request.
    await expect(failed).rejects.not.toThrow(/Before that/);
    await expect(failed).rejects.toThrow(
      /answered 502 Bad Gateway, and since then there is the .*\. If it is yours, write adopt/,
    );
    await expect(failed).rejects.toThrow(String(existing()[0]));
    expect(existing()).toHaveLength(1);
  });

  test.each(unmarked)("no second one is created where the engine asks once more: a %s", async (kind) => {
    for (const { match } of creations)
      emulator.faults.add({ match, when: "after", what: { status: 502 } } as never);
    const one = provider()[kind];
    await expect(create(one, kind)).rejects.toThrow(/\[PODLUMI-MAY-BE-MADE\]/);
    await expect(create(one, kind)).rejects.toThrow(/\[PODLUMI-MAY-BE-MADE\]/);
    expect(existing()).toHaveLength(1);
  });

  test.each(["template", "registryAuth"] as const)(
    "a unique name is not taken for a proof: a %s",
    async (kind) => {
      for (const { match } of creations)
        emulator.faults.add({ match, when: "after", what: { status: 502 } } as never);
      await expect(create(kind)).rejects.toThrow(/since then there is/);
      expect(existing()).toHaveLength(1);
    },
  );
});

test("an equal object that somebody creates while a request fails is not taken over", async () => {
  const { service } = emulator;
  const match = { method: "POST", path: "/network-volumes" };
  emulator.faults.add({ match, when: "before", what: { status: 502 } });
  emulator.on("before", match, () => {
    if (service.volumes.list().length === 0)
      service.volumes.create({ name: "data", size: 20, dataCenter: "EU-RO-1" });
  });
  await expect(create("networkVolume")).rejects.toThrow(/since then there is/);
  expect(service.volumes.list()).toHaveLength(1);
  const { id } = await begin("networkVolume");
  expect(service.volumes.list()).toHaveLength(2);
  expect(service.volumes.get(id).name).not.toBe("data");
});

test("a list that lags hides for a while what was created", async () => {
  emulator.service.timings.listLag = 20_000 / speed;
  for (const { match } of creations)
    emulator.faults.add({ match, when: "after", what: { reset: true } } as never);
  for (const kind of kinds) await begin(kind);
  expect(existing()).toHaveLength(kinds.length);
});

test("a list that lags hides a unique name from its request on, however long the rate limit has held that back", async () => {
  const [match, list] = [
    { method: "POST", path: "/templates" },
    { method: "GET", path: "/templates" },
  ];
  emulator.faults.add({ match, when: "before", what: { rateLimited: { retryAfter: 40 } } });
  emulator.faults.add({ match, when: "after", what: { reset: true } });
  const none = { answer: { status: 200, body: { templates: [] } } };
  emulator.faults.add({ match: list, when: "before", what: none, times: 5 });
  const { id } = await begin("template");
  expect(existing()).toEqual([id]);
});

test("two equal resources of one program are created, each once, when both responses are lost", async () => {
  emulator.faults.add({
    match: { method: "POST", path: "/pods" },
    when: "after",
    what: { reset: true },
    times: 2,
  });
  const { pod } = provider();
  const make = (name: string) => pod.create({ ...declared("pod"), name: "web", __urn: urnOf("pod", name) });
  const made = await Promise.all([make("one"), make("two")]);
  expect(new Set(made.map(({ id }) => id)).size).toBe(2);
  expect(existing().sort()).toEqual(made.map(({ id }) => id).sort());
});
