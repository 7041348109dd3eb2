import { longestLag } from "../../provider/client/policy";
import { endRun } from "../../provider/core/end";
import { listedKinds } from "../../provider/core/end-lists";
import { unknownValue } from "../../provider/core/value";
import { send } from "../harness/account";
import { interrupted } from "./lost-answers";
import {
  backend,
  begin,
  create,
  declared,
  emulator,
  haveInState,
  heard,
  loseState,
  provider,
  runs,
  shareProvider,
  stacks,
  stated,
  urnOf,
} from "./process";

// What the end of a run tells of orphans.

test("the end of a destroy tells of all orphans in one sentence", async () => {
  const left = provider();
  await create(left.pod, "pod");
  await create(left.serverlessEndpoint, "serverlessEndpoint");
  const { run, networkVolume } = provider();
  const { id, outs } = await create(networkVolume, "networkVolume");
  await networkVolume.delete(id, outs ?? {});
  const { said } = await heard(() => endRun(run));
  expect(said).toMatch(
    /^pod "\S+" \(\w+\), made for Pod::it, and serverless endpoint "\S+" \(\w+\), made for ServerlessEndpoint::it, are of this stack/,
  );
});

test.each([
  [
    "destroy --yes",
    /ended well, no `pulumi up` takes it over: to keep it, write adopt with its id\. `npx podlumi sweep/,
  ],
  ["destroy --yes --target a", /The next `pulumi up` takes over what its program still declares\./],
  [
    "do podlumi:NetworkVolume delete a --yes",
    /The next `pulumi up` takes over what its program still declares\./,
  ],
])(
  "the end of `%s` tells whether a later up takes over what it has left: a whole destroy deletes the provider",
  async (line, text) => {
    runs(line);
    await create(provider().pod, "pod");
    const { run, networkVolume } = provider();
    const { id, outs } = await create(networkVolume, "networkVolume");
    await networkVolume.delete(id, outs ?? {});
    expect((await heard(() => endRun(run))).said).toMatch(text);
  },
);

test.each([
  [
    "can",
    /is of this stack, by the mark, and not in its state: .* The next `pulumi up` takes over what .* `npx podlumi sweep --stack \S+` deletes it/,
  ],
  [
    "cannot",
    /carries the mark of this stack and is not in its state\. podlumi could not read all states, so another stack may have it: `npx podlumi ls/,
  ],
])(
  "the end of a destroy tells of what has left the state since its deletion of data asked for it, where another state %s be read",
  async (otherState, text) => {
    const kept = await create(provider().pod, "pod");
    const { id, outs } = await create(provider().networkVolume, "networkVolume");
    haveInState(kept.id);
    if (otherState === "cannot") backend.otherIsLost = true;
    const { run, networkVolume } = provider();
    await networkVolume.delete(id, outs ?? {});
    // With retainOnDelete, the engine does not call podlumi.
    haveInState();
    const { said } = await heard(() => endRun(run));
    expect(said).toContain(kept.id);
    expect(said).toMatch(text);
    if (otherState === "cannot") expect(said).not.toContain("sweep");
  },
);

test("the end of a destroy tells what it left from what the stack left whose name the moved objects still show", async () => {
  const moved = { __urn: urnOf("networkVolume", "it", "prod") };
  const volume = await create(provider().networkVolume, "networkVolume", moved);
  const [ours, theirs] = [
    await interrupted("pod"),
    await interrupted("pod", { __urn: urnOf("pod", "web", "prod") }),
  ];
  shareProvider("project/prod", "project/prod");
  backend.current = "organization/project/dev";
  const { run, networkVolume } = provider();
  await networkVolume.delete(volume.id, volume.outs ?? {});
  const { said } = await heard(() => endRun(run));
  expect(said).toMatch(
    new RegExp(`^pod "\\S+" \\(${ours}\\), made for Pod::it, is of this stack.* --stack project/dev`, "m"),
  );
  expect(said).toMatch(
    new RegExp(`${theirs}.* and the name project/prod. Another stack may have created it`),
  );
});

test.each([{ reset: true }, { hang: true }] as const)(
  "the end of a refresh tells which kinds it could not list, and continues with the others: %j",
  async (what) => {
    const { id, outs } = await create(provider().networkVolume, "networkVolume");
    const pod = await interrupted("pod");
    const { run, networkVolume } = provider();
    emulator.faults.add({ match: { method: "GET", path: "/serverless" }, when: "before", what, times: 0 });
    await networkVolume.read?.(id, outs);
    const { said } = await heard(() => endRun(run));
    expect(said).toMatch(
      /could not list the serverless endpoints at the end .* `npx podlumi ls --stack project\/dev` lists/,
    );
    expect(said).toMatch(new RegExp(`${pod}.* is of this stack`));
  },
);

test.each(["can", "cannot"])(
  "the end of a refresh names what costs money and was made under a provider that nobody knows, where another state %s be read",
  async (otherState) => {
    const { id } = await create(provider().pod, "pod", { __stack: stacks.theirs });
    const { networkVolume, run } = provider();
    const volume = await create(provider().networkVolume, "networkVolume");
    if (otherState === "cannot") backend.otherIsLost = true;
    await networkVolume.read?.(volume.id, volume.outs);
    const { said } = await heard(() => endRun(run));
    expect(said).toMatch(
      new RegExp(
        `^the pod "trainer" \\(${id}\\), .* has the name of this stack in a mark that it does not know`,
        "m",
      ),
    );
  },
);

test("a refresh tells of what an earlier provider of the stack left, also under an earlier name of the stack", async () => {
  const before = { __stack: stacks.theirs };
  const pod = await create(provider().pod, "pod", { ...before, __urn: urnOf("pod", "it", "earlier") });
  const { id, outs } = await create(provider().secret, "secret", before);
  const now = provider();
  const volume = await create(now.networkVolume, "networkVolume");
  const next = provider();
  await next.secret.read?.(id, outs);
  await next.networkVolume.read?.(volume.id, volume.outs);
  const { said } = await heard(() => endRun(next.run));
  expect(said).toMatch(new RegExp(`^pod "\\S+" \\(${pod.id}\\), made for Pod::it, is of this stack`));
});

describe("what a stack of this name created for a resource of this name, under a provider that this stack does not have,", () => {
  const found = async (kind: "pod" | "networkVolume", __stack: string) => {
    const { said } = await heard(() => provider()[kind].check({}, declared(kind, { __stack })));
    return said;
  };
  const named = (id: string) =>
    new RegExp(`${id}\\) already, with the names .* write adopt: "${id}".*\\[PODLUMI-NAMESAKE\\]`);

  test.each([
    ["pod", "", stacks.ours],
    ["networkVolume", "", stacks.ours],
    ["pod", ", in a first preview", unknownValue],
  ] as const)("is named before another one is created: a %s%s", async (kind, _when, __stack) => {
    const { id } = await begin(provider()[kind], kind, { __stack: stacks.theirs });
    expect(await found(kind, __stack)).toMatch(named(id));
  });

  test("is not named where another stack has it", async () => {
    const { id } = await begin(provider().pod, "pod", { __stack: stacks.theirs });
    backend.othersHave = [id];
    expect(await found("pod", stacks.ours)).toBe("");
  });

  test("is not named where it was deleted a moment ago, and a list still shows it", async () => {
    const { id } = await begin(provider().pod, "pod", { __stack: stacks.theirs });
    emulator.faults.add({
      match: { method: "GET", path: "/pods" },
      when: "before",
      what: { lag: 60_000 },
      times: 0,
    });
    await send(emulator, "DELETE", `pods/${id}`);
    expect(await found("pod", stacks.ours)).toBe("");
  });

  test("is not named to a resource that is replaced, also with --replace, which checks it as if it were new", async () => {
    await begin(provider().pod, "pod", { __stack: stacks.theirs });
    const { pod } = provider();
    const given = declared("pod");
    const { said } = await heard(async () => {
      await pod.check(given, given);
      await pod.check({}, given);
      backend.objects = [stated(urnOf("pod"), "own")];
      await provider().pod.check({}, given);
    });
    expect(said).toBe("");
  });

  test("is not named beside a resource of another name", async () => {
    await begin(provider().pod, "pod", { __stack: stacks.theirs, __urn: urnOf("pod", "another") });
    expect(await found("pod", stacks.ours)).toBe("");
  });
});

test("the end of a refresh says that it cannot tell what the stack has left where Pulumi does not show the state", async () => {
  const { id, outs } = await create(provider().networkVolume, "networkVolume");
  await interrupted("pod");
  loseState();
  const { run, networkVolume } = provider();
  await networkVolume.read?.(id, outs);
  const { said } = await heard(() => endRun(run));
  expect(said).toMatch(
    /could not look for what this stack has left: `pulumi stack export.*\[PODLUMI-ORPHAN\]/,
  );
});

test("the end of a run that cannot list one kind again tells of no object of another kind that is gone by then", async () => {
  const { id, outs } = await create(provider().networkVolume, "networkVolume");
  const [pod, endpoint] = [await interrupted("pod"), await interrupted("serverlessEndpoint")];
  const { run, networkVolume } = provider();
  await networkVolume.read?.(id, outs);
  for (const kind of listedKinds(run)) await kind.list(run.api(), Number.POSITIVE_INFINITY);
  emulator.service.endpoints.delete(endpoint);
  const match = { method: "GET", path: "/pods" };
  emulator.faults.add({ match, when: "before", what: { reset: true }, times: 0 });
  const { said } = await heard(() => endRun(run));
  expect(said).toMatch(new RegExp(`${pod}.* is of this stack`));
  expect(said).not.toMatch(endpoint);
});

/** A destroy after a pod of an earlier run was deleted that lists still show. */
async function destroyAfterDeletion(made: { readonly ago: number }): Promise<string> {
  const { id, outs } = await create(provider().networkVolume, "networkVolume");
  const before = provider();
  const pod = await create(before.pod, "pod");
  jest.spyOn(emulator.service.clock, "now").mockReturnValue(Date.now() + made.ago);
  emulator.service.timings.listLag = 60_000;
  await before.pod.delete(pod.id, pod.outs ?? {});
  const { run, networkVolume } = provider();
  await networkVolume.delete(id, outs ?? {});
  const { said } = await heard(() => endRun(run));
  return said;
}

test("the end of a destroy says nothing of what an earlier run has deleted and lists still show", async () => {
  expect(await destroyAfterDeletion({ ago: longestLag + 1_000 })).not.toMatch("PODLUMI-ORPHAN");
});

test("it does where the object is so new that a read of it may lag, too", async () => {
  expect(await destroyAfterDeletion({ ago: 1_000 })).toMatch("PODLUMI-ORPHAN");
});

describe("reading (get) is not having", () => {
  test.each(["this stack", "another stack"] as const)(
    "what %s only reads is taken over all the same by the resource that created it",
    async (stack) => {
      const left = await interrupted("pod");
      backend.reads = { [stack]: [left] };
      expect((await begin(provider().pod, "pod")).id).toBe(left);
    },
  );

  test("the end of a refresh names what a program only reads, and whose", async () => {
    const { id, outs } = await create(provider().networkVolume, "networkVolume");
    backend.reads = { "another stack": [await interrupted("pod")] };
    const { run, networkVolume } = provider();
    await networkVolume.read?.(id, outs);
    const { said } = await heard(() => endRun(run));
    expect(said).toMatch(
      /carries the mark of this stack .* But the program of project\/prod reads it .* --read` deletes/,
    );
  });
});
