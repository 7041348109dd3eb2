import { systemClock } from "../../provider/client/clock";
import { markFor } from "../../provider/core/mark/carried";
import { markVariable, type Owner, ownerOf } from "../../provider/core/mark/mark";
import { pod } from "../../provider/resources/pod";
import type { Properties } from "../../provider/value";
import { speed, stopInPause } from "./fast-clock";
import { begin, declared, emulator, existing, heard, provider, stacks, urnOf } from "./process";

// An object of this stack that is another resource's by now: nothing changes or deletes it.

describe("what another stack has adopted since", () => {
  /** A pod of this stack, and its state. Another stack adopts it then. */
  async function adoptedPod() {
    const { id, outs = {} } = await begin("pod");
    await begin("pod", {
      adopt: id,
      __providerId: stacks.theirs,
      __urn: urnOf("pod", "theirs"),
    });
    return { id, outs, news: { ...declared("pod"), name: outs.name } };
  }

  test("is not taken back by an update without a difference, as after one that was not ready", async () => {
    const { id, outs, news } = await adoptedPod();
    await expect(provider().pod.update(id, outs, news)).rejects.toThrow(/\[PODLUMI-ANOTHERS\]/);
  });

  test("is told as another resource's where the mark has no room for more", async () => {
    const { id, outs = {} } = await begin("networkVolume");
    const theirs = { adopt: id, __providerId: stacks.theirs, __urn: urnOf("networkVolume", "theirs") };
    await begin("networkVolume", theirs);
    const larger = { ...declared("networkVolume"), name: outs.name, size: 30 };
    await expect(provider().networkVolume.update(id, outs, larger)).rejects.toThrow(
      /belongs to another resource by now, which adopted it\. Give this resource another logical name.* \[PODLUMI-ANOTHERS\]$/,
    );
    expect(emulator.service.volumes.list()).toMatchObject([{ id, size: 20 }]);
  });

  test("is told with the resource that has it when it is to be deleted", async () => {
    const { id, outs } = await adoptedPod();
    const { said } = await heard(() => provider().pod.delete(id, outs));
    expect(said).toContain(
      `leaves the pod ${id}, which Pod "theirs" of project/dev has adopted [PODLUMI-ANOTHERS]`,
    );
    expect(existing()).toEqual([id]);
  });

  /** A volume of this stack that a pod uses. Another stack adopts it while the deletion waits, and then the pod goes. */
  async function adoptedWhileDeleted(remove: (id: string, outs: Properties) => Promise<unknown>) {
    const { id, outs = {} } = await begin("networkVolume");
    const mounts = { network: [{ volumeId: id, path: "/data" }] };
    const gpu = { id: "NVIDIA L4", count: 1 };
    const user = emulator.service.pods.create({ name: "user", image: "i", gpu, mounts });
    const refused = new Promise((seen) =>
      emulator.on("after", { method: "DELETE", path: "/network-volumes/*" }, () => seen(undefined)),
    );
    const deletion = remove(id, outs);
    await refused;
    await begin("networkVolume", { adopt: id, __providerId: stacks.theirs });
    // Deletions share a look for five seconds, of which a busy machine makes more.
    await systemClock.sleep(20_000);
    emulator.service.pods.delete(user.id);
    await deletion;
    expect(existing()).toEqual([id]);
  }

  test("is not deleted by a deletion that waits meanwhile for what uses it", async () => {
    const act = () => adoptedWhileDeleted((id, outs) => provider().networkVolume.delete(id, outs));
    expect((await heard(act)).said).toMatch(/leaves the network volume .* \[PODLUMI-ANOTHERS\]/);
  });

  test("stays where the list shows that, and a read of it does not yet", async () => {
    const { networkVolume } = provider();
    const { id, outs } = await begin(networkVolume, "networkVolume");
    const lagging = { match: { method: "GET", path: `/network-volumes/${id}` }, when: "before" } as const;
    emulator.faults.add({ ...lagging, what: { lag: 300 }, times: 0 });
    await begin("networkVolume", { adopt: id, __providerId: stacks.theirs });
    await provider().networkVolume.delete(id, outs ?? {});
    expect(existing()).toEqual([id]);
  });

  test.each(["networkVolume", "pod"] as const)(
    "stays where reads and lists lag: an adoption ends once they show it: a %s",
    async (kind) => {
      const { id, outs = {} } = await begin(kind);
      const lag = 200;
      await systemClock.sleep(lag * speed * 1.5);
      Object.assign(emulator.service.timings, { readLag: lag, listLag: lag });
      await begin(kind, {
        adopt: id,
        __providerId: stacks.theirs,
        __urn: urnOf(kind, "theirs"),
      });
      await provider()[kind].delete(id, outs);
      expect(existing()).toEqual([id]);
    },
  );

  test("is in the state of its adoption also where no list tells whether it shows", async () => {
    const { id } = await begin("networkVolume");
    emulator.on("before", { method: "PATCH", path: "/network-volumes/*" }, () => {
      const match = { method: "GET", path: "/network-volumes" };
      emulator.faults.add({ match, when: "before", what: { status: 403 }, times: 0 });
    });
    const theirs = { adopt: id, __providerId: stacks.theirs, __urn: urnOf("networkVolume", "theirs") };
    const adoption = begin("networkVolume", theirs);
    await expect(adoption).rejects.toMatchObject({ id, properties: { adopt: id }, message: /is not ready/ });
  });

  test("is not deleted by a request that is retried after failures of the service", async () => {
    const { id, outs } = await begin("networkVolume");
    const match = { method: "DELETE", path: "/network-volumes/*" };
    emulator.faults.add({ match, when: "before", what: { status: 503 }, times: 0 });
    const refused = new Promise((seen) => emulator.on("before", match, () => seen(undefined)));
    const deletion = provider().networkVolume.delete(id, outs ?? {});
    await refused;
    await begin("networkVolume", { adopt: id, __providerId: stacks.theirs });
    await systemClock.sleep(20_000);
    emulator.faults.clear();
    await deletion;
    expect(existing()).toEqual([id]);
  });

  test("is not deleted by a request that waits for the quota meanwhile", async () => {
    // The service's window ends with its minute: not while the deletion waits.
    const minute = Math.floor(Date.now() / 60_000) * 60_000;
    jest.spyOn(emulator.service.clock, "now").mockReturnValue(minute + 10_000);
    const { id, outs } = await begin("networkVolume");
    const match = { method: "DELETE", path: "/network-volumes/*" };
    emulator.faults.add({ match, when: "before", what: { rateLimited: { retryAfter: 30 } } });
    const refused = new Promise((seen) => emulator.on("before", match, () => seen(undefined)));
    const adopt = { adopt: id, __providerId: stacks.theirs };
    const adopted = refused.then(() => begin("networkVolume", adopt));
    stopInPause(20_000, adopted);
    await provider().networkVolume.delete(id, outs ?? {});
    await adopted;
    expect(existing()).toEqual([id]);
  });

  test("is not changed by a take-over that is retried after failures of the service", async () => {
    const { id } = await begin("pod");
    const match = { method: "PATCH", path: `/pods/${id}` };
    emulator.faults.add({ match, when: "before", what: { status: 503 }, times: 0 });
    const refused = new Promise((seen) => emulator.on("before", match, () => seen(undefined)));
    const takeOver = begin("pod", { image: "org/pod:2" }).catch((error) => error.message);
    await refused;
    const theirs = { ...declared("pod"), __providerId: stacks.theirs, __urn: urnOf("pod", "theirs") };
    const mark = markFor(
      pod,
      ownerOf(theirs) as Owner,
      {},
      { call: "0000000", attempt: 0, sentAt: systemClock.now() },
    );
    emulator.service.pods.update(id, { image: "org/theirs:1", env: { [markVariable]: mark } });
    expect(await takeOver).toMatch(
      /^could not create pod .* belongs to Pod "theirs" of project\/dev by now, .* \[PODLUMI-ANOTHERS\]$/,
    );
    expect(emulator.service.pods.get(id)).toMatchObject({
      image: "org/theirs:1",
      env: { [markVariable]: mark },
    });
  });

  test("is not started by a take-over that waits meanwhile for room", async () => {
    const { id } = await begin("pod");
    emulator.service.pods.act(id, "stop");
    emulator.service.capacity.set({ gpu: "NVIDIA L4", free: 0 });
    const match = { method: "POST", path: `/pods/${id}/action` };
    const refused = new Promise((seen) => emulator.on("after", match, () => seen(undefined)));
    const theirs = { __providerId: stacks.theirs, __urn: urnOf("pod", "theirs"), desiredStatus: "EXITED" };
    const adopted = refused.then(async () => {
      await begin("pod", { adopt: id, ...theirs });
      emulator.service.capacity.set({ gpu: "NVIDIA L4", free: 1 });
    });
    // The next attempt comes once that is done.
    stopInPause(5_000, adopted);
    const takeOver = begin("pod", { capacityTimeout: 60 });
    await expect(takeOver).rejects.toThrow(
      /exists but is not ready: .* Give this resource another logical name.* \[PODLUMI-ANOTHERS\]$/,
    );
    expect(emulator.service.pods.get(id).status).toBe("EXITED");
  });

  test("is told also by a state that remembers no mark", async () => {
    const { id, outs, news } = await adoptedPod();
    const { __mark, ...unmarked } = outs;
    await expect(provider().pod.update(id, unmarked, news)).rejects.toThrow(/\[PODLUMI-ANOTHERS\]/);
    await provider().pod.delete(id, unmarked);
    expect(existing()).toEqual([id]);
  });
});

test("an adopted object is changed by its new resource also while a list shows the mark of the old one", async () => {
  const { id } = await begin("networkVolume");
  emulator.service.timings.listLag = 20_000 / speed;
  const theirs = { adopt: id, __providerId: stacks.theirs };
  const { outs } = await begin("networkVolume", theirs);
  const larger = { ...declared("networkVolume", { ...theirs, size: 30 }), name: outs?.name };
  await provider().networkVolume.update(id, outs, larger);
  expect(emulator.service.volumes.list()).toMatchObject([{ id, size: 30 }]);
});

test("an object is deleted where only the stack was renamed", async () => {
  const { id, outs = {} } = await begin("pod");
  await provider().pod.delete(id, { ...outs, __urn: urnOf("pod", "it", "qa") });
  expect(existing()).toEqual([]);
});

test("an update leaves the mark in the state as it is, whatever mark the service returns", async () => {
  const { id, outs = {} } = await begin("pod");
  const { env } = emulator.service.pods.get(id);
  const news = { ...declared("pod", { image: "org/pod:2" }), name: outs.name };
  emulator.on("after", { method: "PATCH", path: `/pods/${id}` }, () => {
    const PODLUMI_MARK = String(env.PODLUMI_MARK).replace(
      / [0-9a-f]{6}-[0-9a-f]{12}/,
      " 012345-0123456789ab",
    );
    emulator.service.pods.update(id, { env: { ...env, PODLUMI_MARK } });
  });
  const updated = await provider().pod.update(id, outs, news);
  expect(updated.outs).toMatchObject({ __mark: outs.__mark });
  const { __mark, ...unmarked } = outs;
  await expect(provider().pod.update(id, unmarked, news)).rejects.toThrow(/\[PODLUMI-ANOTHERS\]/);
});
