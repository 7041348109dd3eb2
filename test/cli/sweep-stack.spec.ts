import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  adoption,
  markText,
  markVariable,
  type Owner,
  ownerOf,
  stackDigits,
} from "../../provider/core/mark/mark";
import { pluginTokenOf } from "../../provider/identity";
import type { Emulator } from "../../sdk/emulator/service";
import { testLong } from "../harness/long";
import { CommandLine } from "./cli";

// What `sweep` takes of stacks, with states that the test sets. programs/sweep.spec.ts has the real ones.

const cli = new CommandLine();
let emulator: Emulator;
let pulumi: string;
const state = join(cli.folder, "state.json");
beforeEach(async () => {
  emulator = await cli.emulate();
  const stacks = `echo '[{"name":"organization/shop/prod"}]'`;
  pulumi = cli.pulumi(`if [ "$2" = ls ]; then ${stacks}; else cat ${state}; fi`);
  haveInState();
});
afterAll(() => cli.close());

/** Sets what the state of the only stack, shop/prod, has. */
function haveInState(...ids: string[]) {
  haveResources(...ids.map((id) => ({ id })));
}

const type = pluginTokenOf("NetworkVolume");
const resource = { urn: `urn:pulumi:prod::shop::${type}::it`, type };

function haveResources(...all: object[]) {
  writeFileSync(
    state,
    JSON.stringify({ deployment: { resources: all.map((one) => ({ ...resource, ...one })) } }),
  );
}

/** Sets what a run of the only stack is doing. */
function haveUnderWay(way: string, more: object) {
  const pending_operations = [{ type: way, resource: { ...resource, ...more } }];
  writeFileSync(state, JSON.stringify({ deployment: { pending_operations } }));
}

/** The id of the provider of the stack shop/dev, which has no state any more, and the digits of its mark. */
const provider = "4c1f9f6e-0b7e-4d59-9d2e-1f0c5a7b8d11";
const dev = stackDigits(provider);
const volumeOfDev = `data-${dev}5e6a00`;
const sweep = (...flags: string[]) =>
  cli.run("sweep", "--stack", "shop/dev", "--mark", dev, "--yes", ...flags);

const gpu = { id: "NVIDIA L4", count: 1 };

testLong.each<[string, string, (id: string) => void]>([
  ["takes into its state", "it is in the state of shop/prod", haveInState],
  [
    "begins to adopt",
    "a run of shop/prod is adopting it, or .*",
    (adopt) => haveUnderWay("creating", { inputs: { adopt } }),
  ],
])("what a stack %s while a deletion waits for a user stays", async (_what, left, take) => {
  const { id } = emulator.service.volumes.create({ name: volumeOfDev, size: 10, dataCenter: "EU-RO-1" });
  const mounts = { network: [{ volumeId: id, path: "/data" }] };
  const user = emulator.service.pods.create({ name: "user", image: "i", gpu, mounts });
  const refused = new Promise((seen) =>
    emulator.on("after", { method: "DELETE", path: "/network-volumes/*" }, () => seen(undefined)),
  );
  const swept = sweep();
  await refused;
  take(id);
  // Deletions share a look at the states for five seconds.
  await new Promise((passed) => setTimeout(passed, 5_500));
  emulator.service.pods.delete(user.id);
  const { code, out } = await swept;
  expect(out).toMatch(new RegExp(`^left +NetworkVolume .*: ${left}$`, "m"));
  expect(code).toBe(1);
  expect(emulator.service.volumes.list()).toMatchObject([{ id }]);
});

/** The name and the variables of a pod that a request of shop/dev made or marked. */
function podOfDev(name: string, attempt: number, sentAt = emulator.service.clock.now()) {
  const owner = ownerOf({ __providerId: provider, __urn: "urn:pulumi:dev::shop::podlumi:index:Pod::web" });
  if (owner === undefined) throw new Error("it has no owner");
  const digits = { call: "00000c4", unseen: "0000000" };
  return { name, env: { [markVariable]: markText(owner, { ...digits, name, attempt, sentAt }) } };
}

test("each doubt about an object needs its flag, and the report names them all", async () => {
  const { service } = emulator;
  const pod = (of: { name: string; env: Record<string, string> }) =>
    service.pods.create({ image: "i", gpu, ...of });
  const hourAgo = service.clock.now() - 3_600_000;
  const { id } = pod({ ...podOfDev("adopted", adoption), name: "renamed since" });
  haveResources({ id, external: true });
  pod(podOfDev("adopted an hour ago", adoption, hourAgo));
  pod(podOfDev("copy of what was made an hour ago", 1, hourAgo));
  pod({ ...podOfDev("made", 1), name: "copy under another name" });
  pod(podOfDev("certain", 1));
  const names = () => service.pods.list().map(({ name }) => name);

  const { out } = await sweep("--copies");
  expect(out).toMatch(/^deleted +Pod certain /m);
  expect(out).toMatch(/^deleted +Pod copy of what /m);
  expect(out).toMatch(/^deleted +Pod copy under another name /m);
  expect(out).toMatch(
    /^left +Pod renamed since .*: it got its mark by an adoption.*, and the program of shop\/prod reads it .* add --adopted --read$/m,
  );
  expect(names()).toEqual(["renamed since", "adopted an hour ago"]);
  await sweep("--read");
  expect(names()).toHaveLength(2);
  expect(await sweep("--adopted", "--read")).toMatchObject({ code: 0 });
  expect(names()).toEqual([]);
});

test("copies that a person made stay, with why", async () => {
  const { service } = emulator;
  const made = podOfDev("web", 1, service.clock.now() - 3_600_000);
  service.pods.create({ image: "i", gpu, ...made });
  service.pods.create({ image: "i", gpu, ...podOfDev("web", 1), name: "experiment-of-anna" });
  const { code, out } = await sweep();
  expect(code).toBe(1);
  for (const name of ["web", "experiment-of-anna"])
    expect(out).toMatch(
      new RegExp(`^left +Pod ${name} .*: it may be a copy .*, by its age or its name. .* --copies$`, "m"),
    );
  expect(service.pods.list()).toHaveLength(2);
});

test("what a program only reads (get) is left and told of, and swept with --read", async () => {
  const { id } = emulator.service.volumes.create({ name: volumeOfDev, size: 10, dataCenter: "EU-RO-1" });
  haveResources({ id, external: true });
  const { code, out } = await sweep();
  expect(out).toMatch(/^left +NetworkVolume .*: the program of shop\/prod reads it .* add --read$/m);
  expect(code).toBe(1);
  expect(await sweep("--read")).toMatchObject({ code: 0 });
  expect(emulator.service.isEmpty()).toBe(true);
});

test.each<[string, string, (id: string) => object]>([
  ["adopting by its id", "creating", (id) => ({ inputs: { adopt: id } })],
  ["adopting by its name", "creating", () => ({ inputs: { adopt: { name: volumeOfDev } } })],
  ["importing", "importing", (id) => ({ id })],
])("what a run of another stack is %s is left, and no flag takes it", async (_what, type, more) => {
  const { id } = emulator.service.volumes.create({ name: volumeOfDev, size: 10, dataCenter: "EU-RO-1" });
  haveUnderWay(type, more(id));
  const { code, out } = await sweep("--adopted", "--read", "--copies");
  expect(out).toMatch(/^left +NetworkVolume .*: a run of shop\/prod is adopting it, or was .*$/m);
  expect(code).toBe(1);
  expect(emulator.service.volumes.list()).toMatchObject([{ id }]);
});

test("what an interrupted replacement was deleting is in its state, and is not swept", async () => {
  const { id } = emulator.service.volumes.create({ name: volumeOfDev, size: 10, dataCenter: "EU-RO-1" });
  haveResources({ id, pendingReplacement: true });
  expect(await sweep("--adopted", "--read", "--copies")).toMatchObject({ out: "nothing to delete\n" });
  expect(emulator.service.volumes.list()).toMatchObject([{ id }]);
});

test("what a pending create may have created under a name of the program is named, and neither listed nor swept", async () => {
  const { id } = emulator.service.volumes.create({ name: "mine", size: 10, dataCenter: "EU-RO-1" });
  const ofProd = ["--stack", "shop/prod"];
  const named = new RegExp(
    `leaves out the NetworkVolume mine \\(${id}\\), .* is creating ${resource.urn}, and`,
  );
  haveUnderWay("creating", { inputs: { name: "mine" } });
  expect((await cli.run("ls", ...ofProd)).err).toMatch(named);
  expect(await cli.run("sweep", ...ofProd, "--yes")).toMatchObject({
    code: 1,
    err: expect.stringMatching(named),
  });
  expect((await cli.run("sweep", ...ofProd, "--kind", "Pod", "--yes")).code).toBe(0);
  haveUnderWay("creating", { inputs: { name: "mine", adopt: id } });
  expect(await cli.run("sweep", ...ofProd, "--yes")).toMatchObject({ code: 0, err: "" });
  haveInState(id);
  expect(await cli.run("sweep", ...ofProd, "--yes")).toMatchObject({ code: 0, err: "" });
});

describe("a sweep by names", () => {
  const byName = (...flags: string[]) => cli.run("sweep", "--prefix", "pr-1", "--yes", ...flags);
  const named = (name: string) => {
    const { id } = emulator.service.volumes.create({ name, size: 10, dataCenter: "EU-RO-1" });
    return { id, name };
  };
  const left = (why: string) =>
    new RegExp(`^left .*: ${why}.* To delete it all the same, add --marked$`, "m");

  test("leaves what carries a mark, and names the sweep for what interrupted runs left", async () => {
    named(`pr-1-${volumeOfDev}`);
    emulator.service.pods.create({ image: "i", gpu, ...podOfDev("pr-1-web", 1) });
    named("pr-1-mine");
    const { code, out } = await byName();
    expect(code).toBe(1);
    expect(out).toMatch(/^deleted +NetworkVolume pr-1-mine /m);
    expect(out).toMatch(
      left("it carries the mark of shop/dev: `npx podlumi sweep --stack shop/dev` deletes it if"),
    );
    expect(out).toMatch(
      left("it carries the mark of a stack: `npx podlumi sweep --stack project/stack` deletes"),
    );
    expect(await byName("--marked")).toMatchObject({ code: 0 });
    expect(emulator.service.isEmpty()).toBe(true);
  });

  test.each<[string, string, (one: { id: string; name: string }) => void]>([
    ["has", "it is in the state of shop/prod", ({ id }) => haveInState(id)],
    ["reads", "the program of shop/prod reads it", ({ id }) => haveResources({ id, external: true })],
    [
      "adopts",
      "a run of shop/prod is adopting it",
      ({ id }) => haveUnderWay("creating", { inputs: { adopt: id } }),
    ],
    [
      "may be creating",
      "a run that is under way, or was interrupted, is creating",
      ({ name }) => haveUnderWay("creating", { inputs: { name } }),
    ],
  ])("leaves what a stack %s, without a mark", async (_what, why, have) => {
    const volume = named("pr-1-data");
    have(volume);
    expect(await byName()).toMatchObject({ code: 1, out: expect.stringMatching(left(why)) });
    expect(emulator.service.volumes.list()).toHaveLength(1);
  });

  test("leaves what a stack takes into its state while somebody is asked", async () => {
    haveInState(named("pr-1-data").id);
    renameSync(state, `${state}.next`);
    haveInState();
    // The second look comes after the question.
    const script = readFileSync(pulumi, "utf8").replace(
      "#!/bin/sh",
      `#!/bin/sh\n[ "$2" = ls ] && { [ -e ${state}.asked ] && cp ${state}.next ${state}; touch ${state}.asked; }`,
    );
    writeFileSync(pulumi, script);
    const { code, out } = await byName();
    expect({ code, out }).toEqual({
      code: 1,
      out: expect.stringMatching(/^left .*: it is in the state of shop\/prod$/m),
    });
    expect(emulator.service.volumes.list()).toHaveLength(1);
  });

  test("leaves all where Pulumi does not tell what stacks have", async () => {
    named("pr-1-mine");
    emulator.service.pods.create({ image: "i", gpu, ...podOfDev("pr-1-web", 1) });
    writeFileSync(state, "nothing that can be read");
    const unread = await byName();
    expect(unread).toMatchObject({ code: 1, err: "" });
    expect(unread.out).toMatch(left("the state of organization/shop/prod cannot be read, and may have it"));
    expect(unread.out).toMatch(left("it carries the mark of shop/dev"));
    // Without Pulumi on the path, it knows no stack.
    cli.env.PATH = "";
    expect((await byName()).out).toMatch(left("the state of any stack cannot be read"));
    expect(emulator.service.volumes.list()).toHaveLength(1);
    expect(await byName("--marked")).toMatchObject({ code: 0, err: "" });
    expect(emulator.service.isEmpty()).toBe(true);
  });
});

describe("with a state that tells the marks of the stack", () => {
  const other = "9d1f6c02-5b7e-4a10-8e44-7c0f2b9a1e55";
  const providerOf = (id: string) => ({ type: "pulumi:providers:podlumi", urn: "urn", id });
  const stateOf = (name: string, ...resources: object[]) =>
    writeFileSync(join(cli.folder, `${name}.json`), JSON.stringify({ deployment: { resources } }));
  const sweepDev = (...flags: string[]) => cli.run("sweep", "--stack", "shop/dev", "--yes", ...flags);
  const volume = (name: string) =>
    emulator.service.volumes.create({ name, size: 10, dataCenter: "EU-RO-1" }).id;
  const left = (flags: string[] = []) => cli.run("ls", "--stack", "shop/dev", "--left", ...flags);

  beforeEach(() => {
    const names = ["dev", "prod"].map((name) => ({ name: `organization/shop/${name}` }));
    cli.pulumi(
      `if [ "$2" = ls ]; then echo '${JSON.stringify(names)}'; else cat "${cli.folder}/$(basename "$4").json"; fi`,
    );
    stateOf("dev", providerOf(provider));
    stateOf("prod", providerOf(other));
  });

  /** A pod of another stack that is called so, in another backend. */
  const podOfAnother = () => {
    const theirs = ownerOf({
      __providerId: "of another backend",
      __urn: "urn:pulumi:dev::shop::podlumi:index:Pod::web",
    });
    const digits = { call: "00000c4", unseen: "0000000" };
    const made = { name: "theirs", attempt: 1, sentAt: emulator.service.clock.now() };
    const env = { [markVariable]: markText(theirs as Owner, { ...digits, ...made }) };
    emulator.service.pods.create({ image: "i", gpu, name: "theirs", env });
  };

  test("providers of other packages give no marks: with --yes, somebody has to say which are meant", async () => {
    podOfAnother();
    stateOf("dev", { ...providerOf(other), type: "pulumi:providers:aws" });
    expect((await left(["--marks"])).out).toBe("");
    expect(await sweepDev()).toMatchObject({
      code: 2,
      err: expect.stringContaining("PODLUMI-WHICH-STACK"),
    });
    expect(emulator.service.pods.list()).toHaveLength(1);
  });

  test("--yes sweeps what carries them, and names what has another mark and the name of the stack", async () => {
    volume(volumeOfDev);
    podOfAnother();
    const { code, err, out } = await sweepDev();
    expect(out).toMatch(/^deleted +NetworkVolume data-/);
    expect(err).toMatch(/keeps what has another mark and the name shop\/dev:\n.*\n.*theirs/);
    expect(code).toBe(0);
    expect(emulator.service.volumes.list()).toEqual([]);
    expect(emulator.service.pods.list()).toHaveLength(1);
    // Nothing tells that it is not of a live stack in another backend.
    stateOf("dev");
    const open = { code: 2, err: expect.stringMatching(/no state of shop\/dev has this mark.*WHICH-STACK/) };
    expect(await sweepDev()).toMatchObject(open);
    expect(await sweepDev("--mark", stackDigits("of another backend"))).toMatchObject({ code: 0 });
    expect(emulator.service.isEmpty()).toBe(true);
  });

  test("nothing is swept where any state cannot be read, and the error has its name", async () => {
    volume(volumeOfDev);
    writeFileSync(join(cli.folder, "prod.json"), "nothing that can be read");
    const failed = {
      code: 1,
      out: "",
      err: expect.stringMatching(
        /`pulumi stack export --stack` failed for organization\/shop\/prod \[PODLUMI-STATE/,
      ),
    };
    expect(await sweepDev()).toEqual(failed);
    expect(await left()).toEqual(failed);
    expect(emulator.service.volumes.list()).toHaveLength(1);
  });

  test("what another stack has the provider of is left out, and told", async () => {
    const id = volume(volumeOfDev);
    stateOf("prod", providerOf(other), providerOf(provider));
    const told = new RegExp(
      `leaves out the NetworkVolume data-\\S+ \\(${id}\\): another stack has the provider`,
    );
    expect(await sweepDev()).toMatchObject({ code: 1, err: expect.stringMatching(told) });
    expect(await left()).toMatchObject({ code: 1, out: "", err: expect.stringMatching(told) });
    expect(emulator.service.volumes.list()).toMatchObject([{ id }]);
  });

  test("two stacks of that name, of two organizations, need --mark", async () => {
    volume(volumeOfDev);
    const names = ["acme", "organization"].map((one) => ({ name: `${one}/shop/dev` }));
    cli.pulumi(
      `if [ "$2" = ls ]; then echo '${JSON.stringify(names)}'; else cat "${cli.folder}/dev.json"; fi`,
    );
    expect(await sweepDev()).toMatchObject({
      code: 2,
      err: expect.stringContaining("2 stacks called shop/dev"),
    });
    expect(await sweepDev("--mark", dev)).toMatchObject({ code: 0 });
    expect(emulator.service.isEmpty()).toBe(true);
  });

  test("ls --left ends with 0 where nothing is left over, and otherwise with 1", async () => {
    const id = volume(volumeOfDev);
    const held = { ...resource, id };
    stateOf("dev", providerOf(provider), held);
    expect(await left()).toEqual({ code: 0, out: "nothing of shop/dev is left over\n", err: "" });
    stateOf("dev", providerOf(provider));
    stateOf("prod", providerOf(other), held);
    expect(await left()).toMatchObject({ code: 0 });
    stateOf("prod", providerOf(other));
    const { code, out } = await left(["--json"]);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject([{ id, mark: dev, inState: false, leftover: true, doubts: [] }]);
    expect(await left(["pods"])).toEqual({ code: 0, out: "no pod of shop/dev is left over\n", err: "" });
    // A person's copy is no leftover. What an interrupted run may have created is told, and fails the job.
    emulator.service.volumes.delete(id);
    emulator.service.pods.create({ image: "i", gpu, ...podOfDev("web", 1), name: "experiment-of-anna" });
    expect(await left()).toMatchObject({ code: 0 });
    volume("mine");
    const creating = { type: "creating", resource: { ...resource, inputs: { name: "mine" } } };
    const deployment = { resources: [providerOf(provider)], pending_operations: [creating] };
    writeFileSync(join(cli.folder, "dev.json"), JSON.stringify({ deployment }));
    expect(await left()).toMatchObject({ code: 1, err: expect.stringContaining("may have created it") });
  });
});

test("ls --stack shows what the state has and what carries no mark, such as a pod whose env somebody replaced", async () => {
  const { id } = emulator.service.pods.create({ image: "i", gpu, name: "unmarked" });
  emulator.service.pods.create({ image: "i", gpu, name: "somebody else's" });
  const { id: otherId } = emulator.service.volumes.create({ name: "v", size: 10, dataCenter: "EU-RO-1" });
  const pod = { id, urn: `urn:pulumi:prod::shop::${pluginTokenOf("Pod")}::web`, type: pluginTokenOf("Pod") };
  const alike = {
    id: otherId,
    urn: "urn:pulumi:prod::shop::random:index:RandomId::x",
    type: "random:index:RandomId",
  };
  haveResources(pod, alike);
  const { code, out } = await cli.run("ls", "--stack", "shop/prod", "--json");
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject([{ id, mark: null, resource: "Pod::web", inState: true }]);
  expect((await cli.run("ls", "--stack", "shop/dev")).out).toMatch(/^nothing carries the mark/);
});

test("ls and sweep say where Pulumi has no stack of a name that marks have, as in another backend", async () => {
  const unknown = "podlumi: Pulumi has no stack shop/dev here: it is removed, or in another backend\n";
  // The mark in a name has the digits alone. That of a pod tells whose they are.
  const { id } = emulator.service.volumes.create({ name: volumeOfDev, size: 10, dataCenter: "EU-RO-1" });
  emulator.service.pods.create({ image: "i", gpu, ...podOfDev("web", 1) });
  const listed = await cli.run("ls", "--stack", "shop/dev");
  expect(listed).toEqual({ code: 0, out: expect.stringMatching(`${id} .* no state found`), err: unknown });
  expect((await sweep("--dry-run")).err).toContain(unknown);
});

test("a stack that Pulumi does not have is told, also by --marks, and nothing is said of marks that could not be listed", async () => {
  const unknown = 'podlumi: Pulumi has no stack shop/prd here; did you mean "shop/prod"?\n';
  expect(await cli.run("ls", "--stack", "shop/prd", "--marks")).toEqual({ code: 0, out: "\n", err: unknown });
  emulator.faults.add({ match: { interface: "rest" }, when: "before", what: { status: 401 }, times: 0 });
  const { err } = await cli.run("sweep", "--stack", "shop/prd", "--yes");
  expect(err).toMatch(/answered 401/);
  expect(err.endsWith(unknown)).toBe(true);
  expect(err).not.toContain("carries the mark");
});
