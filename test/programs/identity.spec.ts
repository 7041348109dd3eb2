import { runsAll } from "../engine/runs-all";
import { clock, emulatedAccount, emulator, newProject } from "../harness/emulated";
import { onPlugin, typeOfKind } from "../harness/face";
import { testLong } from "../harness/long";
import type { Project } from "../harness/project";

// Whose an object is after renames, moves between stacks, copies and replacements that the engine decides on.

emulatedAccount();

const volume = 'new podlumi.NetworkVolume("data", { size: 20, dataCenter: "EU-RO-1" });';
const pod = 'new podlumi.Pod("web", { image: "org/app:1", gpu: { id: "NVIDIA L4" } });';
const lab = 'const lab = new podlumi.Provider("lab");';
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

/** Kills an up when its request for a pod has been acted on, and goes on with another machine. */
async function killedUp(killed: Project): Promise<void> {
  const stop = emulator.on("after", { method: "POST", path: "/pods" }, () => killed.kill("everything"));
  killed.inline = false;
  await up(killed);
  killed.inline = true;
  stop();
  await killed.elsewhere();
}

/** Puts the volume of `dev` into the stack `prod`, and selects that. */
async function moveVolume(dev: Project): Promise<void> {
  await dev.moveState(urn("NetworkVolume", "data"), "dev", "prod");
  await dev.pulumi("stack", "select", "prod");
}

describe("a replacement after two renames deletes what it replaces", () => {
  testLong("of the resource", async () => {
    const dev = await newProject();
    await dev.up(podOn("web", "NVIDIA L4"));
    await dev.up(podOn("app", "NVIDIA L4", '{ aliases: [{ name: "web" }] }'));
    await dev.up(podOn("api", "NVIDIA A40", '{ aliases: [{ name: "app" }] }'));
    expect(pods()).toHaveLength(1);
  });

  testLong("of the stack and of the resource, whose data was given up", async () => {
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
  testLong("is spared by a sweep with --yes while this one has a state", async () => {
    const theirs = await newProject();
    await theirs.up(volume, pod);
    const mine = await newProject();
    await mine.up(volume.replace("{ size", '{ name: "mine", size'));
    expect(await sweep(mine)).toMatchObject({
      ok: false,
      printed: expect.stringContaining("PODLUMI-WHICH-STACK"),
    });
    expect([pods().length, volumes().length]).toEqual([1, 2]);
  });

  testLong("is spared by the sweeps of a CI job before and after its destroy", async () => {
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

describe("after `pulumi state move` into a new stack, which gets the provider of the old one", () => {
  const models = (options = "{}") =>
    `new podlumi.NetworkVolume("models", { size: 20, dataCenter: "EU-RO-1" }, ${options});`;

  async function moved(): Promise<Project> {
    const dev = await newProject();
    await dev.up(volume, pod, models("{ retainOnDelete: true }"));
    await dev.up(volume, pod); // The models are kept on purpose.
    await dev.pulumi("stack", "init", "prod");
    await moveVolume(dev);
    return dev;
  }

  testLong("what the old one kept is not the new one's: no warning, no take-over, no deletion", async () => {
    const dev = await moved();
    const kept = emulator.service.volumes.list().find(({ name }) => name.startsWith("models-"))?.id;
    const { printed } = await dev.pulumi("refresh", "--yes", "--skip-preview");
    // The dynamic provider learns the name of a moved stack with its first up. Until then it warns by the old one.
    if (onPlugin) expect(printed).not.toContain("PODLUMI-ORPHAN");
    await dev.up(volume, models());
    expect((await sweep(dev, "--dry-run")).printed).toContain(String(kept));
    await dev.podlumi("sweep", "--stack", "specification/prod", "--yes");
    await destroy(dev);
    expect(volumes()).toEqual([kept]);
  });

  testLong(
    "what the old one kept is not the new one's when the old one's state is empty by now",
    async () => {
      const dev = await newProject();
      await dev.up(
        volume,
        pod.replace(");", ", { retainOnDelete: true });"),
        models("{ retainOnDelete: true }"),
      );
      await dev.pulumi("stack", "init", "prod");
      await moveVolume(dev);
      await dev.pulumi("stack", "select", "dev");
      await destroy(dev);
      const kept = [...pods(), ...volumes()];
      await dev.pulumi("stack", "select", "prod");
      await dev.up(volume, pod, models());
      const { printed } = await dev.pulumi("refresh", "--yes", "--skip-preview");
      if (onPlugin) expect(printed).not.toContain("PODLUMI-ORPHAN");
      expect(printed).toContain("and the name specification/dev. Another stack may have created it");
      await dev.podlumi("sweep", "--stack", "specification/prod", "--yes");
      await destroy(dev);
      expect(kept).toEqual(expect.arrayContaining([...pods(), ...volumes()]));
      expect([...pods(), ...volumes()]).toHaveLength(2);
      expect(await sweep(dev)).toMatchObject({ ok: false, printed: expect.stringContaining("WHICH-STACK") });
    },
  );

  testLong(
    "what the new one kept is not the old one's when the new one has another name by now",
    async () => {
      const dev = await moved();
      await dev.up(volume, podOn("kept", "NVIDIA L4", "{ retainOnDelete: true }"));
      await dev.up(volume);
      await dev.pulumi("stack", "rename", "staging");
      const before = pods();
      await dev.pulumi("stack", "select", "dev");
      dev.declare(pod, podOn("kept", "NVIDIA A40"));
      await up(dev);
      await dev.podlumi("sweep", "--stack", "specification/dev", "--yes");
      await destroy(dev);
      expect(before).toEqual(expect.arrayContaining(pods()));
      expect(pods()).toHaveLength(1);
    },
  );

  testLong("an adoption of what the old one has is refused", async () => {
    const dev = await moved();
    const [id] = pods();
    dev.declare(volume, pod.replace("{ image", `{ adopt: "${id}", image`));
    expect(await up(dev)).toMatchObject({ ok: false, printed: expect.stringContaining("ADOPT-HELD") });
    await dev.pulumi("stack", "select", "dev");
    await destroy(dev);
    expect(pods()).toEqual([]);
  });
});

testLong(
  "a new stack under the old name of another one has nothing of it, and what neither can prove is named",
  async () => {
    const dev = await newProject();
    await dev.up(pod, podOn("kept", "NVIDIA L4", "{ retainOnDelete: true }"));
    await dev.up(pod);
    await dev.pulumi("stack", "rename", "prod");
    await dev.pulumi("stack", "init", "dev");
    const all = pods();
    const listed = await dev.podlumi("ls", "--stack", "specification/prod");
    expect(listed.printed).toMatch(/Pod::web +in the state/);
    const leftOut = {
      ok: false,
      printed: expect.stringMatching(/leaves out the Pod kept-\S+ .* another stack/),
    };
    expect(await dev.podlumi("sweep", "--stack", "specification/prod", "--yes")).toMatchObject(leftOut);
    expect(await sweep(dev)).toMatchObject({ ok: false, printed: expect.stringContaining("WHICH-STACK") });
    expect(pods()).toEqual(all);
  },
);

testLong(
  "what `pulumi state move` took to another stack is not adopted back while that stack has it",
  async () => {
    const dev = await newProject();
    await dev.up(volume, pod);
    const [id] = volumes();
    await dev.pulumi("stack", "init", "prod");
    await dev.up(pod); // prod has a provider of its own.
    await moveVolume(dev);
    await dev.pulumi("stack", "select", "dev");
    dev.declare(volume.replace("{ size", `{ adopt: "${id}", size`), pod);
    expect(await up(dev)).toMatchObject({ ok: false, printed: expect.stringContaining("ADOPT-HELD") });
    await destroy(dev);
    expect(volumes()).toEqual([id]);
  },
);

describe("a person's copy under the same name", () => {
  function copyOfPod(): string {
    const [made] = emulator.service.pods.list();
    const { id } = emulator.service.pods.create({
      name: String(made?.name),
      image: "org/app:1",
      gpu: { id: "NVIDIA L4", count: 1 },
      env: { ...made?.env },
    });
    return id;
  }

  testLong("is not taken over by a replacement", async () => {
    const dev = await newProject();
    await dev.up(pod);
    const id = copyOfPod();
    await up(dev, "--replace", urn("Pod", "web"));
    await destroy(dev);
    expect(pods()).toEqual([id]);
  });

  testLong(
    "is neither taken over nor swept once the original is gone, because it is younger than its mark",
    async () => {
      const dev = await newProject();
      await dev.up(pod);
      const [original = ""] = pods();
      clock.pass(3_600_000);
      const id = copyOfPod();
      emulator.service.pods.delete(original);
      const doubt = "it was created more than 10 minutes after its mark";
      expect((await dev.pulumi("refresh", "--yes", "--skip-preview")).printed).toContain(doubt);
      dev.declare(pod);
      expect(await up(dev)).toMatchObject({ ok: true, printed: expect.stringContaining(`But ${doubt}`) });
      expect(pods()).toHaveLength(2);
      const kept = {
        ok: false,
        printed: expect.stringMatching(new RegExp(`^left .*${id}\\): ${doubt}`, "m")),
      };
      expect(await sweep(dev)).toMatchObject(kept);
      await destroy(dev);
      expect(pods()).toEqual([id]);
    },
  );
});

describe("what another backend's stack created is spared after an interrupted adoption, unless the program adopts it again", () => {
  const both = [
    ["pods", pod, pods],
    ["network-volumes", volume, volumes],
  ] as const;
  test.each(runsAll ? both : both.slice(0, 1))("%s", async (path, resource, present) => {
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
    mine.declare(resource);
    const told = { ok: true, printed: expect.stringContaining(`only with adopt: "${id}"`) };
    expect(await up(mine)).toMatchObject(told);
    const kept = { ok: false, printed: expect.stringMatching(/^left .* by an adoption/m) };
    expect(await sweep(mine)).toMatchObject(kept);
    expect((await destroy(mine)).printed).toContain("--adopted` deletes it");
    expect(present()).toEqual([id]);
    mine.declare(adopting);
    expect(await up(mine)).toMatchObject({ ok: true });
    expect(present()).toEqual([id]);
  });
});

testLong("a resource adopts although another one had its name", async () => {
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

describe("with two providers, nothing is called an orphan", () => {
  const x = podOn("x", "NVIDIA L4", "{ provider: lab }");
  const b = podOn("b", "NVIDIA L4");

  testLong("that an up --refresh has just created", async () => {
    const dev = await newProject();
    const z = podOn("z", "NVIDIA L4");
    await dev.up(lab, z, x);
    dev.declare(lab, z, x, b);
    await killedUp(dev);
    dev.inline = false;
    dev.declare(lab, x, b, podOn("y", "NVIDIA L4", "{ provider: lab, dependsOn: [b] }"));
    expect((await up(dev, "--refresh")).printed).not.toContain("PODLUMI-ORPHAN");
  });

  testLong("that the destroy deletes by the other one", async () => {
    const dev = await newProject();
    await dev.up(lab, x, b);
    const { printed } = await destroy(dev);
    expect(pods()).toEqual([]);
    expect(printed).not.toContain("PODLUMI-ORPHAN");
  });
});

// The engine does not wait for a dynamic provider whose Provider it has deleted.
(onPlugin ? testLong : test.skip)(
  "what a provider made that has left the state since is told of by a destroy",
  async () => {
    const dev = await newProject();
    const x = podOn("x", "NVIDIA L4");
    await dev.up(x, podOn("kept", "NVIDIA L4", "{ retainOnDelete: true }"));
    await dev.up(lab, x.replace("{})", "{ provider: lab })"));
    const [kept] = emulator.service.pods.list().filter(({ name }) => name.startsWith("kept"));
    const { printed } = await destroy(dev);
    expect(pods()).toEqual([kept?.id]);
    expect(printed).toMatch(
      new RegExp(`pod "\\S+" \\(${kept?.id}\\), made for Pod::kept, is of this stack, by the mark`),
    );
  },
);

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

  (option === "replacementTrigger" ? test : testLong)(
    "replaces no volume before the user confirms the loss",
    async () => {
      const dev = await newProject();
      await dev.up(...program(1));
      const [id] = volumes();
      dev.declare(...program(2));
      const refused = { ok: false, printed: expect.stringContaining(`confirmDataLoss ${id}`) };
      expect(await dev.pulumi("preview")).toMatchObject(refused);
      expect(await up(dev)).toMatchObject(refused);
      expect(volumes()).toEqual([id]);
      // The failed up has replaced the template, so that nothing replaces the volume any more.
      if (option === "replaceWith") return;
      await dev.pulumi("config", "set", "podlumi:confirmDataLoss", String(id));
      expect(await up(dev)).toMatchObject({ ok: true });
      expect(volumes()).not.toContain(id);
    },
  );
});
