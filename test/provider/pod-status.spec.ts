import type { Properties } from "../../provider/core/value";
import { begin, declared, emulator, heard, provider } from "./process";

// What an update makes of a pod that somebody else has stopped or started.

const act = (id: string, action: "start" | "stop") => emulator.service.pods.act(id, action);
const status = (id: string) => emulator.service.pods.get(id).status;

/** A pod with these arguments, and an update to others. */
async function made(args: Properties) {
  const { id, outs = {} } = await begin(provider().pod, "pod", args);
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

test("an update does not stop a pod that somebody started", async () => {
  const { id, outs, update, refresh } = await made({ desiredStatus: "EXITED", locked: true });
  emulator.service.pods.update(id, { locked: false });
  act(id, "start");
  const updated = await update(outs, { env: { A: "2" } });
  expect(emulator.service.pods.get(id)).toMatchObject({ env: { A: "2" } });
  expect(status(id)).toMatch(/STARTING|RUNNING/);
  expect(updated.said).toMatch(/the pod is \w+, desiredStatus is EXITED, .* stops the pod/);
  await update(await refresh(updated.outs), { env: { A: "2" } });
  expect(status(id)).toBe("EXITED");
});

test("an update goes on with a pod that was not ready, also when it was stopped meanwhile", async () => {
  emulator.service.timings.starting = 60_000;
  const { pod } = provider();
  const failed: { id: string; properties: Properties } = await begin(pod, "pod", { waitTimeout: 1 }).catch(
    (error) => error,
  );
  const { id, properties } = failed;
  expect(properties).toMatchObject({
    status: expect.stringMatching(/^(PROVISIONING|STARTING)$/),
    desiredStatus: "RUNNING",
  });
  emulator.service.timings.starting = 0;
  act(id, "stop");
  await pod.update(id, properties, declared("pod", { name: properties.name, desiredStatus: "RUNNING" }));
  expect(status(id)).toBe("RUNNING");
});

test.each([true, false])("an update leaves a lock to who changed it: locked is %s", async (locked) => {
  const { id, outs, update, refresh } = await made({ locked });
  emulator.service.pods.update(id, { locked: !locked });
  const updated = await update(outs, { name: "other" });
  expect(updated.changes).toEqual(["name"]);
  expect(emulator.service.pods.get(id)).toMatchObject({ name: "other", locked: !locked });
  expect(updated.said).toContain(`locked is ${locked}, and this update leaves it so`);
  const last = await update(await refresh(updated.outs), { name: "other" });
  expect(last.changes).toEqual(["locked"]);
  expect(emulator.service.pods.get(id).locked).toBe(locked);
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
    expect(updated.said).not.toContain("leaves it so");
    expect(updated.outs).toMatchObject({ locked: true, status: "EXITED" });
    expect(emulator.service.pods.get(id)).toMatchObject({ locked: true, status: "EXITED" });
  },
);

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
  expect(updated.said).toContain("globalNetworking.enabled is not what the program says");
  await update(await refresh(updated.outs), { name: "other" });
  expect(restarts()).toBe(before + 1);
});
