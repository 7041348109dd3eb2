import type { Properties } from "../../provider/core/value";
import {
  create,
  creations,
  emulator,
  existing,
  inputs,
  type Kind,
  kinds,
  notes,
  provider,
  urnOf,
} from "./process";

describe("a process that died", () => {
  test.each(kinds)("after a %s was made leaves nothing behind: the next run takes it over", async (kind) => {
    for (const { match } of creations)
      emulator.faults.add({ match, when: "after", what: { hang: true } } as never);
    create(provider()[kind], kind).catch(() => undefined);
    while (existing().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const { id } = await create(provider()[kind], kind);
    expect(existing()).toEqual([id]);
  });

  test.each(kinds)("before its answer about a %s reached the engine leaves nothing behind", async (kind) => {
    const lost = await create(provider()[kind], kind);
    const { id } = await create(provider()[kind], kind);
    expect(id).toBe(lost.id);
    expect(existing()).toEqual([id]);
  });
});

test.each<[Kind, Properties]>([
  ["secret", { value: "another" }],
  ["registryAuth", { password: "another" }],
  ["template", { env: undefined }],
  ["pod", { startSsh: true }],
  ["networkVolume", { name: "renamed" }],
])(
  "a %s that an interrupted run made is deleted when the program was edited since, and made as it is now",
  async (kind, edit) => {
    const { id: left } = await create(provider()[kind], kind);
    const edited = Object.fromEntries(
      Object.entries({ ...inputs[kind], ...edit }).filter(([, value]) => value !== undefined),
    );
    const { id } = await provider()[kind].create({ ...edited, __urn: urnOf(kind) });
    expect(id).not.toBe(left);
    expect(existing()).toEqual([id]);
  },
);

test("what somebody has changed since an interrupted run made it is not touched, but named", async () => {
  const { id } = await create(provider().networkVolume, "networkVolume");
  emulator.service.volumes.update(id, { size: 30 });
  const again = provider().networkVolume.create({
    ...inputs.networkVolume,
    size: 40,
    __urn: urnOf("networkVolume"),
  });
  await expect(again).rejects.toThrow(
    `the network volume ${id} may be what it made. Delete what you do not need`,
  );
  expect(existing()).toEqual([id]);
});

describe("what an interrupted run made for a resource that was removed from the program", () => {
  const bystander = { name: "bystander", size: 10, dataCenter: "EU-RO-1" };

  test.each(kinds)("goes before anything is deleted: a %s", async (kind) => {
    const other = await provider().networkVolume.create({
      ...bystander,
      __urn: urnOf("networkVolume", "other"),
    });
    await create(provider()[kind], kind);
    await provider().networkVolume.delete?.(other.id, other.outs);
    expect(existing()).toEqual([]);
  });

  test("stays when it is another stack's", async () => {
    const { id } = await provider().pod.create({ ...inputs.pod, __urn: urnOf("pod", "it", "prod") });
    const other = await provider().networkVolume.create({
      ...bystander,
      __urn: urnOf("networkVolume", "other"),
    });
    await provider().networkVolume.delete?.(other.id, other.outs);
    expect(existing()).toEqual([id]);
  });

  test("stays, and is told, when it was made with another API key", async () => {
    const { id } = await create(provider().pod, "pod");
    const told = jest.spyOn(process.stderr, "write").mockReturnValue(true);
    const other = await provider().networkVolume.create({
      ...bystander,
      __urn: urnOf("networkVolume", "other"),
    });
    await provider({ RUNPOD_API_KEY: "rotated" }).networkVolume.delete?.(other.id, other.outs);
    expect(existing()).toEqual([id]);
    expect(String(told.mock.calls)).toContain(`the pod ${id} may be what it made`);
    told.mockRestore();
  });
});

test("an object whose id is in a state is never taken over, whatever the resource was called", async () => {
  const first = await create(provider().pod, "pod");
  const next = provider();
  await next.pod.diff?.(first.id, { ...first.outs, __provider: "p" }, { ...inputs.pod, __provider: "p" });
  const second = await create(next.pod, "pod");
  expect(second.id).not.toBe(first.id);
  expect(existing().sort()).toEqual([first.id, second.id].sort());
});

test("a creation whose end stayed open is looked for by the next run, whatever ended this one", async () => {
  const match = { path: "/network-volumes" };
  emulator.faults.add({ match: { ...match, method: "POST" }, when: "after", what: { reset: true } });
  // The list before the creation is answered, the look after it is not.
  emulator.faults.add({ match: { ...match, method: "GET" }, when: "before", what: { status: 401 }, skip: 1 });
  await expect(create(provider().networkVolume, "networkVolume")).rejects.toThrow(/answered 401/);
  const [lost] = existing();
  const { id } = await create(provider().networkVolume, "networkVolume");
  expect(id).toBe(lost);
  expect(existing()).toEqual([id]);
});

test("the notes hold nothing secret, and nothing once the state is known to hold everything", async () => {
  const first = provider();
  const { id, outs } = await create(first.secret, "secret");
  expect(notes()).toEqual([expect.stringContaining(id)]);
  expect(notes().join()).not.toContain(inputs.secret.value);
  await provider().secret.delete?.(id, outs);
  expect(notes()).toEqual([]);
  expect(emulator.service.isEmpty()).toBe(true);
});
