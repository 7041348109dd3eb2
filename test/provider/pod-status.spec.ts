import { setTimeout } from "node:timers/promises";
import type { Properties } from "../../provider/value";
import { begin, declared, emulator, heard, provider } from "./process";

// What an update makes of a pod that somebody else has stopped or started.

const act = (id: string, action: "start" | "stop") => emulator.service.pods.act(id, action);
const status = (id: string) => emulator.service.pods.get(id).status;

/** A pod with these arguments, and an update to others. */
async function made(args: Properties) {
  const { id, outs = {} } = await begin("pod", args);
  const update = async (state: Properties, changes: Properties) => {
    const { pod } = provider();
    const olds = { ...state, __provider: "p" };
    const { inputs: news } = await pod.check(olds, declared("pod", { name: outs.name, ...args, ...changes }));
    const { fields } = await pod.diff(id, olds, news);
    const { result, said } = await heard(async () => pod.update(id, olds, news));
    return { changes: [...fields.keys()], outs: result.outs ?? {}, said };
  };
  const refresh = async (state: Properties) => (await provider().pod.read(id, state)).props ?? {};
  return { id, outs, update, refresh };
}

test("an update does not start a pod that somebody stopped; after a refresh one does, and its limit begins anew", async () => {
  const { id, outs, update, refresh } = await made({ expiresAfter: "8h" });
  act(id, "stop");
  const updated = await update(outs, { env: { A: "2" } });
  expect(updated.changes).toEqual(["env"]);
  expect(emulator.service.pods.get(id)).toMatchObject({ status: "EXITED", env: { A: "2" } });
  expect(updated.said).toMatch(
    /EXITED, desiredStatus is RUNNING, .* `pulumi refresh` shows it, .* starts the pod/,
  );
  expect(updated.outs).toMatchObject({ desiredStatus: "RUNNING", expiresAt: outs.expiresAt });
  // The next one, too.
  await update(updated.outs, { env: { A: "3" } });
  expect(status(id)).toBe("EXITED");

  // The service tells its time in whole seconds.
  await setTimeout(1_005 - (Date.now() % 1_000));
  const started = await update(await refresh(updated.outs), { env: { A: "3" } });
  expect(started.changes).toContain("desiredStatus");
  expect(status(id)).toBe("RUNNING");
  expect(started.outs.expiresAt).not.toBe(outs.expiresAt);
});

test("an update that mends the container of a failed pod starts it; another one leaves it and names it", async () => {
  const { id, outs, update } = await made({});
  emulator.service.pods.fail(id);
  const renamed = await update(outs, { name: "other" });
  expect(status(id)).toBe("ERROR");
  expect(renamed.said).toMatch(/the pod is ERROR, desiredStatus is RUNNING, .* starts the pod/);
  const mended = await update(renamed.outs, { name: "other", image: "org/pod:2" });
  expect(mended.changes).toEqual(["image"]);
  expect(mended.outs).toMatchObject({ status: "RUNNING", desiredStatus: "RUNNING" });
  expect(emulator.service.pods.get(id)).toMatchObject({ status: "RUNNING", image: "org/pod:2" });
});

test("a failed pod stays so where the program ignores its status", async () => {
  const { id, outs, refresh } = await made({});
  emulator.service.pods.fail(id);
  const failed = { ...(await refresh(outs)), __provider: "p" };
  const { pod } = provider();
  // With ignoreChanges, the engine gives the old input.
  const olds = { ...declared("pod", { name: outs.name }), desiredStatus: "ERROR" };
  const { inputs: news, failures } = await pod.check(olds, { ...olds, image: "org/pod:2" });
  expect(failures).toEqual([]);
  expect([...(await pod.diff(id, failed, news)).fields.keys()]).toEqual(["image"]);
  const { result, said } = await heard(() => pod.update(id, failed, news));
  expect(emulator.service.pods.get(id)).toMatchObject({ status: "ERROR", image: "org/pod:2" });
  expect([result.outs?.desiredStatus, said]).toEqual(["ERROR", ""]);
});

test.each(["after a refresh", "without one"])(
  "a pod that somebody else has locked is not stopped: the preview says so, unless the program declares the lock, %s",
  async (when) => {
    const { id, outs, refresh } = await made({});
    emulator.service.pods.update(id, { locked: true });
    const state = { ...(when === "without one" ? outs : await refresh(outs)), __provider: "p" };
    const { pod } = provider();
    const stopping = async (more: Properties) => {
      const { inputs: news } = await pod.check(
        state,
        declared("pod", { name: outs.name, desiredStatus: "EXITED", ...more }),
      );
      await pod.diff(id, state, news);
      return pod.update(id, state, news);
    };
    await expect(stopping({ image: "org/pod:2" })).rejects.toThrow(
      /will not change .*desiredStatus: a locked pod cannot be stopped. The program does not declare locked, /,
    );
    expect(emulator.service.pods.get(id)).toMatchObject({ status: "RUNNING", image: "org/pod:1" });
    expect((await stopping({ locked: true })).outs).toMatchObject({ status: "EXITED", locked: true });
  },
);

test("a pod that somebody has stopped and locked is as a program says that stops it", async () => {
  const { id, outs, update } = await made({});
  act(id, "stop");
  emulator.service.pods.update(id, { locked: true });
  const stopped = await update(outs, { desiredStatus: "EXITED" });
  expect(stopped.outs).toMatchObject({ desiredStatus: "EXITED", status: "EXITED" });
});

test("an update does not stop a pod that somebody started", async () => {
  const { id, outs, update, refresh } = await made({ desiredStatus: "EXITED", locked: true });
  emulator.service.pods.update(id, { locked: false });
  act(id, "start");
  const updated = await update(outs, { env: { A: "2" } });
  expect(emulator.service.pods.get(id)).toMatchObject({ env: { A: "2" } });
  expect(status(id)).toMatch(/PROVISIONING|STARTING|RUNNING/);
  expect(updated.said).toMatch(/the pod is \w+, desiredStatus is EXITED, .* stops the pod/);
  await update(await refresh(updated.outs), { env: { A: "2" } });
  expect(status(id)).toBe("EXITED");
});

describe("a pod on its way", () => {
  /** The state of a pod that was not ready in time. */
  async function late() {
    emulator.service.timings.starting = 60_000;
    const failed: { id: string; properties: Properties } = await begin("pod", {
      waitTimeout: 1,
    }).catch((error) => error);
    emulator.service.timings.starting = 0;
    return failed;
  }
  /** Somebody restarts the pod, stops it on its way, and another update comes. `read` is what a refresh makes of the state meanwhile. */
  async function stopped(id: string, state: Properties) {
    emulator.service.timings.starting = 60_000;
    emulator.service.pods.act(id, "restart");
    const { props: read = {} } = await provider().pod.read(id, state);
    emulator.service.timings.starting = 0;
    act(id, "stop");
    const { name } = read;
    const news = declared("pod", { name, env: { A: "2" }, desiredStatus: "RUNNING" });
    const { said } = await heard(async () => provider().pod.update(id, read, news));
    return { read, said };
  }

  test.each(["", ", after a refresh"])(
    "continues after it was not ready%s, also when it was stopped",
    async (refreshed) => {
      const { id, properties } = await late();
      const read = (await provider().pod.read(id, properties)).props ?? {};
      for (const state of [properties, read])
        expect(state).toMatchObject({
          status: expect.stringMatching(/^(PROVISIONING|STARTING)$/),
          desiredStatus: "RUNNING",
        });
      act(id, "stop");
      const news = declared("pod", { name: properties.name, desiredStatus: "RUNNING" });
      const { outs } = await provider().pod.update(id, refreshed ? read : properties, news);
      expect(status(id)).toBe("RUNNING");
      const { read: restarted } = await stopped(id, outs ?? {});
      expect(restarted.status).toBe("STARTING");
      expect(status(id)).toBe("EXITED");
    },
  );

  test("is left to who stopped it, where only a refresh saw it so", async () => {
    const { id, outs = {} } = await begin("pod");
    const { read, said } = await stopped(id, outs);
    expect(read.status).toBe("STARTING");
    expect(status(id)).toBe("EXITED");
    expect(said).toMatch(/the pod is EXITED, desiredStatus is RUNNING, .* starts the pod/);
  });

  test("is left to who stopped it, where a refresh saw it ready meanwhile", async () => {
    const { id, properties } = await late();
    act(id, "stop");
    act(id, "start");
    await setTimeout(50); // Until the pod runs.
    const { props: ready = {} } = await provider().pod.read(id, properties);
    expect(ready.status).toBe("RUNNING");
    await stopped(id, ready);
    expect(status(id)).toBe("EXITED");
  });
});

test.each([true, false])("an update leaves a lock to who changed it: locked is %s", async (locked) => {
  const { id, outs, update, refresh } = await made({ locked });
  emulator.service.pods.update(id, { locked: !locked });
  const updated = await update(outs, { name: "other" });
  expect(updated.changes).toEqual(["name"]);
  expect(emulator.service.pods.get(id)).toMatchObject({ name: "other", locked: !locked });
  expect(updated.said).toContain(
    `locked is ${locked}, and this update does not ${locked ? "lock" : "unlock"} it`,
  );
  const last = await update(await refresh(updated.outs), { name: "other" });
  expect(last.changes).toEqual(["locked"]);
  expect(emulator.service.pods.get(id).locked).toBe(locked);
});

test.each(["RUNNING", "EXITED"])(
  "an update that stops a pod locks it in the end, also after one that was killed when it was %s",
  async (reached) => {
    const { id, outs, update } = await made({ locked: true });
    emulator.service.pods.update(id, { locked: false });
    if (reached === "EXITED") act(id, "stop");
    const updated = await update(outs, { desiredStatus: "EXITED" });
    expect(updated.changes).toEqual(["desiredStatus"]);
    expect(emulator.service.pods.get(id)).toMatchObject({ locked: true, status: "EXITED" });
  },
);

test("an update that stops a pod unlocks it where the program says so, also after somebody has locked it", async () => {
  const { id, outs, update } = await made({ locked: false });
  emulator.service.pods.update(id, { locked: true });
  const updated = await update(outs, { desiredStatus: "EXITED" });
  expect(updated.changes).toEqual(["desiredStatus"]);
  expect(emulator.service.pods.get(id)).toMatchObject({ locked: false, status: "EXITED" });
});

// The second PATCH is the one that locks again.
test.each([
  ["stop", { match: { method: "POST", path: "/pods/*/action" } }, "RUNNING"],
  ["last lock", { match: { method: "PATCH", path: "/pods/*" }, skip: 1 }, "EXITED"],
])(
  "a pod that podlumi unlocked is locked by the next update, after its %s was refused",
  async (_what, fault, reached) => {
    const { id, outs, update } = await made({ locked: true });
    emulator.faults.add({ ...fault, when: "before", what: { status: 400, detail: "not now" } });
    const failed = await update(outs, { desiredStatus: "EXITED" }).catch((error) => error);
    expect(failed.message).toContain("not now");
    expect(failed.properties).toMatchObject({ locked: false, status: reached });
    const updated = await update(failed.properties, { desiredStatus: "EXITED" });
    expect(updated.changes).toContain("locked");
    expect(updated.said).not.toContain("this update does not");
    expect(updated.outs).toMatchObject({ locked: true, status: "EXITED" });
    expect(emulator.service.pods.get(id)).toMatchObject({ locked: true, status: "EXITED" });
  },
);

test("a lock that the program removed, and whose removal was refused, is removed by the next update", async () => {
  const { id, outs, update } = await made({ locked: true });
  const match = { method: "PATCH", path: `/pods/${id}` } as const;
  emulator.faults.add({ match, when: "before", what: { status: 400 }, times: 1 });
  const { pod } = provider();
  const news = declared("pod", { name: outs.name });
  const { properties } = await pod.update(id, outs, news).catch((error) => error);
  expect(emulator.service.pods.get(id).locked).toBe(true);
  const { changes } = await update(properties, { locked: undefined });
  expect(changes).toEqual(["locked"]);
  expect(emulator.service.pods.get(id).locked).toBe(false);
});

test("an update restarts no pod whose global networking somebody turned off; after a refresh one does", async () => {
  const { id, outs, update, refresh } = await made({ globalNetworking: true });
  emulator.service.pods.update(id, { globalNetworking: false });
  emulator.service.pods.act(id, "restart");
  const restarts = () =>
    emulator.requests.filter(({ body }) => JSON.stringify(body ?? "").includes("restart")).length;
  const before = restarts();
  const updated = await update(outs, { name: "other" });
  expect(updated.changes).toEqual(["name"]);
  expect(restarts()).toBe(before);
  expect(updated.said).toContain("globalNetworking.enabled: not what the program says");
  await update(await refresh(updated.outs), { name: "other" });
  expect(restarts()).toBe(before + 1);
});
