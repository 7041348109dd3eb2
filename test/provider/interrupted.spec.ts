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

/** A run that dies when the service has made the object and before it hears of it; the object's id. */
async function interrupted(kind: Kind, changes: Properties = {}): Promise<string> {
  const before = new Set(existing());
  for (const { match } of creations)
    emulator.faults.add({ match, when: "after", what: { hang: true } } as never);
  create(provider()[kind], kind, changes).catch(() => undefined);
  for (;;) {
    const made = existing().find((id) => !before.has(id));
    if (made !== undefined) {
      emulator.faults.clear();
      return made;
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** The same resource, edited. */
const edited = (kind: Kind, edit: Properties) => ({
  ...Object.fromEntries(
    Object.entries({ ...inputs[kind], ...edit }).filter(([, value]) => value !== undefined),
  ),
  __urn: urnOf(kind),
});

describe("a process that died", () => {
  test.each(kinds)("after a %s was made leaves nothing behind: the next run takes it over", async (kind) => {
    const lost = await interrupted(kind);
    const { id } = await create(provider()[kind], kind);
    expect(id).toBe(lost);
    expect(existing()).toEqual([id]);
  });

  test.each(kinds)("before its answer about a %s reached the engine leaves nothing behind", async (kind) => {
    const lost = await create(provider()[kind], kind);
    const { id } = await create(provider()[kind], kind);
    expect(id).toBe(lost.id);
    expect(existing()).toEqual([id]);
  });
});

const edits: [Kind, Properties][] = [
  ["secret", { value: "another" }],
  ["registryAuth", { password: "another" }],
  ["template", { env: undefined }],
  ["pod", { startSsh: true }],
  ["networkVolume", { name: "renamed" }],
];

test.each(edits)(
  "a %s that an interrupted run made is deleted when the program was edited since, and made as it is now",
  async (kind, edit) => {
    const left = await interrupted(kind);
    const { id } = await provider()[kind].create(edited(kind, edit));
    expect(id).not.toBe(left);
    expect(existing()).toEqual([id]);
  },
);

test.each(edits)(
  "a %s that the engine was told of is not deleted for an edit, since it may have been made to forget it",
  async (kind, edit) => {
    const { id } = await create(provider()[kind], kind);
    await expect(provider()[kind].create(edited(kind, edit))).rejects.toThrow(`${id} may be what it made`);
    expect(existing()).toEqual([id]);
  },
);

test("what somebody has changed since an interrupted run made it is not touched, but named", async () => {
  const id = await interrupted("networkVolume");
  emulator.service.volumes.update(id, { size: 30 });
  const again = provider().networkVolume.create(edited("networkVolume", { size: 40 }));
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
    await interrupted(kind);
    await provider().networkVolume.delete?.(other.id, other.outs);
    expect(existing()).toEqual([]);
  });

  test("stays when the engine was told of it: a state may have it", async () => {
    const other = await provider().networkVolume.create({
      ...bystander,
      __urn: urnOf("networkVolume", "other"),
    });
    const { id } = await create(provider().pod, "pod");
    await provider().networkVolume.delete?.(other.id, other.outs);
    expect(existing()).toEqual([id]);
  });

  test("stays when it is another stack's", async () => {
    const id = await interrupted("pod", { __urn: urnOf("pod", "it", "prod") });
    const other = await provider().networkVolume.create({
      ...bystander,
      __urn: urnOf("networkVolume", "other"),
    });
    await provider().networkVolume.delete?.(other.id, other.outs);
    expect(existing()).toEqual([id]);
  });

  test("stays, and is told, when it was made with another API key", async () => {
    const id = await interrupted("pod");
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

describe("a change of what the service never answers, of which the state did not learn", () => {
  const changeable: [Kind, string, Properties][] = [
    ["secret", "value", { value: "another" }],
    ["registryAuth", "password", { password: "another" }],
  ];
  const held = (kind: Kind, id: string) =>
    kind === "secret"
      ? emulator.service.secrets.valueOf(id)
      : emulator.service.registries.valueOf(id).password;

  test.each(changeable)(
    "is undone when the program takes it back: the %s's %s",
    async (kind, property, edit) => {
      const { id, outs: made } = await create(provider()[kind], kind);
      const olds = { ...made, __provider: "p" };
      const was = { ...edited(kind, {}), __provider: "p" };
      await provider()[kind].update?.(id, olds, { ...was, ...edit });
      expect(held(kind, id)).toBe("another");

      const next = provider()[kind];
      expect(await next.diff?.(id, olds, was)).toMatchObject({ changes: true, replaces: [] });
      const { outs } = (await next.update?.(id, olds, was)) ?? {};
      expect(held(kind, id)).toBe(inputs[kind][property]);

      expect(await provider()[kind].diff?.(id, { ...outs, __provider: "p" }, was)).toMatchObject({
        changes: false,
      });
    },
  );

  test("is of no account for what is made after the object was deleted", async () => {
    const { id, outs: olds } = await create(provider().secret, "secret");
    const news = { ...edited("secret", { value: "another" }), __provider: "p" };
    const { outs } = (await provider().secret.update?.(id, olds, news)) ?? {};
    await provider().secret.delete?.(id, { ...outs });
    const fresh = await create(provider().secret, "secret");
    const same = { ...edited("secret", {}), __provider: "p" };
    expect(await provider().secret.diff?.(fresh.id, { ...fresh.outs, __provider: "p" }, same)).toMatchObject({
      changes: false,
    });
  });

  test("asks for nothing when the state has it after all", async () => {
    const { id, outs: olds } = await create(provider().secret, "secret");
    const news = { ...edited("secret", { value: "another" }), __provider: "p" };
    const { outs } = (await provider().secret.update?.(id, olds, news)) ?? {};
    expect(await provider().secret.diff?.(id, { ...outs, __provider: "p" }, news)).toMatchObject({
      changes: false,
    });
  });
});
