import { setTimeout } from "node:timers/promises";
import { systemClock } from "../../provider/client/clock";
import { markVariable, type Owner, ownerOf } from "../../provider/core/kind/mark";
import { markFor } from "../../provider/core/kind/ownership";
import { deleteTwins } from "../../provider/core/owner/twins";
import type { Properties } from "../../provider/core/value";
import { networkVolume } from "../../provider/resources/network-volume";
import { pod } from "../../provider/resources/pod";
import { speed, stopInPause } from "./fast-clock";
import {
  backend,
  begin,
  create,
  declared,
  emulator,
  existing,
  heard,
  inputs,
  provider,
  stacks,
  stated,
  urnOf,
} from "./process";

// An object of this stack that is another resource's by now, or another stack's, too: nothing changes or deletes it.

describe("what another stack has adopted since", () => {
  /** A pod of this stack, and its state. Another stack adopts it then. */
  async function adoptedPod() {
    const { id, outs = {} } = await begin(provider().pod, "pod");
    await begin(provider().pod, "pod", { adopt: id, __stack: stacks.theirs, __urn: urnOf("pod", "theirs") });
    return { id, outs, news: { ...declared("pod"), name: outs.name } };
  }

  test("is not taken back by an update without a difference, as after one that was not ready", async () => {
    const { id, outs, news } = await adoptedPod();
    await expect(provider().pod.update(id, outs, news)).rejects.toThrow(/\[PODLUMI-ANOTHERS\]/);
  });

  test("is told with the stack that has it, where the mark has no room for that and the states tell", async () => {
    const { id, outs = {} } = await begin(provider().networkVolume, "networkVolume");
    const theirs = { adopt: id, __stack: stacks.theirs, __urn: urnOf("networkVolume", "theirs") };
    await begin(provider().networkVolume, "networkVolume", theirs);
    const update = () =>
      provider().networkVolume.update(id, outs, {
        ...declared("networkVolume"),
        name: outs.name,
        size: 30,
      });
    await expect(update()).rejects.toThrow(/it now belongs to another resource, which adopted it/);
    backend.othersHave = [id];
    const whose = `by its mark, it now belongs to another resource, ${urnOf("it")} of organization/project/prod, which adopted it`;
    await expect(update()).rejects.toThrow(whose);
    const { said } = await heard(() => provider().networkVolume.delete(id, outs));
    expect(said).toContain(`(${id}): ${whose} [PODLUMI-ANOTHERS]`);
  });

  test("is told with the resource that has it when it is to be deleted", async () => {
    const { id, outs } = await adoptedPod();
    const { said } = await heard(() => provider().pod.delete(id, outs));
    expect(said).toMatch(
      /keeps the pod .* now belongs to another resource, Pod::theirs of project\/dev, which adopted it/,
    );
  });

  describe("and that no state has, as after an interrupted adoption,", () => {
    test("is told as such, with what to write, when it is to be changed or deleted", async () => {
      const { id, outs, news } = await adoptedPod();
      const lost = new RegExp(`which adopted it\\. But it is in no state .* write adopt: "${id}"`);
      await expect(provider().pod.update(id, outs, news)).rejects.toThrow(lost);
      expect((await heard(() => provider().pod.delete(id, outs))).said).toMatch(lost);
    });

    test("is told as being adopted where a state still shows that", async () => {
      const { id, outs } = await adoptedPod();
      backend.othersAdopt = [id];
      const { said } = await heard(() => provider().pod.delete(id, outs));
      expect(said).toMatch(/which adopted it: a run of \S+\/prod is adopting it, or was interrupted at that/);
    });

    test("is not told so where a state has it by now, though none had when this run first asked", async () => {
      const { id, outs, news } = await adoptedPod();
      const { run, pod } = provider();
      await run.states.all();
      backend.othersHave = [id];
      await expect(pod.update(id, outs, news)).rejects.not.toThrow(/in no state/);
    });

    test("is not told so where another resource of this stack has it, also one that is being deleted", async () => {
      const { id, outs, news } = await adoptedPod();
      const [own, other] = [stated(urnOf("pod"), id), stated(urnOf("pod", "theirs"), id, { isGoing: true })];
      backend.objects = [own, other];
      await expect(provider().pod.update(id, outs, news)).rejects.not.toThrow(/in no state/);
    });

    test("is not told so where an interrupted replacement of another stack has kept it", async () => {
      const { id, outs, news } = await adoptedPod();
      backend.othersObjects = [stated(urnOf("pod", "theirs"), id, { isGone: true })];
      await expect(provider().pod.update(id, outs, news)).rejects.not.toThrow(/in no state/);
    });

    test("is not told so where another stack has it, or Pulumi does not tell", async () => {
      const { id, outs, news } = await adoptedPod();
      const update = () => provider().pod.update(id, outs, news);
      backend.othersHave = [id];
      await expect(update()).rejects.not.toThrow(/in no state/);
      backend.otherIsLost = true;
      await expect(update()).rejects.not.toThrow(/in no state/);
    });
  });

  /** A volume of this stack that a pod uses. Another stack adopts it while the deletion waits, and then the pod goes. */
  async function adoptedWhileDeleted(remove: (id: string, outs: Properties) => Promise<unknown>) {
    const { id, outs = {} } = await begin(provider().networkVolume, "networkVolume");
    const mounts = { network: [{ volumeId: id, path: "/data" }] };
    const gpu = { id: "NVIDIA L4", count: 1 };
    const user = emulator.service.pods.create({ name: "user", image: "i", gpu, mounts });
    const refused = new Promise((seen) =>
      emulator.on("after", { method: "DELETE", path: "/network-volumes/*" }, () => seen(undefined)),
    );
    const deletion = remove(id, outs);
    await refused;
    await begin(provider().networkVolume, "networkVolume", { adopt: id, __stack: stacks.theirs });
    // Deletions share a look for five seconds, of which a busy machine makes more.
    await systemClock.sleep(20_000);
    emulator.service.pods.delete(user.id);
    await deletion;
    expect(existing()).toEqual([id]);
  }

  test("is not deleted by a deletion that waits meanwhile for what uses it", async () => {
    const act = () => adoptedWhileDeleted((id, outs) => provider().networkVolume.delete(id, outs));
    expect((await heard(act)).said).toMatch(/keeps the network volume .* \[PODLUMI-ANOTHERS\]/);
  });

  test("is not deleted as a twin either", async () => {
    const told = jest.fn();
    const api = () => provider().run.api();
    await adoptedWhileDeleted((id, outs) => deleteTwins(api(), networkVolume, [{ ...outs, id }], told));
    expect(told).not.toHaveBeenCalled();
  });

  test("stays where the list shows that, and a read of it does not yet", async () => {
    const { networkVolume } = provider();
    const { id, outs } = await begin(networkVolume, "networkVolume");
    const lagging = { match: { method: "GET", path: `/network-volumes/${id}` }, when: "before" } as const;
    emulator.faults.add({ ...lagging, what: { lag: 300 }, times: 0 });
    await begin(provider().networkVolume, "networkVolume", { adopt: id, __stack: stacks.theirs });
    await provider().networkVolume.delete(id, outs ?? {});
    expect(existing()).toEqual([id]);
  });

  test.each(["networkVolume", "pod"] as const)(
    "stays where reads and lists lag: an adoption ends once they show it: a %s",
    async (kind) => {
      const { id, outs = {} } = await begin(provider()[kind], kind);
      const lag = 200;
      await systemClock.sleep(lag * speed * 1.5);
      Object.assign(emulator.service.timings, { readLag: lag, listLag: lag });
      await begin(provider()[kind], kind, {
        adopt: id,
        __stack: stacks.theirs,
        __urn: urnOf(kind, "theirs"),
      });
      await provider()[kind].delete(id, outs);
      expect(existing()).toEqual([id]);
    },
  );

  test("is in the state of its adoption also where no list tells whether it shows", async () => {
    const { id } = await begin(provider().networkVolume, "networkVolume");
    emulator.on("before", { method: "PATCH", path: "/network-volumes/*" }, () => {
      const match = { method: "GET", path: "/network-volumes" };
      emulator.faults.add({ match, when: "before", what: { status: 403 }, times: 0 });
    });
    const theirs = { adopt: id, __stack: stacks.theirs, __urn: urnOf("networkVolume", "theirs") };
    const adoption = begin(provider().networkVolume, "networkVolume", theirs);
    await expect(adoption).rejects.toMatchObject({ id, properties: { adopt: id }, message: /is not ready/ });
  });

  test.each([true, false])(
    "stays where lists lack it, and a read shows whose it is: at first too: %s",
    async (atFirst) => {
      const { id, outs = {} } = await begin(provider().networkVolume, "networkVolume");
      await begin(provider().networkVolume, "networkVolume", { adopt: id, __stack: stacks.theirs });
      const { run, networkVolume } = provider();
      if (!atFirst) {
        await run.lists.lately(networkVolume.kind);
        await systemClock.sleep(1_000);
      }
      const none = { answer: { status: 200, body: { networkVolumes: [] } } };
      emulator.faults.add({
        match: { method: "GET", path: "/network-volumes" },
        when: "before",
        what: none,
        times: 0,
      });
      await networkVolume.delete(id, outs);
      expect(existing()).toEqual([id]);
    },
  );

  test("is not deleted by a request that is retried after failures of the service", async () => {
    const { id, outs } = await begin(provider().networkVolume, "networkVolume");
    const match = { method: "DELETE", path: "/network-volumes/*" };
    emulator.faults.add({ match, when: "before", what: { status: 503 }, times: 0 });
    const refused = new Promise((seen) => emulator.on("before", match, () => seen(undefined)));
    const deletion = provider().networkVolume.delete(id, outs ?? {});
    await refused;
    await begin(provider().networkVolume, "networkVolume", { adopt: id, __stack: stacks.theirs });
    await systemClock.sleep(20_000);
    emulator.faults.clear();
    await deletion;
    expect(existing()).toEqual([id]);
  });

  test("is not deleted by a request that waits for the quota meanwhile", async () => {
    // The service's window ends with its minute: not while the deletion waits.
    const minute = Math.floor(Date.now() / 60_000) * 60_000;
    jest.spyOn(emulator.service.clock, "now").mockReturnValue(minute + 10_000);
    const { id, outs } = await begin(provider().networkVolume, "networkVolume");
    const match = { method: "DELETE", path: "/network-volumes/*" };
    emulator.faults.add({ match, when: "before", what: { rateLimited: { retryAfter: 30 } } });
    const refused = new Promise((seen) => emulator.on("before", match, () => seen(undefined)));
    const adopt = { adopt: id, __stack: stacks.theirs };
    const adopted = refused.then(() => begin(provider().networkVolume, "networkVolume", adopt));
    stopInPause(20_000, adopted);
    await provider().networkVolume.delete(id, outs ?? {});
    await adopted;
    expect(existing()).toEqual([id]);
  });

  test("is told of where an earlier request to delete it had no clear answer", async () => {
    const { id, outs } = await begin(provider().networkVolume, "networkVolume");
    const match = { method: "DELETE", path: "/network-volumes/*" };
    emulator.faults.add({ match, when: "before", what: { status: 503 }, times: 0 });
    const refused = new Promise((seen) => emulator.on("before", match, () => seen(undefined)));
    const { said } = await heard(async () => {
      const deletion = provider().networkVolume.delete(id, outs ?? {});
      await refused;
      await begin(provider().networkVolume, "networkVolume", { adopt: id, __stack: stacks.theirs });
      await deletion;
    });
    expect(said).toMatch(
      /keeps the network volume .* DELETE \/network-volumes\/\w+ had no clear answer .*503/,
    );
  });

  test("is not changed by a take-over that is retried after failures of the service", async () => {
    const { id } = await begin(provider().pod, "pod");
    const match = { method: "PATCH", path: `/pods/${id}` };
    emulator.faults.add({ match, when: "before", what: { status: 503 }, times: 0 });
    const refused = new Promise((seen) => emulator.on("before", match, () => seen(undefined)));
    const takeOver = begin(provider().pod, "pod", { image: "org/pod:2" }).catch((error) => error.message);
    await refused;
    const theirs = { ...declared("pod"), __stack: stacks.theirs, __urn: urnOf("pod", "theirs") };
    const mark = markFor(
      pod,
      ownerOf(theirs) as Owner,
      {},
      { call: "0000000", attempt: 0, sentAt: systemClock.now() },
    );
    emulator.service.pods.update(id, { image: "org/theirs:1", env: { [markVariable]: mark } });
    expect(await takeOver).toMatch(
      /^could not create pod .* it now belongs to another resource, .* \[PODLUMI-ANOTHERS\]$/,
    );
    expect(emulator.service.pods.get(id)).toMatchObject({
      image: "org/theirs:1",
      env: { [markVariable]: mark },
    });
  });

  test("is not started by a take-over that waits meanwhile for room", async () => {
    const { id } = await begin(provider().pod, "pod");
    emulator.service.pods.act(id, "stop");
    emulator.service.capacity.set({ gpu: "NVIDIA L4", free: 0 });
    const match = { method: "POST", path: `/pods/${id}/action` };
    const refused = new Promise((seen) => emulator.on("after", match, () => seen(undefined)));
    const takeOver = begin(provider().pod, "pod", { capacityTimeout: 60 }).catch((error) => error.message);
    await refused;
    const theirs = { __stack: stacks.theirs, __urn: urnOf("pod", "theirs"), desiredStatus: "EXITED" };
    await begin(provider().pod, "pod", { adopt: id, ...theirs });
    await systemClock.sleep(20_000);
    emulator.service.capacity.set({ gpu: "NVIDIA L4", free: 1 });
    expect(await takeOver).toMatch(
      /exists but is not ready: .* give this resource another logical name.* \[PODLUMI-ANOTHERS\]$/,
    );
    expect(emulator.service.pods.get(id).status).toBe("EXITED");
  });

  test("is told from one's own by an older state, too, which does not have the mark", async () => {
    const { id, outs, news } = await adoptedPod();
    const { __mark, ...older } = outs;
    await expect(provider().pod.update(id, older, news)).rejects.toThrow(/\[PODLUMI-ANOTHERS\]/);
    await provider().pod.delete(id, older);
    expect(existing()).toEqual([id]);
  });
});

test("what another stack has adopted since is not changed either when the comparison got no answer in time", async () => {
  const { id, outs } = await begin(provider().networkVolume, "networkVolume");
  await begin(provider().networkVolume, "networkVolume", { adopt: id, __stack: stacks.theirs });
  const larger = { ...declared("networkVolume", { size: 30 }), name: outs?.name };
  await expect(provider().networkVolume.update(id, outs, larger)).rejects.toThrow(
    /give this resource another logical name.* \[PODLUMI-ANOTHERS\]$/,
  );
  expect(emulator.service.volumes.list()).toMatchObject([{ id, size: 20 }]);
});

test("an adopted object is changed by its new resource also while a list shows the mark of the old one", async () => {
  const { id } = await begin(provider().networkVolume, "networkVolume");
  emulator.service.timings.listLag = 20_000 / speed;
  const theirs = { adopt: id, __stack: stacks.theirs };
  const { outs } = await begin(provider().networkVolume, "networkVolume", theirs);
  const larger = { ...declared("networkVolume", { ...theirs, size: 30 }), name: outs?.name };
  await provider().networkVolume.update(id, outs, larger);
  expect(emulator.service.volumes.list()).toMatchObject([{ id, size: 30 }]);
});

describe("what the state of another stack has, too, as after an import of a copied state", () => {
  const copied = (outs: Properties) => ({ ...outs, __urn: urnOf("pod", "it", "qa") });

  test("is neither deleted nor changed", async () => {
    const { id, outs = {} } = await begin(provider().pod, "pod");
    backend.othersHave = [id];
    await expect(provider().pod.delete(id, copied(outs))).rejects.toThrow(
      /project\/prod has .* there with `pulumi state delete '\S+' --stack \S+\/prod`, or here with `pulumi state delete '\S+'` \[PODLUMI-HELD-TWICE\]/,
    );
    const news = { ...copied(declared("pod")), name: outs.name, image: "org/pod:2" };
    const { pod } = provider();
    await pod.check(copied(outs), news);
    await expect(pod.diff(id, copied(outs), news)).rejects.toThrow(/\[PODLUMI-HELD-TWICE\]/);
    await expect(provider().pod.update(id, copied(outs), news)).rejects.toThrow(/\[PODLUMI-HELD-TWICE\]/);
    expect(emulator.service.pods.get(id)).toMatchObject({ image: inputs.pod.image });
  });

  test.each(["a change of the program", "an option of Pulumi"])(
    "is not replaced by %s: no other one is created first",
    async (by) => {
      const { id, outs = {} } = await begin(provider().pod, "pod");
      backend.othersHave = [id];
      const { pod } = provider();
      const olds = { ...copied(declared("pod")), name: outs.name };
      const gpu = by === "a change of the program" ? { id: "NVIDIA A40" } : inputs.pod.gpu;
      const news = { ...olds, gpu };
      await pod.check(olds, news);
      const compared = pod.diff(id, copied(outs), news);
      const refused = /^will not replace pod .* \[PODLUMI-HELD-TWICE\]$/s;
      if (by === "a change of the program") return expect(compared).rejects.toThrow(refused);
      expect(await compared).toMatchObject({ replaces: [] });
      // The engine checks what it replaces once more, as if it were new.
      await expect(pod.check({}, news)).rejects.toThrow(refused);
    },
  );

  test("is neither deleted nor changed where it carries no mark, as under a name of the program", async () => {
    const { id, outs = {} } = await create(provider().networkVolume, "networkVolume");
    backend.othersHave = [id];
    const { networkVolume } = provider();
    // Whoever copies a state may write the new name of the stack into its URNs.
    const renamed = { ...outs, __stackName: "0f0f0f0f" };
    const news = { ...declared("networkVolume", { size: 30 }), name: outs.name };
    await expect(networkVolume.update(id, renamed, news)).rejects.toThrow(/\[PODLUMI-HELD-TWICE\]/);
    await expect(networkVolume.delete(id, renamed)).rejects.toThrow(/\[PODLUMI-HELD-TWICE\]/);
    expect(emulator.service.volumes.list()).toMatchObject([{ id, size: 20 }]);
  });

  test("is left alone where only its name shows the other stack, whose state Pulumi does not tell", async () => {
    const { id, outs = {} } = await begin(provider().pod, "pod", { __urn: urnOf("pod", "it", "prod") });
    backend.otherIsLost = true;
    const ours = { ...outs, __urn: urnOf("pod") };
    await expect(provider().pod.delete(id, ours)).rejects.toThrow(/\[PODLUMI-STATE-UNKNOWN\]/);
    expect(existing()).toEqual([id]);
    // Any other stack whose state cannot be read does not stop what was renamed.
    await provider().pod.delete(id, copied({ ...outs, __stackName: "0f0f0f0f" }));
    expect(existing()).toEqual([]);
  });

  test("is deleted where only the stack was renamed", async () => {
    const { id, outs = {} } = await begin(provider().pod, "pod");
    await provider().pod.delete(id, copied(outs));
    expect(existing()).toEqual([]);
  });
});

describe("data that the state of another stack has, too, though this state names no other, as one from before a `pulumi state move`", () => {
  test("is neither deleted nor replaced", async () => {
    const { id, outs = {} } = await begin(provider().networkVolume, "networkVolume");
    backend.othersHave = [id];
    await expect(provider().networkVolume.delete(id, outs)).rejects.toThrow(
      /project\/prod has the network volume .* \[PODLUMI-HELD-TWICE\]/,
    );
    const { networkVolume } = provider();
    const olds = { ...declared("networkVolume"), name: outs.name };
    const news = { ...olds, dataCenter: "US-KS-2" };
    await networkVolume.check(olds, news);
    await expect(networkVolume.diff(id, outs, news)).rejects.toThrow(/\[PODLUMI-HELD-TWICE\]/);
    expect(emulator.service.volumes.list()).toMatchObject([{ id }]);
  });

  test("is deleted where its mark tells that stack that it is this one's, as after an adoption from there", async () => {
    const { networkVolume } = provider();
    const theirs = { __stack: stacks.theirs, __urn: urnOf("networkVolume", "theirs", "prod") };
    const { id, outs: former = {} } = await begin(networkVolume, "networkVolume", theirs);
    const { outs = {} } = await begin(provider().networkVolume, "networkVolume", { adopt: id });
    backend.othersHave = [id];
    backend.objects = [stated(String(outs.__urn), id, { outputs: former })];
    await provider().networkVolume.delete(id, outs);
    expect(existing()).toEqual([]);
  });

  test("is deleted where Pulumi does not tell all states, and a warning says which, and of what", async () => {
    const { id, outs = {} } = await begin(provider().networkVolume, "networkVolume");
    backend.otherIsLost = true;
    const { said } = await heard(() => provider().networkVolume.delete(id, outs));
    expect(said).toMatch(
      new RegExp(
        `cannot read the state of organization/project/prod, .* whether that stack has the network volume .* tells why\\. ` +
          `That does not stop the deletion of the network volume ${id}, which holds data \\[PODLUMI-STATE-UNKNOWN\\]`,
      ),
    );
    expect(existing()).toEqual([]);
  });

  test("is kept also where it takes long to read the states, as of many stacks", async () => {
    const { id, outs = {} } = await begin(provider().networkVolume, "networkVolume");
    backend.othersHave = [id];
    const { run, networkVolume } = provider();
    const all = run.states.all.bind(run.states);
    jest.spyOn(run.states, "all").mockImplementation((when) => setTimeout(4_000).then(() => all(when)));
    await expect(networkVolume.delete(id, outs)).rejects.toThrow(/\[PODLUMI-HELD-TWICE\]/);
    expect(existing()).toEqual([id]);
  });

  test.each(["changed", "deleted"])(
    "is not %s either where it holds no data, and the state is as an imported file has it",
    async (act) => {
      const given = { name: "web", image: "org/pod:1", gpu: { id: "NVIDIA L4", count: 1 } };
      const { id } = emulator.service.pods.create(given);
      const outs = { ...given, __urn: urnOf("pod"), __declared: { image: true } };
      backend.othersHave = [id];
      const news = { ...declared("pod", given), image: "org/pod:2" };
      const { pod } = provider();
      const acting = act === "changed" ? pod.update(id, outs, news) : pod.delete(id, outs);
      await expect(acting).rejects.toThrow(/project\/prod has the pod .* \[PODLUMI-HELD-TWICE\]/);
      expect(emulator.service.pods.list()).toMatchObject([{ id, image: "org/pod:1" }]);
    },
  );

  test("of what holds no data, Pulumi is not asked", async () => {
    const { id, outs = {} } = await begin(provider().pod, "pod");
    backend.othersHave = [id];
    await provider().pod.delete(id, outs);
    expect(existing()).toEqual([]);
  });
});

test("an update leaves the mark in the state as it is, whatever mark the service returns", async () => {
  const { id, outs = {} } = await begin(provider().pod, "pod");
  const { env } = emulator.service.pods.get(id);
  const news = { ...declared("pod", { image: "org/pod:2" }), name: outs.name };
  emulator.on("after", { method: "PATCH", path: `/pods/${id}` }, () => {
    const PODLUMI_MARK = String(env.PODLUMI_MARK).replace(
      / [0-9a-f]{8}-[0-9a-f]{12}/,
      " 01234567-0123456789ab",
    );
    emulator.service.pods.update(id, { env: { ...env, PODLUMI_MARK } });
  });
  const updated = await provider().pod.update(id, outs, news);
  expect(updated.outs).toMatchObject({ __mark: outs.__mark });
  const { __mark, ...older } = outs;
  await expect(provider().pod.update(id, older, news)).rejects.toThrow(/\[PODLUMI-ANOTHERS\]/);
});

test("an older state whose resource was renamed later does not take its own object for another's", async () => {
  const { id, outs = {} } = await begin(provider().pod, "pod");
  const { __mark, ...older } = { ...outs, __urn: urnOf("pod", "renamed") };
  await provider().pod.delete(id, older);
  expect(existing()).toEqual([]);
});

test("an older state of an object that its program has moved since knows its mark", async () => {
  const { id, outs = {} } = await begin(provider().pod, "pod");
  const { __mark, ...older } = outs;
  const renamed = { ...declared("pod", { __urn: urnOf("pod", "renamed") }), name: outs.name };
  const { outs: updated = {} } = await provider().pod.update(id, older, renamed);
  expect(updated).toMatchObject({ __urn: urnOf("pod", "renamed"), __mark });
  await provider().pod.delete(id, updated);
  expect(existing()).toEqual([]);
});
