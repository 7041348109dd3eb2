import { clock, emulatedAccount, emulator, newProject } from "../harness/emulated";
import { typeOfKind } from "../harness/face";
import type { Project } from "../harness/project";

// Whose an object is after renames, copies and replacements that the engine decides on.

emulatedAccount();

const volume = 'new podlumi.NetworkVolume("data", { size: 20, dataCenter: "EU-RO-1" });';
const pod = 'new podlumi.Pod("web", { image: "org/app:1", gpu: { id: "NVIDIA L4" } });';
const podOn = (name: string, gpu: string, options = "{}") =>
  `const ${name} = new podlumi.Pod("${name}", { image: "org/app:1", gpu: { id: "${gpu}" } }, ${options});`;

const up = (of: Project, ...more: string[]) => of.pulumi("up", "--yes", "--skip-preview", ...more);
const destroy = (of: Project, ...more: string[]) => of.pulumi("destroy", "--yes", "--skip-preview", ...more);
const sweep = (of: Project, ...more: string[]) =>
  of.podlumi("sweep", "--stack", "specification/dev", "--yes", ...more);

const pods = () => emulator.service.pods.list().map(({ id }) => id);
const volumes = () => emulator.service.volumes.list().map(({ id }) => id);
const urn = (kind: "Pod" | "NetworkVolume", name: string) =>
  `urn:pulumi:dev::specification::${typeOfKind(kind)}::${name}`;

describe("a replacement after two renames deletes what it replaces", () => {
  test("of the resource", async () => {
    const dev = await newProject();
    await dev.up(podOn("web", "NVIDIA L4"));
    await dev.up(podOn("app", "NVIDIA L4", '{ aliases: [{ name: "web" }] }'));
    await dev.up(podOn("api", "NVIDIA A40", '{ aliases: [{ name: "app" }] }'));
    expect(pods()).toHaveLength(1);
  });

  test("of the stack and of the resource, whose data was given up", async () => {
    const dev = await newProject();
    await dev.up(volume);
    await dev.pulumi("stack", "rename", "prod");
    await dev.pulumi("config", "set", "podlumi:confirmDataLoss", "all");
    const renamed = '{ aliases: [{ name: "data" }] }';
    await dev.up(`new podlumi.NetworkVolume("store", { size: 10, dataCenter: "EU-RO-1" }, ${renamed});`);
    expect(volumes()).toHaveLength(1);
  });
});

describe("a live stack of another backend that has the same name", () => {
  test("is spared by a sweep with --yes while this one has a state", async () => {
    const theirs = await newProject();
    await theirs.up(volume, pod);
    const mine = await newProject();
    await mine.up(volume.replace("{ size", '{ name: "mine", size'));
    expect(await sweep(mine)).toMatchObject({
      ok: true,
      printed: expect.stringMatching(
        /keeps what has another mark and the name specification\/dev.*nothing to delete/s,
      ),
    });
    expect([pods().length, volumes().length]).toEqual([1, 2]);
  });

  test("is spared by the sweeps of a CI job before and after its destroy", async () => {
    const theirs = await newProject();
    await theirs.up(volume, pod);
    const mine = await newProject();
    await mine.up(volume);
    const marks = (await mine.podlumi("ls", "--stack", "dev", "--marks")).printed.trim();
    expect(await sweep(mine, "--mark", marks)).toMatchObject({ ok: true });
    await destroy(mine, "--remove");
    expect(await sweep(mine, "--mark", marks)).toMatchObject({ ok: true });
    // As where the job is run again: what is left may be this stack's.
    expect(await sweep(mine, "--mark", "")).toMatchObject({
      ok: false,
      printed: expect.stringContaining("keeps what has another mark and the name specification/dev"),
    });
    expect(await sweep(mine)).toMatchObject({ ok: false });
    expect([pods().length, volumes().length]).toEqual([1, 1]);
  });
});

test("a new stack under the old name of another one has nothing of it", async () => {
  const dev = await newProject();
  await dev.up(pod, podOn("kept", "NVIDIA L4", "{ retainOnDelete: true }"));
  await dev.up(pod);
  await dev.pulumi("stack", "rename", "prod");
  await dev.pulumi("stack", "init", "dev");
  const [web] = emulator.service.pods.list().filter(({ name }) => name.startsWith("web-"));
  expect((await sweep(dev)).printed).toMatch(/leaves out the Pod kept-\S+ .* another stack/);
  expect(pods()).toHaveLength(2);
  const listed = await dev.podlumi("ls", "--stack", "specification/prod");
  expect(listed.printed).toMatch(/Pod::web +in the state/);
  expect(await dev.podlumi("sweep", "--stack", "specification/prod", "--yes")).toMatchObject({ ok: true });
  expect(pods()).toEqual([web?.id]);
});

describe("a person's copy under the same name", () => {
  /** A copy is younger than the mark that it has. */
  function copyOfPod(): string {
    clock.pass(3_600_000);
    const [made] = emulator.service.pods.list();
    const { id } = emulator.service.pods.create({
      name: String(made?.name),
      image: "org/app:1",
      gpu: { id: "NVIDIA L4", count: 1 },
      env: { ...made?.env },
    });
    return id;
  }

  test("is not taken over by a replacement", async () => {
    const dev = await newProject();
    await dev.up(pod);
    const id = copyOfPod();
    await up(dev, "--replace", urn("Pod", "web"));
    await destroy(dev);
    expect(pods()).toEqual([id]);
  });

  test("is neither taken over nor swept once the original is gone", async () => {
    const dev = await newProject();
    await dev.up(pod);
    const [original = ""] = pods();
    const id = copyOfPod();
    emulator.service.pods.delete(original);
    await dev.pulumi("refresh", "--yes", "--skip-preview");
    dev.declare(pod);
    expect(await up(dev)).toMatchObject({ ok: true });
    expect(pods()).toHaveLength(2);
    const kept = {
      ok: false,
      printed: expect.stringMatching(
        new RegExp(`^left .*${id}\\): it may be a copy that somebody made, by its age or its name`, "m"),
      ),
    };
    expect(await sweep(dev)).toMatchObject(kept);
    await destroy(dev);
    expect(pods()).toEqual([id]);
  });
});

describe("what another backend's stack created is swept by no --yes after an interrupted adoption, which the next up goes on with", () => {
  const both = [
    ["pods", pod, pods],
    ["network-volumes", volume, volumes],
  ] as const;
  test.each(both)("%s", async (path, resource, present) => {
    const theirs = await newProject();
    await theirs.up(resource);
    const [id] = present();
    const mine = await newProject();
    const adopting = resource.replace("{ ", `{ adopt: "${id}", `);
    mine.declare(adopting);
    const patch = { method: "PATCH", path: `/${path}/${id}` };
    const stop = emulator.on("after", patch, () => mine.kill("everything"));
    mine.inline = false;
    await up(mine);
    stop();
    mine.inline = true;
    await mine.elsewhere();
    const kept = {
      ok: false,
      printed: expect.stringMatching(/^left .* is adopting it, or was interrupted at that/m),
    };
    expect(await sweep(mine)).toMatchObject(kept);
    expect(present()).toEqual([id]);
    mine.declare(adopting);
    expect(await up(mine)).toMatchObject({ ok: true });
    expect(present()).toEqual([id]);
  });
});

test("a resource adopts although another one had its name", async () => {
  const dev = await newProject();
  await dev.up(pod);
  await dev.up(podOn("app", "NVIDIA L4", '{ aliases: [{ name: "web" }] }'));
  const gpu = { id: "NVIDIA L4", count: 1 };
  const { id } = emulator.service.pods.create({ name: "theirs", image: "org/app:1", gpu });
  dev.inline = false;
  dev.declare(
    podOn("app", "NVIDIA A40", "{ deleteBeforeReplace: true }"),
    podOn("web", "NVIDIA L4", "{ dependsOn: app }").replace("{ image", `{ adopt: "${id}", image`),
  );
  expect((await dev.pulumi("preview")).printed).toContain(`adopts the pod "theirs" (${id})`);
  await up(dev);
  expect(pods()).toHaveLength(2);
  expect(pods()).toContain(id);
});

const options = ["replacementTrigger", "replaceWith"] as const;
describe.each(options)("%s", (option) => {
  const program = (value: number) => {
    const trigger = `replacementTrigger: "${value}"`;
    const ofVolume = option === "replaceWith" ? "replaceWith: [template]" : trigger;
    return [
      `const template = new podlumi.Template("t", { image: "org/a:1" }, { ${trigger} });`,
      `new podlumi.NetworkVolume("data", { size: 20, dataCenter: "EU-RO-1" }, { ${ofVolume} });`,
    ];
  };

  test("replaces what holds data without a question, as the preview shows", async () => {
    const dev = await newProject();
    await dev.up(...program(1));
    const [id] = volumes();
    dev.declare(...program(2));
    const { ok, printed } = await dev.pulumi("preview");
    expect({ ok, printed }).toMatchObject({
      ok: true,
      printed: expect.stringMatching(/\+- \S*NetworkVolume data +replace/),
    });
    expect(await up(dev)).toMatchObject({ ok: true });
    expect(volumes()).toHaveLength(1);
    expect(volumes()).not.toContain(id);
  });
});
