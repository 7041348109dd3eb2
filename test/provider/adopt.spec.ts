import { systemClock } from "../../provider/client/clock";
import { handler } from "../../provider/core/handler";
import { markVariable, type Owner, ownerOf } from "../../provider/core/owner/mark";
import { markFor } from "../../provider/core/owner/ownership";
import { deleteTwins } from "../../provider/core/owner/twins";
import { Run } from "../../provider/core/run";
import { type Properties, unknownValue } from "../../provider/core/value";
import { emptyBackend } from "../../provider/engine/stacks";
import { networkVolume } from "../../provider/resources/network-volume";
import { pod } from "../../provider/resources/pod";
import { speed, stopInPause } from "./fast-clock";
import {
  begin,
  create,
  declared,
  emulator,
  existing,
  haveAdopting,
  haveInOtherState,
  haveInState,
  heard,
  inputs,
  loseOtherState,
  provider,
  stacks,
  stateHas,
  urnOf,
  withoutSecretsOverRest,
} from "./process";

// These tests need a certain order of checks, which the real engine does not promise. programs/ has the other tests.

const args = { name: "data", size: 20, dataCenter: "EU-RO-1" };
const once = /is urn:\w+ already: a program declares an object once/;

test("an object that a resource of the state has is adopted by no other, whichever is looked at first", async () => {
  const { id } = emulator.service.volumes.create(args);
  const holder = { ...args, __urn: "urn:holder" };
  const twin = { ...args, adopt: id, __urn: "urn:twin" };
  const { outs } = (await provider().networkVolume.create?.({ ...holder, adopt: id })) ?? {};

  const { networkVolume: holderFirst } = provider();
  await holderFirst.diff?.(id, outs, holder);
  expect((await holderFirst.check?.({}, twin))?.failures).toEqual([
    { property: "adopt", reason: expect.stringMatching(once) },
  ]);

  const { networkVolume: twinFirst } = provider();
  expect((await twinFirst.check?.({}, twin))?.failures).toEqual([]);
  await expect(twinFirst.diff?.(id, outs, holder)).rejects.toThrow(once);
});

test("what names no object is told what would", async () => {
  const { failures } = (await provider().pod.check?.({}, { ...inputs.pod, adopt: {}, __urn: "urn:a" })) ?? {};
  expect(failures).toEqual([
    { property: "adopt", reason: 'must be an id, or a name as in { name: "…" } [PODLUMI-INVALID]' },
  ]);
});

test("what another stack has is not adopted either when the check got no answer in time", async () => {
  const { id } = emulator.service.volumes.create({ name: "data", size: 20, dataCenter: "EU-RO-1" });
  haveInOtherState(id);
  const { networkVolume } = provider();
  await expect(networkVolume.create(declared("networkVolume", { adopt: id }))).rejects.toThrow(
    /prod has the network volume .*\[PODLUMI-ADOPT-HELD\]/,
  );
});

test("what a run of another stack is adopting is in no state from which to take it: the error says how to end that", async () => {
  const { id } = emulator.service.volumes.create({ name: "data", size: 20, dataCenter: "EU-RO-1" });
  haveAdopting(id);
  const { networkVolume } = provider();
  const adoption = networkVolume.create(declared("networkVolume", { adopt: id }));
  const how =
    /a run of \S+prod is adopting (it|the network volume \w+), .* `pulumi refresh --clear-pending-creates` there/;
  await expect(adoption).rejects.toThrow(how);
  await expect(adoption).rejects.not.toThrow("state delete");
  await expect(networkVolume.import(id, declared("networkVolume"))).rejects.toThrow(how);
  // It may adopt by the name.
  haveAdopting({ name: "data" });
  await expect(provider().networkVolume.import(id, declared("networkVolume"))).rejects.toThrow(how);
});

test("what another stack with this one's provider has is not adopted under a mark that tells the two not apart", async () => {
  const theirs = { __urn: urnOf("pod", "it", "prod"), name: "one" };
  const { id, outs = {} } = await begin(provider().pod, "pod", theirs);
  await provider().pod.update(id, outs, declared("pod", { ...theirs, name: "two" }));
  haveInOtherState(id);
  const adoption = declared("pod", { adopt: id, name: "two" });
  expect((await provider().pod.check({}, adoption)).failures).toEqual([
    {
      property: "adopt",
      reason: expect.stringMatching(
        /`pulumi state delete 'urn:\S+' --stack organization\/project\/prod` \[PODLUMI-ADOPT-HELD\]$/,
      ),
    },
  ]);
  await expect(provider().pod.create(adoption)).rejects.toThrow(/\[PODLUMI-ADOPT-HELD\]/);
  // Under another name of the resource, the mark tells.
  const { failures } = await provider().pod.check({}, { ...adoption, __urn: urnOf("pod", "other") });
  expect(failures).toEqual([]);
});

test.each<[string, Properties, (id: string) => unknown, string]>([
  [
    "that is stopped is started",
    {},
    (id) => emulator.service.pods.act(id, "stop"),
    "and changes desiredStatus",
  ],
  ["that failed is started", {}, (id) => emulator.service.pods.fail(id), "and changes desiredStatus"],
  ["with global networking keeps it", { globalNetworking: true }, () => undefined, "as it is"],
])("a preview says that an adopted pod %s", async (_what, args, before, says) => {
  const { name, image, env, ports } = inputs.pod as never;
  const gpu = { id: "NVIDIA L4", count: 1 };
  const { id } = emulator.service.pods.create({ name, image, env, ports, gpu, ...args });
  await systemClock.sleep(10_000);
  before(id);
  const look = () => provider().pod.check({}, declared("pod", { adopt: id, ...args }));
  expect((await heard(look)).said).toMatch(new RegExp(`adopts the pod "trainer" \\(${id}\\) ${says}\n`));
});

const lost = "the pod: what is on its disk outside of mounts is lost\n";

test.each<[string, Properties, string]>([
  ["another image does", { image: "org/pod:2" }, `a change of image restarts ${lost}`],
  ["an unknown one may", { image: unknownValue }, `a change of image may restart ${lost}`],
  ["a time limit does", { expiresAfter: "8h" }, `a change of expiresAfter restarts ${lost}`],
  ["what is as it is does not", {}, "as it is\n"],
  ["a name does not", { name: "other" }, "and changes name\n"],
  ["what stops the pod does not", { desiredStatus: "EXITED", image: "b:1" }, "image, desiredStatus\n"],
])("an adoption tells where it restarts a running pod: %s", async (_what, changes, told) => {
  const { image, env, ports } = inputs.pod as never;
  const gpu = { id: "NVIDIA L4", count: 1 };
  const { id } = emulator.service.pods.create({ name: "trainer", image, env, ports, gpu });
  await systemClock.sleep(10_000);
  const adoption = declared("pod", { adopt: id, env: undefined, ...changes });
  const { said } = await heard(() => provider().pod.check({}, adoption));
  expect(said.slice(-told.length)).toBe(told);
});

test("so it does for the mark of another resource, and so does a take-over", async () => {
  const { id } = await begin(provider().pod, "pod", { __urn: urnOf("pod", "theirs") });
  const adoption = declared("pod", { adopt: id });
  const { said } = await heard(() => provider().pod.check({}, adoption));
  expect(said).toContain(`\na change of its mark of ownership restarts ${lost}`);
  await begin(provider().pod, "pod");
  const takeOver = await heard(() => provider().pod.check({}, declared("pod", { args: "--more" })));
  expect(takeOver.said).toMatch(/takes over the pod .* and changes args/);
  expect(takeOver.said).toContain(`\na change of args restarts ${lost}`);
});

test("a preview says that a pod is started that an interrupted run left and that is stopped", async () => {
  const { id } = await begin(provider().pod, "pod");
  emulator.service.pods.act(id, "stop");
  const { said } = await heard(() => provider().pod.check({}, declared("pod")));
  expect(said).toMatch(/takes over the pod .* and changes desiredStatus: it carries the mark/);
});

test("a secret that another stack has is not adopted where the service cannot change its mark", async () => {
  await withoutSecretsOverRest();
  const message = 'Cannot query field "secretDescriptionUpdate" on type "Mutation".';
  const body = { errors: [{ message, extensions: { code: "GRAPHQL_VALIDATION_FAILED" } }] };
  emulator.faults.add({
    match: { operation: "secretDescriptionUpdate" },
    when: "before",
    what: { answer: { status: 400, body } },
    times: 0,
  });
  const { id } = await begin(provider().secret, "secret", { __stack: stacks.theirs, name: "token" });
  haveInOtherState(id);
  const adoption = declared("secret", { adopt: id, name: "token", value: "another" });
  expect((await provider().secret.check({}, adoption)).failures).toEqual([
    { property: "adopt", reason: expect.stringContaining("[PODLUMI-ADOPT-HELD]") },
  ]);
  await expect(provider().secret.create(adoption)).rejects.toThrow(/\[PODLUMI-ADOPT-HELD\]/);
  expect(emulator.service.secrets.valueOf(id)).toBe("hunter22");

  haveInOtherState();
  const { result, said } = await heard(() => begin(provider().secret, "secret", adoption));
  expect(said).toMatch(/adopts the secret "token" \(\w+\) and changes value\n/);
  expect(said).toMatch(/the secret keeps the mark of another resource, .* \[PODLUMI-FOREIGN-MARK\]/);
  const news = { ...adoption, value: "a third" };
  await provider().secret.update(id, result.outs ?? {}, news);
  expect(emulator.service.secrets.valueOf(id)).toBe("a third");
});

test("an adoption of a secret that sets the mark and not the value says so, and the next one sets the value", async () => {
  const { id } = await begin(provider().secret, "secret", { __stack: stacks.theirs, name: "token" });
  const adoption = declared("secret", { adopt: id, name: "token", value: "another" });
  emulator.faults.add({ match: { method: "PATCH" }, when: "before", skip: 1, what: { status: 400 } });
  await expect(begin(provider().secret, "secret", adoption)).rejects.toThrow(
    /^could not create secret "token": PATCH .*400.* Before that, it got the mark of this resource: .* \[PODLUMI-REFUSED\]$/,
  );
  expect(emulator.service.secrets.valueOf(id)).toBe("hunter22");
  await begin(provider().secret, "secret", adoption);
  expect(emulator.service.secrets.valueOf(id)).toBe("another");
});

describe("an adopted object whose mark is its name", () => {
  async function adoptedVolume() {
    const { id } = await begin(provider().networkVolume, "networkVolume", { __stack: stacks.theirs });
    haveInOtherState(id);
    const { outs = {} } = await begin(provider().networkVolume, "networkVolume", { adopt: id });
    return { id, outs };
  }
  const named = (name: unknown) => declared("networkVolume", { name });

  test("keeps it while another stack has the object, also in an update that was not compared", async () => {
    const { id, outs } = await adoptedVolume();
    const { networkVolume } = provider();
    const { inputs: news } = await networkVolume.check(outs, named("mine"));
    await expect(networkVolume.diff(id, outs, news)).rejects.toThrow(
      /will not change network volume "mine" .*: the stack organization\/project\/prod has .* or leave name out.* \[PODLUMI-ADOPT-HELD\]/,
    );
    await expect(provider().networkVolume.update(id, outs, news)).rejects.toThrow(/\[PODLUMI-ADOPT-HELD\]/);
    expect(emulator.service.volumes.get(id).name).toBe(outs.name);
    // A refresh and a deletion compare, too, and change nothing.
    await expect(provider().networkVolume.diff(id, outs, news)).resolves.toMatchObject({
      changes: undefined,
    });
  });

  test("gets a name of the program once no other stack has it, and a preview waits for a name that it does not know", async () => {
    const { id, outs } = await adoptedVolume();
    const { networkVolume } = provider();
    const { inputs: unknown } = await networkVolume.check(outs, named(unknownValue));
    await expect(networkVolume.diff(id, outs, unknown)).resolves.toMatchObject({ replaces: [] });
    haveInOtherState();
    const { outs: renamed = {} } = await provider().networkVolume.update(id, outs, named("mine"));
    expect(renamed).toMatchObject({ name: "mine", __mark: outs.__mark });
  });
});

test("what another stack has adopted since is not changed either when the comparison got no answer in time", async () => {
  const { id, outs } = await begin(provider().networkVolume, "networkVolume");
  await begin(provider().networkVolume, "networkVolume", { adopt: id, __stack: stacks.theirs });
  const larger = { ...declared("networkVolume", { size: 30 }), name: outs?.name };
  await expect(provider().networkVolume.update(id, outs, larger)).rejects.toThrow(/\[PODLUMI-ANOTHERS\]/);
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

test("an adopted secret keeps its name where its logical name would make none", async () => {
  const { id } = emulator.service.secrets.create({ name: "HF_TOKEN", value: "hunter22" });
  await begin(provider().secret, "secret", { adopt: id, __urn: urnOf("secret", "hf token") });
  expect(emulator.service.secrets.list()).toMatchObject([{ id, name: "HF_TOKEN" }]);
});

describe("while Pulumi does not tell whether another stack has an object", () => {
  const verbsOf = () => {
    const run = new Run({ ...emulator.env }, { ...emptyBackend, stacks: async () => undefined });
    return handler(networkVolume, run);
  };
  const unread = /nobody knows whether that stack has \w+: .* have to succeed/;
  const named = { ...args, __urn: "urn:pulumi:d::p::T::a" };

  test("it is neither imported nor adopted by its name, and the preview of that fails already", async () => {
    const { id, name } = emulator.service.volumes.create(args);
    const adopting = { ...named, adopt: { name } };
    await expect(verbsOf().create(adopting)).rejects.toThrow(unread);
    const { failures } = await verbsOf().check({}, adopting);
    expect(failures).toEqual([{ property: "adopt", reason: expect.stringMatching(unread) }]);
    await expect(verbsOf().import(id, { __urn: "urn:pulumi:d::p::T::b" })).rejects.toThrow(unread);
  });

  test("it is adopted by its id, with a warning: the user named it", async () => {
    const { id } = emulator.service.volumes.create(args);
    const adopting = { ...named, adopt: id };
    const { result, said } = await heard(() => verbsOf().check({}, adopting));
    expect(result.failures).toEqual([]);
    expect((await verbsOf().create(adopting)).id).toBe(id);
    expect(said).toMatch(unread);
    expect(said).toContain("[PODLUMI-STATE-UNKNOWN]");
  });
});

test("an adopted pod whose storage the program does not declare is not replaced by an option without a word", async () => {
  const { id } = await create(provider().pod, "pod", {
    mounts: { persistent: { size: 20, path: "/w" } },
  });
  haveInState();
  stateHas?.set(id, urnOf("pod"));
  const given = declared("pod", { name: inputs.pod.name, adopt: id });
  const { pod } = provider();
  // As the engine checks where `replacementTrigger` has another value: it compares nothing.
  await pod.check(given, given);
  await expect(pod.check({}, given)).rejects.toThrow(`pulumi config set podlumi:confirmDataLoss ${id}`);
  // As it checks for `pulumi up --replace`.
  expect((await provider().pod.check({}, given)).failures).toEqual([]);
});

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
    // Deletions share a look for five seconds.
    await systemClock.sleep(6_000);
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

  test.each([true, false])(
    "stays where lists lack it, and a read shows whose it is: at first too: %s",
    async (atFirst) => {
      const { id, outs = {} } = await begin(provider().networkVolume, "networkVolume");
      await begin(provider().networkVolume, "networkVolume", { adopt: id, __stack: stacks.theirs });
      const { run, networkVolume } = provider();
      if (!atFirst) {
        await run.lately(networkVolume.kind);
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

  test("is not deleted by a request that is tried again after failures of the service", async () => {
    const { id, outs } = await begin(provider().networkVolume, "networkVolume");
    const match = { method: "DELETE", path: "/network-volumes/*" };
    emulator.faults.add({ match, when: "before", what: { status: 503 }, times: 0 });
    const refused = new Promise((seen) => emulator.on("before", match, () => seen(undefined)));
    const deletion = provider().networkVolume.delete(id, outs ?? {});
    await refused;
    await begin(provider().networkVolume, "networkVolume", { adopt: id, __stack: stacks.theirs });
    await systemClock.sleep(6_000);
    emulator.faults.clear();
    await deletion;
    expect(existing()).toEqual([id]);
  });

  test("is not deleted by a request that waits for the quota meanwhile", async () => {
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

  test("is not changed by a take-over that is tried again after failures of the service", async () => {
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
      { call: "0000000", attempt: 0, sentAt: Date.now() },
    );
    emulator.service.pods.update(id, { image: "org/theirs:1", env: { [markVariable]: mark } });
    await systemClock.sleep(6_000);
    emulator.faults.clear();
    expect(await takeOver).toMatch(
      /^could not create pod .* another resource's by now, .* \[PODLUMI-ANOTHERS\]$/,
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
    await systemClock.sleep(6_000);
    emulator.service.capacity.set({ gpu: "NVIDIA L4", free: 1 });
    expect(await takeOver).toMatch(
      /exists but is not ready: .* Take it out of this stack .* \[PODLUMI-ANOTHERS\]$/,
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

describe("what the state of another stack has, too, as after an import of a copied state", () => {
  const copied = (outs: Properties) => ({ ...outs, __urn: urnOf("pod", "it", "qa") });

  test("is neither deleted nor changed", async () => {
    const { id, outs = {} } = await begin(provider().pod, "pod");
    haveInOtherState(id);
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

  test("nor what carries no mark, as under a name of the program", async () => {
    const { id, outs = {} } = await create(provider().networkVolume, "networkVolume");
    haveInOtherState(id);
    const { networkVolume } = provider();
    // Whoever copies a state may write the new name of the stack into its URNs.
    const renamed = { ...outs, __stackName: "0f0f0f0f" };
    const news = { ...declared("networkVolume", { size: 30 }), name: outs.name };
    await expect(networkVolume.update(id, renamed, news)).rejects.toThrow(/\[PODLUMI-HELD-TWICE\]/);
    await expect(networkVolume.delete(id, renamed)).rejects.toThrow(/\[PODLUMI-HELD-TWICE\]/);
    expect(emulator.service.volumes.list()).toMatchObject([{ id, size: 20 }]);
  });

  test("nor what the stack may have whose name the state shows, and whose state Pulumi does not tell", async () => {
    const { id, outs = {} } = await begin(provider().pod, "pod", { __urn: urnOf("pod", "it", "prod") });
    loseOtherState();
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

test("an update leaves the mark in the state as it is, whatever mark the service answers", async () => {
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
