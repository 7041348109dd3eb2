import { handler } from "../../provider/core/handler";
import { sshKeys } from "../../provider/resources/ssh-keys";
import type { Properties } from "../../provider/value";
import { create, declared, emulator, provider, stacks, urnOf } from "./process";

// A refresh or a destroy with the key of another account finds nothing, and must not take that for gone.

/** A pod and a template of a stack. */
async function madeBoth() {
  const { pod, template } = provider();
  return { pod: await create(pod, "pod"), template: await create(template, "template") };
}

/** What another account shows: none of these objects. */
function lose({ pod, template }: Awaited<ReturnType<typeof madeBoth>>): void {
  emulator.service.pods.delete(pod.id);
  emulator.service.templates.delete(template.id);
}

const refusal =
  /the API key is of the account user2, not of user1emulator, which has it\. Set the key of that one again; .*really deleted it, `pulumi state delete` takes it out of the state \[PODLUMI-OTHER-ACCOUNT\]/;

test("a create notes the account, which a run asks for once", async () => {
  const { pod, template } = await madeBoth();
  expect(pod.outs).toMatchObject({ __account: "user1emulator", __providerId: stacks.ours });
  expect(template.outs).toHaveProperty("__account", "user1emulator");
  expect(emulator.requests.filter(({ path }) => path === "/v2/account")).toHaveLength(1);
});

test("a run waits for an account that the service does not tell once, and not long, since the state has no id of its objects meanwhile", async () => {
  const match = { method: "GET", path: "/account" };
  emulator.faults.add({ match, when: "before", what: { delay: 3_600_000 }, times: 0 });
  const { networkVolume } = provider();
  const { id, outs } = await create(networkVolume, "networkVolume");
  expect(id).toBe(emulator.service.volumes.list()[0]?.id);
  expect(outs?.__account).toBeUndefined();
  const began = performance.now();
  await create(networkVolume, "networkVolume", { name: "other" });
  expect(performance.now() - began).toBeLessThan(2_500);
}, 20_000);

test("a change adds the account to a state that lacks it, and keeps the one that there is", async () => {
  const { template } = await madeBoth();
  const changed = async (state: Properties, args: string) => {
    const news = declared("template", { name: "worker", args });
    return (await provider().template.update(template.id, { ...template.outs, ...state }, news)).outs;
  };
  expect(await changed({ __account: undefined }, "one")).toMatchObject({
    args: "one",
    __account: "user1emulator",
  });
  expect(await changed({ __account: "user2" }, "two")).toMatchObject({ args: "two", __account: "user2" });
});

test("a run that tries its key by the account does not ask for it again", async () => {
  const { template: made } = await madeBoth();
  emulator.requests.splice(0);
  const { pod, template } = provider();
  await template.check(
    { ...made.outs, __provider: "p" },
    declared("template", { name: "worker", args: "x" }),
  );
  expect((await create(pod, "pod", { name: "other" })).outs).toMatchObject({ __account: "user1emulator" });
  expect(emulator.requests.filter(({ path }) => path === "/v2/account")).toHaveLength(1);
});

test.each(["pod", "template"] as const)(
  "a refresh and a deletion of a %s fail in another account",
  async (kind) => {
    const made = await madeBoth();
    lose(made);
    emulator.service.userId = "user2";
    const { id, outs } = made[kind];
    await expect(provider()[kind].read(id, outs as Properties)).rejects.toThrow(refusal);
    await expect(provider()[kind].delete(id, outs as Properties)).rejects.toThrow(refusal);
  },
);

test("what seems gone stays in the state while the service fails to tell the account", async () => {
  const made = await madeBoth();
  lose(made);
  emulator.faults.add({ match: { path: "/account" }, when: "before", what: { status: 500 }, times: 0 });
  const { pod } = provider();
  await expect(pod.read(made.pod.id, made.pod.outs)).rejects.toThrow(/GET \/account answered 500/);
  await expect(pod.delete(made.pod.id, made.pod.outs ?? {})).rejects.toThrow(/GET \/account answered 500/);
});

test("what is gone in the same account leaves the state", async () => {
  const made = await madeBoth();
  lose(made);
  expect(await provider().pod.read(made.pod.id, made.pod.outs)).toEqual({});
  await provider().pod.delete(made.pod.id, made.pod.outs as Properties);
});

test("a destroy with another member's key of an organization, which shows the objects, deletes them", async () => {
  const made = await madeBoth();
  emulator.service.userId = "user2";
  const { pod, template } = provider();
  await template.delete(made.template.id, made.template.outs as Properties);
  await pod.delete(made.pod.id, made.pod.outs as Properties);
  expect(emulator.service.isEmpty()).toBe(true);
});

test("a state without an account leaves it where the object is gone, whoever asks", async () => {
  const { pod } = await madeBoth();
  emulator.service.pods.delete(pod.id);
  emulator.service.userId = "user2";
  expect(await provider().pod.read(pod.id, { ...pod.outs, __account: undefined })).toEqual({});
});

test("an import notes the account, too", async () => {
  const { id } = await create("pod");
  const { __urn, __providerId } = declared("pod");
  const { props } = await provider().pod.import(id, { __urn, __providerId });
  expect(props).toHaveProperty("__account", "user1emulator");
});

describe("a new resource beside an object that the run has met", () => {
  const beside = declared("pod", { name: "beside", __urn: urnOf("pod", "beside") });

  /** A run in which the engine has compared the template of the stack. */
  async function met({ template }: Awaited<ReturnType<typeof madeBoth>>) {
    const run = provider();
    const { id, outs = {} } = template;
    await run.template.check(outs, declared("template", { name: "worker" }));
    await run.template.diff(id, outs, declared("template", { name: "worker" }));
    return run.pod;
  }

  test("fails with the key of another account, in the preview and before the request", async () => {
    const made = await madeBoth();
    lose(made);
    emulator.service.userId = "user2";
    const reason =
      "the API key is of the account user2, not of user1emulator, where this stack has its objects. Set the key of that one again " +
      "[PODLUMI-OTHER-ACCOUNT]";
    expect((await (await met(made)).check({}, beside)).failures).toEqual([{ property: "", reason }]);
    await expect((await met(made)).create(beside)).rejects.toThrow(reason);
    expect(emulator.service.pods.list()).toEqual([]);
  });

  test("does not with the key of another member of an organization, which shows the others", async () => {
    const made = await madeBoth();
    emulator.service.userId = "user2";
    expect((await (await met(made)).check({}, beside)).failures).toEqual([]);
  });

  test("does not, either, where the last one that the run has met is gone", async () => {
    const made = await madeBoth();
    emulator.service.userId = "user2";
    emulator.service.pods.delete(made.pod.id);
    const pod = await met(made);
    await pod.diff(made.pod.id, made.pod.outs ?? {}, declared("pod"));
    expect((await pod.check({}, beside)).failures).toEqual([]);
  });
});

describe("SSH keys, which each account has,", () => {
  const [own, theirs] = ["ssh-ed25519 AAAA me", "ssh-ed25519 BBBB you"];
  const declaredKeys = (...keys: string[]): Properties => ({
    ...{ keys, __urn: urnOf("sshKeys"), __providerId: stacks.ours, __provider: "p" },
  });
  const keysOf = () => handler(sshKeys, provider().run);

  /** The keys in the state. The account has these keys by now. */
  async function madeKeys(...keys: string[]) {
    const { id, outs } = await keysOf().create(declaredKeys(own));
    emulator.service.sshKeys.replace(keys);
    return { id, state: { ...outs, __provider: "p" } as Properties };
  }

  test.each([
    ["others", [theirs]],
    ["none", []],
  ])("fail a refresh in another account, which has %s", async (_what, keys) => {
    const { id, state } = await madeKeys(...keys);
    emulator.service.userId = "user2";
    await expect(keysOf().read(id, state)).rejects.toThrow(refusal);
  });

  test("need no look at the account while they are as in the state", async () => {
    const { id, state } = await madeKeys(own);
    emulator.requests.splice(0);
    await keysOf().read(id, state);
    const asked = emulator.requests.map(({ path }) => path);
    expect(asked).toContain("/v2/account/ssh-keys");
    expect(asked).not.toContain("/v2/account");
  });
});

test("a service that does not tell the account stands in the way of nothing", async () => {
  emulator.faults.add({ match: { path: "/account" }, when: "before", what: { status: 404 }, times: 0 });
  const made = await madeBoth();
  expect(made.pod.outs).not.toHaveProperty("__account");
  expect(emulator.requests.filter(({ path }) => path === "/v2/account")).toHaveLength(1);
  lose(made);
  expect(await provider().pod.read(made.pod.id, made.pod.outs)).toEqual({});
});
