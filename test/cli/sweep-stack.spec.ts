import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  adoption,
  markText,
  markVariable,
  ownerOf,
  stackDigits,
  stackNameDigits,
} from "../../provider/core/kind/mark";
import { secretMark } from "../../provider/core/kind/secret-value";
import { pluginTypeOf } from "../../provider/identity";
import type { Emulator } from "../emulator";
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

const type = pluginTypeOf("NetworkVolume");
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
const volumeOfDev = `data-${stackNameDigits("shop/dev")}-${dev}-5e6a100`;
const sweep = (...flags: string[]) =>
  cli.run("sweep", "--stack", "shop/dev", "--mark", dev, "--yes", ...flags);

const gpu = { id: "NVIDIA L4", count: 1 };

testLong.each<[string, string, (id: string) => void]>([
  ["takes into its state", "it is in the state of a stack now", haveInState],
  ["begins to adopt", "a run is adopting it now", (adopt) => haveUnderWay("creating", { inputs: { adopt } })],
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
  const owner = ownerOf({ __stack: provider, __urn: "urn:pulumi:dev::shop::podlumi:index:Pod::web" });
  if (owner === undefined) throw new Error("it has no owner");
  const digits = { call: "00000c4", unseen: "0000000" };
  return { name, env: { [markVariable]: markText(owner, { ...digits, name, attempt, sentAt }) } };
}

test("each doubt about an object needs its flag, and the report names them all", async () => {
  const { service } = emulator;
  const pod = (of: { name: string; env: Record<string, string> }) =>
    service.pods.create({ image: "i", gpu, ...of });
  const hourAgo = service.clock.now() - 3_600_000;
  pod({ ...podOfDev("adopted", adoption), name: "renamed since" });
  pod(podOfDev("adopted an hour ago", adoption, hourAgo));
  pod(podOfDev("copy of what was made an hour ago", 1, hourAgo));
  pod(podOfDev("certain", 1));
  const names = () => service.pods.list().map(({ name }) => name);

  const { out } = await sweep("--copies");
  expect(out).toMatch(/^deleted +Pod certain /m);
  expect(out).toMatch(/^deleted +Pod copy of what /m);
  expect(out).toMatch(
    /^left +Pod renamed since .*: it may be a copy .* and its name, and it got its mark by an adoption.* add --copies --adopted$/m,
  );
  expect(names()).toEqual(["renamed since", "adopted an hour ago"]);
  await sweep("--adopted");
  expect(names()).toHaveLength(2);
  expect(await sweep("--copies", "--adopted")).toMatchObject({ code: 0 });
  expect(names()).toEqual([]);
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
  const { code, out } = await sweep("--adopted", "--read", "--copies", "--newer");
  expect(out).toMatch(/^left +NetworkVolume .*: a run of shop\/prod is adopting it, or was .*$/m);
  expect(code).toBe(1);
  expect(emulator.service.volumes.list()).toMatchObject([{ id }]);
});

test("what an interrupted replacement has kept, to adopt it again, is left, and no flag takes it", async () => {
  const { id } = emulator.service.volumes.create({ name: volumeOfDev, size: 10, dataCenter: "EU-RO-1" });
  haveResources({ id, pendingReplacement: true });
  const { code, out } = await sweep("--adopted", "--read", "--copies", "--newer");
  expect(out).toMatch(
    /^left +NetworkVolume .*: an interrupted replacement of shop\/prod kept it, and the next .*$/m,
  );
  expect(code).toBe(1);
  expect(emulator.service.volumes.list()).toMatchObject([{ id }]);
});

test("what a pending create may have created under a secret name is neither swept by its stack nor by its name", async () => {
  const { id } = emulator.service.volumes.create({ name: "mine", size: 10, dataCenter: "EU-RO-1" });
  haveUnderWay("creating", { inputs: { name: { ...secretMark, ciphertext: "v1:" } } });
  const why = `is creating ${resource.urn}, and may have created it`;
  expect((await cli.run("sweep", "--stack", "shop/prod", "--yes")).err).toContain(why);
  expect((await cli.run("sweep", "--prefix", "mine", "--yes")).out).toMatch(
    new RegExp(`^left .*${why}`, "m"),
  );
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
      "adopts by the name that it had before",
      "a run of shop/prod is adopting it",
      ({ name }) => haveUnderWay("creating", { inputs: { name, adopt: { name: "pr-0" } } }),
    ],
    [
      "kept while it was replaced",
      "an interrupted replacement of shop/prod kept it",
      ({ id }) => haveResources({ id, pendingReplacement: true }),
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

describe("the state of a stack that may be an old copy", () => {
  const volumeOfProd = `data-${stackNameDigits("shop/prod")}-${dev}-5e6a100`;
  const resources = [{ urn: "urn", type: "pulumi:providers:podlumi", id: provider }];
  const write = (sinceMark: number, ...pending_operations: object[]) => {
    const time = new Date(emulator.service.clock.now() + sinceMark);
    writeFileSync(
      state,
      JSON.stringify({ deployment: { manifest: { time }, resources, pending_operations } }),
    );
  };
  const underWay = (kind: string, name: string) => {
    const type = `podlumi:index:${kind}`;
    return { resource: { urn: `urn:pulumi:prod::shop::${type}::${name}`, type }, type: "creating" };
  };
  const sweepProd = (...flags: string[]) => cli.run("sweep", "--stack", "shop/prod", "--yes", ...flags);
  const pod = () => emulator.service.pods.create({ image: "i", gpu, ...podOfDev("web", 1) });
  const volume = () =>
    emulator.service.volumes.create({ name: volumeOfProd, size: 10, dataCenter: "EU-RO-1" });

  test("what was created after it was written, and not by a create in it, is left, and swept with --newer", async () => {
    const { service } = emulator;
    pod();
    write(-60_000);
    expect((await sweepProd()).out).toMatch(
      /^left +Pod web .*: .* a newer copy of the state may have it.* add --newer$/m,
    );
    expect(service.pods.list()).toHaveLength(1);
    expect(await sweepProd("--newer")).toMatchObject({ code: 0 });
    pod();
    write(-60_000, underWay("Pod", "web"));
    expect(await sweepProd()).toMatchObject({ code: 0 });
    pod();
    write(60_000);
    expect(await sweepProd()).toMatchObject({ code: 0 });
    expect(service.isEmpty()).toBe(true);
  });

  test("what carries no time in its mark goes by when the service created it", async () => {
    const { service } = emulator;
    const owner = ownerOf({ __stack: provider, __urn: underWay("GlobalVolume", "all").resource.urn });
    const mark = [stackNameDigits("shop/prod"), dev, `${owner?.digits.resource.slice(0, 5)}00`];
    service.globalVolumes.create({ name: ["all", ...mark].join("-") });
    write(-60_000);
    expect((await sweepProd()).out).toMatch(
      /^left +GlobalVolume all-.*: it was created after .* add --newer$/m,
    );
    write(-60_000, underWay("GlobalVolume", "all"));
    expect(await sweepProd()).toMatchObject({ code: 0 });
    expect(service.isEmpty()).toBe(true);
  });

  test("what nothing dates is left where anything else is newer, also of a kind that is not meant", async () => {
    const { service } = emulator;
    volume();
    pod();
    write(-60_000);
    const { code, out } = await sweepProd("--kind", "NetworkVolume");
    expect(out).toMatch(/^left +NetworkVolume data-.*: its time of creation is unknown, .* add --newer$/m);
    expect(code).toBe(1);
    expect(service.volumes.list()).toHaveLength(1);
    expect(await sweepProd("--newer")).toMatchObject({ code: 0 });
    volume();
    write(-60_000);
    expect(await sweepProd()).toMatchObject({ code: 0 });
    expect(service.isEmpty()).toBe(true);
  });

  test("what nothing dates is left where a kind that may have what is newer cannot be listed", async () => {
    const { service } = emulator;
    volume();
    pod();
    write(-60_000);
    const match = { method: "GET", path: "/pods" };
    emulator.faults.add({ match, when: "before", what: { status: 403 }, times: 0 });
    const { code, out, err } = await sweepProd();
    expect(err).toContain("pods cannot be listed");
    expect(out).toMatch(
      /^left +NetworkVolume data-.*: its time of creation is unknown, .* listed.* add --newer$/m,
    );
    expect(code).toBe(1);
    expect(service.volumes.list()).toHaveLength(1);
    await sweepProd("--newer");
    expect(service.volumes.list()).toEqual([]);
  });
});

test("ls --stack shows what the state has and what carries no mark, such as a pod whose env somebody replaced", async () => {
  const { id } = emulator.service.pods.create({ image: "i", gpu, name: "unmarked" });
  emulator.service.pods.create({ image: "i", gpu, name: "somebody else's" });
  const { id: otherId } = emulator.service.volumes.create({ name: "v", size: 10, dataCenter: "EU-RO-1" });
  const pod = { id, urn: `urn:pulumi:prod::shop::${pluginTypeOf("Pod")}::web`, type: pluginTypeOf("Pod") };
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
  emulator.service.volumes.create({ name: volumeOfDev, size: 10, dataCenter: "EU-RO-1" });
  const unknown = "podlumi: Pulumi has no stack shop/dev here: it is removed, or in another backend\n";
  const listed = await cli.run("ls", "--stack", "shop/dev");
  expect(listed).toEqual({ code: 0, out: expect.stringContaining("no state found"), err: unknown });
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
