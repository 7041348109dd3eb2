import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { withExpiry } from "../../provider/core/state/expiry";
import type { Emulator } from "../../sdk/emulator/service";
import { ENDPOINT } from "../emulator/client";
import { send } from "../harness/account";
import { testLong } from "../harness/long";
import { binary, CommandLine, until } from "./cli";

const cli = new CommandLine();
let emulator: Emulator;
beforeEach(async () => {
  emulator = await cli.emulate({ timings: { templateRelease: 500 } });
  cli.pulumi("echo '[]'"); // no stacks
});
afterAll(() => cli.close());

const gpu = { id: "NVIDIA L4", count: 1 };
const left = () => Object.values(emulator.service.snapshot()).flatMap((kind) => kind.map(({ name }) => name));

/** Objects of one pull request's environment, and objects of others. */
function environment() {
  const { service } = emulator;
  const { id: volumeId } = service.volumes.create({ name: "pr-1-data", size: 10, dataCenter: "EU-RO-1" });
  const { id: templateId } = service.templates.create({ name: "pr-1-lab", image: "i" });
  const registry = service.registries.create({ name: "pr-1-ghcr", username: "u", password: "p" }).id;
  service.secrets.create({ name: "pr_1", value: "v" });
  service.pods.create({
    name: "pr-1-pod",
    templateId,
    registry,
    gpu,
    mounts: { network: [{ volumeId, path: "/data" }] },
  });
  service.endpoints.create({ ...ENDPOINT, name: "pr-1-api" });
  service.pods.create({ name: "pr-10-pod", image: "i", gpu });
}

test("everything of a prefix goes, what is in use after its users, and nothing else", async () => {
  environment();
  const { code, out } = await cli.run("sweep", "--prefix", "pr-1-", "--yes");
  expect(code).toBe(0);
  expect(out).toMatch(/^deleted {2}Pod pr-1-pod \(\w+\)$/m);
  expect(left().sort()).toEqual(["pr-10-pod", "pr_1"]);
});

testLong(
  "one 404 of the list of global volumes leaves none behind, and a service without them has none",
  async () => {
    emulator.service.globalVolumes.create({ name: "pr-1-models" });
    emulator.faults.add({
      match: { path: "/global-volumes" },
      when: "before",
      what: { status: 404 },
      times: 1,
    });
    const { code, out } = await cli.run("sweep", "--prefix", "pr-1-", "--yes");
    expect({ code, out }).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^deleted {2}GlobalVolume pr-1-models/m),
    });
    emulator.faults.add({
      match: { path: "/global-volumes" },
      when: "before",
      what: { status: 404 },
      times: 0,
    });
    expect(await cli.run("ls")).toMatchObject({ code: 0, err: "" });
  },
);

test("what is over goes, of any stack; what is not over, has no limit, or may be a copy stays", async () => {
  const { service } = emulator;
  const limit = (name: string, ms: number) =>
    withExpiry({}, "2m", name, service.clock.now() - 120_000 + ms) as { env: Record<string, string> };
  const pod = (name: string, env: object) => service.pods.create({ name, image: "i", gpu, ...env });
  pod("over", limit("over", -1_000));
  pod("under way", limit("under way", 60_000));
  pod("endless", {});
  pod("odd", { env: { PODLUMI_EXPIRES: "2020-01-01" } });
  pod("a copy", limit("over", -1_000));
  service.endpoints.create({ ...ENDPOINT, name: "api", ...limit("api", -1_000) });
  service.clusters.create({
    name: "grid",
    image: "i",
    type: "TRAINING",
    compute: { gpuTypeId: "NVIDIA H200", gpuCountPerPod: 8, podCount: 2 },
    ...limit("grid", -1_000),
  });
  service.volumes.create({ name: "data", size: 10, dataCenter: "EU-RO-1" });
  expect((await cli.run("sweep", "--expired")).code).toBe(2);
  expect(left()).toHaveLength(8);
  const { code, out } = await cli.run("sweep", "--expired", "--yes");
  expect(code).toBe(1);
  expect(out).toMatch(
    /^left +Pod a copy \(\w+\): it may be a copy that somebody made, by its age or its name$/m,
  );
  expect(left().sort()).toEqual(["a copy", "data", "endless", "odd", "under way"]);
  expect((await cli.run("sweep", "--expired", "--prefix", "x")).code).toBe(2);
});

test("a copy is known by its age: it was created after its limit was set, whatever its name", async () => {
  const { service } = emulator;
  const env = (after: string, name: string, since: number) =>
    withExpiry({}, after, name, service.clock.now() - since) as { env: Record<string, string> };
  const pod = (name: string, limit: object) => service.pods.create({ name, image: "i", gpu, ...limit });
  // The variables of what somebody made an hour ago, under the same name, and as another cluster.
  pod("web", env("59m", "web", 3_600_000));
  const compute = { gpuTypeId: "NVIDIA H200", gpuCountPerPod: 8, podCount: 2 };
  const grid = { image: "i", type: "TRAINING" as const, compute };
  service.clusters.create({ ...grid, name: "copied", ...env("59m", "grid", 3_600_000) });
  // The program renamed it after the limit was set.
  pod("renamed", env("1s", "earlier", 2_000));
  const { out } = await cli.run("sweep", "--expired", "--yes");
  expect(out).toMatch(/^deleted {2}Pod renamed/m);
  expect(out).toMatch(/^left +Pod web \(\w+\): it may be a copy/m);
  expect(out).toMatch(/^left +Cluster copied \(\w+\): it may be a copy/m);
  expect(left().sort()).toEqual(["copied", "web"]);
});

test("what gets more time while somebody is asked stays", async () => {
  const { service } = emulator;
  const limit = (after: string) => withExpiry({}, after, "web", service.clock.now() - 2_000);
  const { id } = service.pods.create({ name: "web", image: "i", gpu, ...limit("1s") });
  emulator.on("after", { method: "GET", path: "/serverless" }, () => {
    service.pods.update(id, limit("8h"));
  });
  const { code, out } = await cli.run("sweep", "--expired", "--yes");
  expect(out).toMatch(/^left +Pod web \(\w+\): its time limit is not over any more$/m);
  expect(code).toBe(1);
  expect(left()).toEqual(["web"]);
});

test.each(["/pods", "/pods/*"])(
  "what gets more time stays, though reads of %s lag and do not show that yet",
  async (path) => {
    const { service } = emulator;
    const limit = (after: string) => withExpiry({}, after, "web", service.clock.now() - 2_000);
    const { id } = service.pods.create({ name: "web", image: "i", gpu, ...limit("1s") });
    emulator.on("after", { method: "GET", path: "/serverless" }, async () => {
      emulator.faults.add({
        match: { method: "GET", path },
        when: "before",
        what: { lag: 60_000 },
        times: 0,
      });
      await send(emulator, "PATCH", `pods/${id}`, limit("8h"), emulator.env.RUNPOD_API_KEY);
      // As while somebody is asked.
      await pause(1_000);
    });
    const { out } = await cli.run("sweep", "--expired", "--yes");
    expect(out).toMatch(/^left +Pod web \(\w+\): its time limit is not over any more$/m);
    expect(left()).toEqual(["web"]);
  },
);

test("what gets another name before its turn stays", async () => {
  environment();
  const [{ id } = { id: "" }] = emulator.service.volumes.list();
  emulator.on("before", { method: "DELETE", path: "/serverless/*" }, () => {
    emulator.service.volumes.update(id, { name: "kept" });
  });
  const { code, out } = await cli.run("sweep", "--prefix", "pr-1-", "--yes");
  expect(out).toMatch(/^left +NetworkVolume pr-1-data \(\w+\): it is now called kept$/m);
  expect(code).toBe(1);
  expect(left().sort()).toEqual(["kept", "pr-10-pod", "pr_1"]);
});

/** A volume of an environment that a pod of somebody else uses. */
function volumeInUse() {
  const { id } = emulator.service.volumes.create({ name: "pr-1-data", size: 10, dataCenter: "EU-RO-1" });
  const mounts = { network: [{ volumeId: id, path: "/data" }] };
  const { id: user } = emulator.service.pods.create({ name: "user", image: "i", gpu, mounts });
  return { id, user };
}

test("what gets another name while its deletion waits for a user stays", async () => {
  const { id, user } = volumeInUse();
  emulator.on("after", { method: "DELETE", path: "/network-volumes/*" }, () => {
    emulator.service.volumes.update(id, { name: "kept" });
    emulator.service.pods.delete(user);
  });
  const { code, out } = await cli.run("sweep", "--prefix", "pr-1-", "--yes");
  expect(out).toMatch(/^left +NetworkVolume pr-1-data \(\w+\): it is now called kept$/m);
  expect(code).toBe(1);
  expect(left()).toEqual(["kept"]);
});

test("a credential that somebody begins to use during the sweep waits until nothing names it", async () => {
  environment();
  const { pods, registries } = emulator.service;
  const [{ id: registry } = { id: "" }] = registries.list();
  let user: string | undefined;
  emulator.on("before", { method: "DELETE", path: "/pods/*" }, () => {
    user ??= pods.create({ name: "user", image: "i", gpu, registry }).id;
  });
  const swept = cli.run("sweep", "--prefix", "pr-1-", "--yes");
  await until(() => !left().includes("pr-1-lab"));
  await pause(1_500);
  expect(left().sort()).toEqual(["pr-1-ghcr", "pr-10-pod", "pr_1", "user"]);
  pods.delete(String(user));
  expect(await swept).toMatchObject({ code: 0 });
  expect(left().sort()).toEqual(["pr-10-pod", "pr_1"]);
});

test("a dry run shows what would go, deletes nothing, and ends with 1", async () => {
  environment();
  const before = left();
  const { code, out } = await cli.run("sweep", "--prefix", "pr-1-", "--dry-run", "--json");
  expect(code).toBe(1);
  const { found } = JSON.parse(out);
  expect(found.map(({ name }: { name: string }) => name)).toEqual([
    "pr-1-pod",
    "pr-1-api",
    "pr-1-lab",
    "pr-1-data",
    "pr-1-ghcr",
  ]);
  expect(left()).toEqual(before);
});

testLong("no name hides what would go, or writes a line of its own", async () => {
  const name = "pr-1-\u001b[1A\u001b[2K\r\npulumi stack rm # \u202e";
  emulator.service.registries.create({ name, username: "u", password: "p" });
  emulator.service.volumes.create({ name, size: 10, dataCenter: "EU-RO-1" });
  const shown = String.raw`pr-1-\u{1b}[1A\u{1b}[2K\u{d}\u{a}pulumi stack rm # \u{202e}`;
  for (const command of [["ls"], ["sweep", "--prefix", "pr-1-", "--dry-run"], ["generate"]]) {
    const { out, err } = await cli.run(...command);
    // The program has names as they are.
    const printed = command[0] === "generate" ? err : out;
    expect(printed).toContain(shown);
    for (const hidden of ["\u001b", "\r", "\n" + "pulumi", "\u202e"]) expect(printed).not.toContain(hidden);
  }
});

test("without --yes and without a terminal it refuses, and deletes nothing", async () => {
  environment();
  const before = left();
  const { code, err } = await cli.run("sweep", "--prefix", "pr-1-");
  expect(code).toBe(2);
  expect(err).toMatch(/there is no terminal to ask on: give --yes/);
  expect(left()).toEqual(before);
});

test("where nothing can be listed it does not say that there is nothing to delete", async () => {
  environment();
  const env = { ...cli.env, RUNPOD_API_KEY: "wrong" };
  const refused = await cli.start(["sweep", "--prefix", "pr-1-", "--yes"], env).ended;
  expect(refused).toMatchObject({ code: 1, out: "", err: expect.stringContaining("answered 401") });
});

test("with --older-than only what is known to be old goes; what has no age is left and told", async () => {
  environment();
  const young = await cli.run("sweep", "--prefix", "pr-1-", "--older-than", "1h", "--kind", "Pod", "--yes");
  expect(young).toMatchObject({ code: 0, out: "nothing to delete\n" });
  // A stack's is kept for its age, before anything else is asked of it.
  cli.env.PATH = "";
  expect(
    await cli.run("sweep", "--prefix", "pr-10-", "--older-than", "1h", "--kind", "Pod", "--yes"),
  ).toMatchObject({ code: 0, out: "nothing to delete\n" });
  cli.pulumi("echo '[]'");
  // The service reports times in whole seconds.
  await new Promise((resolve) => setTimeout(resolve, 2_100));
  const { code, out } = await cli.run("sweep", "--prefix", "pr-1-", "--older-than", "1s", "--yes", "--json");
  expect(code).toBe(1);
  const report = JSON.parse(out);
  const names = (all: { name: string }[]) => all.map(({ name }) => name);
  expect(names(report.deleted)).toEqual(["pr-1-pod", "pr-1-api"]);
  expect(names(report.left)).toEqual(["pr-1-lab", "pr-1-data", "pr-1-ghcr"]);
  expect(report.left[0].left).toBe("the service does not return its age");
});

test("what cannot be deleted is told with why, the rest goes, and it ends with 1", async () => {
  environment();
  const match = { interface: "rest", method: "DELETE", path: "/serverless/*" } as const;
  emulator.faults.add({ match, when: "before", what: { status: 403 }, times: 0 });
  const { code, out } = await cli.run("sweep", "--prefix", "pr-1-", "--yes");
  expect(code).toBe(1);
  expect(out).toMatch(/^left {5}ServerlessEndpoint pr-1-api \(\w+\): DELETE \/serverless\/\w+ answered 403/m);
  expect(left().sort()).toEqual(["pr-1-api", "pr-10-pod", "pr_1"]);
});

test("a credential that a template of others names, which would lose it, waits until nothing names it", async () => {
  const { service } = emulator;
  const { id: registry } = service.registries.create({ name: "pr-1-ghcr", username: "u", password: "p" });
  service.templates.create({ name: "pr-1-lab", image: "i", registry });
  const { id } = service.templates.create({ name: "worker", image: "i", registry });
  const swept = cli.run("sweep", "--prefix", "pr-1-", "--yes");
  await until(() => !left().includes("pr-1-lab"));
  await pause(1_500);
  expect(left().sort()).toEqual(["pr-1-ghcr", "worker"]);
  service.templates.delete(id);
  expect(await swept).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^deleted +RegistryAuth pr-1-ghcr/m),
  });
  expect(left()).toEqual([]);
});

test("a few kinds may be meant", async () => {
  environment();
  await cli.run("sweep", "--prefix", "pr-1-", "--kind", "pods", "--kind", "serverlessendpoint", "--yes");
  expect(left().sort()).toEqual(["pr-1-data", "pr-1-ghcr", "pr-1-lab", "pr-10-pod", "pr_1"]);
});

/** Gives a program a terminal. */
const script = "/usr/bin/script";

(process.platform === "linux" && existsSync(script) ? test : test.skip).each([
  ["Ctrl-C", "\u0003"],
  ["Ctrl-D", "\u0004"],
  ["no answer", "\r"],
])("%s at the question deletes nothing, and the last line says so", async (_what, key) => {
  environment();
  const command = `${process.execPath} ${binary} sweep --prefix pr-10-`;
  const terminal = spawn(script, ["-qec", command, "/dev/null"], { env: cli.env });
  let shown = "";
  terminal.stdout.on("data", (text) => (shown += text));
  const ended = new Promise((done) => terminal.on("close", done));
  await until(() => shown.includes("Delete 1 object? [y/N]"));
  terminal.stdin.write(key);
  expect(await ended).toBe(1);
  expect(shown).toMatch(/\npodlumi: nothing was deleted \[PODLUMI-COMMAND\]\r\n$/);
  expect(left()).toContain("pr-10-pod");
});
