import { handler } from "../../provider/core/handler";
import type { Properties } from "../../provider/core/value";
import { sshKeys } from "../../provider/resources/ssh-keys";
import { backend, create, declared, emulator, provider, runs, stacks, stated, urnOf } from "./process";

// A refresh or a destroy with the key of another account finds nothing, and must not take that for gone.

/** A pod and a template of a stack. The state has both. */
async function madeBoth() {
  const { pod, template } = provider();
  const made = { pod: await create(pod, "pod"), template: await create(template, "template") };
  backend.objects = Object.entries(made).map(([kind, object]) => inState(kind, object));
  return made;
}

type Made = Awaited<ReturnType<typeof create>>;

const inState = (kind: string, { id, outs }: Made, name?: string) =>
  stated(urnOf(kind, name), id, { outputs: outs as Properties, servedBy: stacks.ours });

/** What another account shows: none of these objects. */
function lose({ pod, template }: Awaited<ReturnType<typeof madeBoth>>): void {
  emulator.service.pods.delete(pod.id);
  emulator.service.templates.delete(template.id);
}

const refusal =
  /the API key is of the account user2, which shows nothing of what podlumi created for this stack in the account user1emulator\. .*PODLUMI-OTHER-ACCOUNT/;

test("a create notes the account, which a run asks for once", async () => {
  const { pod, template } = await madeBoth();
  expect(pod.outs).toMatchObject({ __account: "user1emulator", __stack: stacks.ours });
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

test("a change adds the account to a state that lacks it, as one of 0.1.0 does, and keeps the one that there is", async () => {
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

test("what is gone in the same account leaves the state", async () => {
  const made = await madeBoth();
  lose(made);
  expect(await provider().pod.read(made.pod.id, made.pod.outs)).toEqual({});
  await provider().pod.delete(made.pod.id, made.pod.outs as Properties);
});

test("what is gone leaves it by a refresh under another provider, too, as after `pulumi state move`", async () => {
  const { pod, template } = await madeBoth();
  emulator.service.pods.delete(pod.id);
  backend.objects = [
    { ...inState("pod", pod), servedBy: stacks.theirs },
    { ...inState("template", template), servedBy: stacks.theirs },
  ];
  // A person has one id, also with the key of an organization, which shows other objects. So nothing else takes it for gone.
  await expect(provider().pod.delete(pod.id, pod.outs as Properties)).rejects.toThrow(
    /created under another provider.* run `pulumi refresh`/,
  );
  expect(await provider().pod.read(pod.id, pod.outs)).toEqual({});
});

test("what another provider has made, in an account that podlumi does not know, leaves the state by no refresh", async () => {
  const { pod } = await madeBoth();
  emulator.service.pods.delete(pod.id);
  const outs: Properties = { ...pod.outs, __account: undefined };
  const refreshed = (servedBy: string) => {
    backend.objects = [{ ...inState("pod", { ...pod, outs }), servedBy }];
    return provider().pod.read(pod.id, outs);
  };
  runs("refresh");
  await expect(refreshed(stacks.theirs)).rejects.toThrow(
    /created under another provider, whose account podlumi does not know\. .*`pulumi state delete`.*PODLUMI-OTHER-ACCOUNT/,
  );
  expect(await refreshed(stacks.ours)).toEqual({});
});

test("what is gone leaves it, too, with another member's key of an organization, which shows the others", async () => {
  const made = await madeBoth();
  emulator.service.pods.delete(made.pod.id);
  emulator.service.userId = "user2";
  expect(await provider().pod.read(made.pod.id, made.pod.outs)).toEqual({});
});

test.each([
  ["of which one is gone, after the others", "gone" as const],
  ["of which the last has no response", "unanswered" as const],
])("a destroy with that key deletes the objects, %s", async (_what, second) => {
  const made = await madeBoth();
  if (second === "gone") emulator.service.pods.delete(made.pod.id);
  const match = { method: "DELETE", path: "/pods/*" } as const;
  if (second === "unanswered") emulator.faults.add({ match, when: "after", what: { status: 502 }, times: 1 });
  emulator.service.userId = "user2";
  runs("destroy --yes");
  const { pod, template } = provider();
  await template.delete(made.template.id, made.template.outs as Properties);
  await pod.delete(made.pod.id, made.pod.outs as Properties);
  expect(emulator.service.isEmpty()).toBe(true);
});

test("an import notes the account, too", async () => {
  const { id } = await create(provider().pod, "pod");
  const { __urn, __stack } = declared("pod");
  const { props } = await provider().pod.import(id, { __urn, __stack });
  expect(props).toHaveProperty("__account", "user1emulator");
});

test("what an up with the key of another account has created does not let the others leave the state", async () => {
  const made = await madeBoth();
  emulator.service.userId = "user2";
  const beside = { name: "beside", __urn: urnOf("pod", "beside") };
  const wrong = await create(provider().pod, "pod", beside);
  backend.objects = [
    inState("pod", made.pod),
    inState("template", made.template),
    inState("pod", wrong, "beside"),
  ];
  lose(made);
  const { id, outs } = made.pod;
  await expect(provider().pod.read(id, outs as Properties)).rejects.toThrow(refusal);
  await expect(provider().pod.delete(id, outs as Properties)).rejects.toThrow(refusal);
  await provider().pod.delete(wrong.id, wrong.outs as Properties);
});

test("nor does a template that it has created", async () => {
  const { pod } = await madeBoth();
  emulator.service.userId = "user2";
  const wrong = await create(provider().template, "template", { name: "beside" });
  backend.objects = [inState("pod", pod), inState("template", wrong)];
  emulator.service.pods.delete(pod.id);
  await expect(provider().pod.read(pod.id, pod.outs)).rejects.toThrow(refusal);
});

test("nor does what it may have created, of which podlumi does not know the account", async () => {
  const { pod, template } = await madeBoth();
  const unknown = { ...template, outs: { ...template.outs, __account: undefined } };
  backend.objects = [inState("pod", pod), inState("template", unknown)];
  emulator.service.pods.delete(pod.id);
  emulator.service.userId = "user2";
  await expect(provider().pod.read(pod.id, pod.outs)).rejects.toThrow(refusal);
});

test.each([
  [
    "another account",
    lose,
    [
      expect.objectContaining({
        property: "",
        reason: expect.stringMatching(/^the API key is of the account user2, /),
      }),
    ],
  ],
  ["another member of an organization", () => undefined, []],
] as const)("a new resource with the key of %s", async (_whose, others, failures) => {
  const made = await madeBoth();
  others(made);
  emulator.service.userId = "user2";
  const { pod } = provider();
  expect((await pod.check({}, { ...declared("pod"), __urn: urnOf("pod", "beside") })).failures).toEqual(
    failures,
  );
});

test("a key that may not list what the stack has does not say that the account shows nothing of it", async () => {
  const made = await madeBoth();
  emulator.service.pods.delete(made.pod.id);
  emulator.service.userId = "user2";
  for (const path of ["/templates", "/templates/*", "/clusters"])
    emulator.faults.add({ match: { method: "GET", path }, when: "before", what: { status: 403 }, times: 0 });
  await expect(provider().pod.read(made.pod.id, made.pod.outs)).rejects.toThrow(
    /the API key is of the account user2, and podlumi could not list the templates there: nothing shows whether .*user1emulator\. Use a key/,
  );
});

test("what a replacement has deleted, and not created again yet, does not tell whose the key is", async () => {
  const { pod } = await madeBoth();
  emulator.service.pods.delete(pod.id);
  backend.objects = [{ ...inState("pod", pod), isGone: true }];
  emulator.service.userId = "user2";
  expect((await provider().pod.check({}, declared("pod"))).failures).toEqual([]);
});

describe("SSH keys, which each account has,", () => {
  const [own, theirs] = ["ssh-ed25519 AAAA me", "ssh-ed25519 BBBB you"];
  const declaredKeys = (...keys: string[]): Properties => ({
    ...{ keys, __urn: urnOf("sshKeys"), __stack: stacks.ours, __provider: "p" },
  });
  const keysOf = () => handler(sshKeys, provider().run);

  /** The keys and a pod in the state. The account has these keys by now. */
  async function madeKeys(...keys: string[]) {
    const pod = await create(provider().pod, "pod");
    const made = await keysOf().create(declaredKeys(own));
    backend.objects = [inState("pod", pod), inState("sshKeys", made as Made)];
    emulator.service.sshKeys.replace(keys);
    return { id: made.id, state: { ...made.outs, __provider: "p" } as Properties, pod };
  }

  test.each([
    ["others", [theirs]],
    ["none", []],
  ])("fail a refresh and a change in another account, which has %s", async (_what, keys) => {
    const { id, state, pod } = await madeKeys(...keys);
    emulator.service.pods.delete(pod.id);
    emulator.service.userId = "user2";
    await expect(keysOf().read(id, state)).rejects.toThrow(refusal);
    const more = keysOf();
    await more.check(declaredKeys(own), declaredKeys(own, ...keys, "ssh-ed25519 CCCC them"));
    const changed = more.diff(id, state, declaredKeys(own, ...keys, "ssh-ed25519 CCCC them"));
    await expect(changed).rejects.toThrow(refusal);
  });

  test("are read and changed by another member of an organization, who has the other objects", async () => {
    const { id, state } = await madeKeys(own, theirs);
    emulator.service.userId = "user2";
    const { props } = await keysOf().read(id, state);
    expect(props).toMatchObject({ keys: [own, theirs] });
    const more = keysOf();
    await more.check(declaredKeys(own, theirs), declaredKeys(own));
    const { fields } = await more.diff(id, { ...props, __provider: "p" }, declaredKeys(own));
    expect([...fields]).toEqual([["keys", "update"]]);
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
