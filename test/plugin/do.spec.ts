import { spawnSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { emulatedProject, emulator, project } from "../harness/emulated";
import { testLong } from "../harness/long";

// `pulumi do` is experimental. An engine on the PATH may not have it.
const isThere = /--stateless/.test(String(spawnSync("pulumi", ["do", "--help"]).stdout));
if (!isThere) console.log("skipped: this engine has no `pulumi do --stateless`");
const specification = isThere ? describe : describe.skip;

emulatedProject("all");
let plugin: string;
beforeAll(() => {
  project.file("Pulumi.yaml", "name: specification\nruntime: yaml\n");
  // Pulumi takes what comes after a space for an argument of the plugin, and the repository's path may have one.
  const link = join(project.folder, "plugin");
  symlinkSync(resolve("dist/plugin"), link);
  plugin = join(link, "pulumi-resource-podlumi");
});

/** Runs `pulumi do` without a stack. */
function stateless(type: string, verb: string, ...args: string[]) {
  const options = ["create", "patch", "delete"].includes(verb) ? ["--yes"] : [];
  return project.pulumi(
    "do",
    "--stateless",
    "--package",
    plugin,
    `podlumi:${type}`,
    verb,
    ...args,
    ...options,
  );
}

/** The same, when it has to succeed. */
async function done(...[type, verb, ...args]: Parameters<typeof stateless>): Promise<string> {
  const { ok, printed } = await stateless(type, verb, ...args);
  if (!ok) throw new Error(printed);
  return printed;
}

const volumes = () => emulator.service.volumes.list();

specification("pulumi do", () => {
  test("calls a function, and fails when an argument is wrong", async () => {
    const call = (...args: string[]) =>
      project.pulumi("do", "--package", plugin, "podlumi:cheapestGpu", ...args);
    const { printed } = await call("--min-memory", "24");
    expect(JSON.parse(printed)).toMatchObject({ gpu: { id: "NVIDIA A30" }, cloud: "SECURE" });
    const wrong = await call("--count", "0");
    expect(wrong.ok).toBe(false);
    expect(wrong.printed).toContain("count: must be at least 1 [PODLUMI-INVALID]");
  });

  test("creates, lists, reads, changes and deletes an object without a stack", async () => {
    await done("NetworkVolume", "create", "--name", "data", "--size", "20", "--data-center", "EU-RO-1");
    const [{ id } = { id: "" }] = volumes();
    expect(JSON.parse(await done("NetworkVolume", "list"))).toEqual([{ id, name: "data" }]);
    expect(await done("NetworkVolume", "read", id)).toMatch(/size *: 20/);
    await done("NetworkVolume", "patch", id, "--size", "30");
    expect(volumes()).toMatchObject([{ id, name: "data", size: 30, dataCenter: "EU-RO-1" }]);
    await done("NetworkVolume", "delete", id);
    expect(volumes()).toEqual([]);
  });

  testLong("leaves the mark of the stack that an object belongs to", async () => {
    const mark = { PODLUMI_MARK: "specification/dev ServerlessEndpoint::llm 1-2-3-4-5-1" };
    const { id } = emulator.service.endpoints.create({
      name: "llm",
      image: "org/app:1",
      env: { WORD: "open", ...mark },
      type: "QUEUE",
      gpu: { pools: ["ADA_24"] },
      scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
    });
    await done("ServerlessEndpoint", "patch", id, "--image", "org/app:2");
    expect(emulator.service.endpoints.get(id)).toMatchObject({
      image: "org/app:2",
      env: { WORD: "open", ...mark },
    });
  });

  testLong.each([
    ["replaces the object", "40", "EU-SE-1", /PODLUMI-DATA-LOSS/],
    ["loses its data", "10", "EU-RO-1", /PODLUMI-DATA-LOSS/],
  ])("does not change a volume when that %s", async (_what, size, dataCenter, code) => {
    const { id } = emulator.service.volumes.create({ name: "kept", size: 20, dataCenter: "EU-RO-1" });
    const { ok, printed } = await stateless(
      "NetworkVolume",
      "patch",
      id,
      "--size",
      size,
      "--data-center",
      dataCenter,
    );
    expect(ok).toBe(false);
    expect(printed).toMatch(code);
    expect(volumes()).toMatchObject([{ id, size: 20, dataCenter: "EU-RO-1" }]);
    emulator.service.volumes.delete(id);
  });

  testLong("changes nothing when a change would replace the object", async () => {
    const gpu = { id: "NVIDIA L4", count: 1 };
    const { id } = emulator.service.pods.create({ name: "web", image: "org/app:1", gpu });
    const before = emulator.requests.length;
    const { ok, printed } = await stateless("Pod", "patch", id, "--start-jupyter", "--image", "org/app:2");
    expect(ok).toBe(false);
    expect(printed).toContain("a change of startJupyter replaces the pod, and nothing was changed");
    expect(printed).toContain("[PODLUMI-NOT-IN-PLACE]");
    expect(emulator.requests.slice(before).filter(({ method }) => method !== "GET")).toEqual([]);
  });

  testLong("keeps an object in a stack, once the plugin is installed", async () => {
    const { ok } = await project.pulumi(
      "plugin",
      "install",
      "resource",
      "podlumi",
      "0.1.0",
      "--file",
      resolve("dist/plugin"),
    );
    expect(ok).toBe(true);
    const verb = (...args: string[]) => project.pulumi("do", "podlumi:NetworkVolume", ...args, "--yes");
    expect(await verb("create", "data", "--size", "20", "--data-center", "EU-RO-1")).toMatchObject({
      ok: true,
    });
    expect(await verb("patch", "data", "--size", "30")).toMatchObject({ ok: true });
    expect(volumes()).toMatchObject([{ name: expect.stringMatching(/^data-/), size: 30 }]);
    expect(await verb("delete", "data")).toMatchObject({ ok: true });
    expect(volumes()).toEqual([]);
  });
});
