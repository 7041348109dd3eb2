import { delimiter, resolve } from "node:path";
import { runsAll } from "../engine/runs-all";
import { patch, send } from "../harness/account";
import { clock, emulator } from "../harness/emulated";
import { onPlugin, typeOfKind } from "../harness/face";
import { testLong } from "../harness/long";
import { dev, idOf, killedUp, pod, pods, up, volume, volumes } from "./dev-stack";

// An object in a state belongs to its resource. No other resource, stack or sweep may take it.

test("a resource adopts nothing that another resource of the stack has: aliases are the way", async () => {
  await dev.up(volume);
  const id = idOf(volumes());
  const adopting = (more: string) =>
    `new podlumi.NetworkVolume("datasets", { size: 20, dataCenter: "EU-RO-1", adopt: "${id}" }${more});`;
  dev.declare(adopting(""));
  const refused =
    /has a problem: adopt: .* is urn:pulumi:\S+::data already\. To rename that resource, use aliases/;
  expect((await dev.pulumi("preview")).printed).toMatch(refused);
  dev.declare('const lab = new podlumi.Provider("lab");', adopting(", { provider: lab }"));
  const other = await up();
  expect(other).toMatchObject({ ok: false, printed: expect.stringMatching(refused) });
  dev.declare(adopting(', { aliases: [{ name: "data" }] }'));
  expect(await up()).toMatchObject({ ok: true });
  expect(volumes()).toMatchObject([{ id }]);
});

test("what two providers have adopted at once is deleted when both resources leave the program, and not left to each other", async () => {
  await send(emulator, "POST", "network-volumes", { name: "shared", size: 20, dataCenter: "EU-RO-1" });
  const id = idOf(volumes());
  const providers = 'const one = new podlumi.Provider("one"), two = new podlumi.Provider("two");';
  const under = (provider: string) =>
    `new podlumi.NetworkVolume("in-${provider}", { name: "shared", size: 20, dataCenter: "EU-RO-1", adopt: "${id}" }, { provider: ${provider} });`;
  dev.declare(providers, under("one"), under("two"));
  await up();
  const { printed } = await dev.pulumi("stack", "export");
  expect(printed.split(`"id": "${id}"`)).toHaveLength(3);
  await dev.up(providers);
  expect(volumes()).toEqual([]);
});

test("an interrupted adoption is told of by the name that it gave", async () => {
  const { id } = emulator.service.pods.create({
    name: "trainer",
    image: "org/app:1",
    gpu: { id: "NVIDIA L4", count: 1 },
  });
  dev.declare(
    'new podlumi.Pod("web", { name: "web", image: "org/app:1", gpu: { id: "NVIDIA L4" }, adopt: { name: "trainer" } });',
  );
  await patch(emulator, `pods/${id}`, { name: "web" });
  expect((await dev.pulumi("preview")).printed).toContain(`write adopt: "${id}"`);
});

describe("what the program begins to read (`get`) in place of declaring it", () => {
  const others: [string, string, string, string][] = [
    ["with another provider", 'const lab = new podlumi.Provider("lab");', "podlumi", ", { provider: lab }"],
    ["with the other face", "", `require("${onPlugin ? "podlumi" : "podlumi/plugin"}")`, ""],
  ];
  test.each(runsAll ? others : others.slice(0, 1))(
    "is not deleted: %s",
    async (_title, provider, face, more) => {
      dev.environment.PATH = [resolve("dist/plugin"), process.env.PATH].join(delimiter);
      await dev.up(volume);
      const id = idOf(volumes());
      dev.declare(provider, `${face}.NetworkVolume.get("archive", "${id}"${more});`);
      expect((await up()).printed).toMatch(
        /could not delete .* the program reads it .*\[PODLUMI-STILL-READ\]/,
      );
      expect(volumes()).toMatchObject([{ id }]);
    },
  );
});

testLong(
  "a replacement after a rename, of the stack or of the resource, deletes the object that was replaced",
  async () => {
    await dev.up(pod);
    const other = pod.replace("NVIDIA L4", "NVIDIA A40");
    await dev.pulumi("stack", "rename", "prod");
    await dev.up(other);
    expect(pods()).toHaveLength(1);
    await dev.up(pod.replace('"web"', '"app"').replace(" });", ' }, { aliases: [{ name: "web" }] });'));
    expect(pods()).toHaveLength(1);
    expect(pods()).toMatchObject([{ gpu: { id: "NVIDIA L4" } }]);
  },
);

test("the preview names what the state has lost together with its provider, which no up takes over", async () => {
  await dev.up(volume);
  const id = idOf(volumes());
  await dev.pulumi("state", "delete", "--all", "--yes");
  const told = new RegExp(`\\(${id}\\) already, .* write adopt: "${id}".*\\[PODLUMI-NAMESAKE\\]`);
  expect((await dev.pulumi("preview")).printed).toMatch(told);
  dev.declare(volume.replace("{", `{ adopt: "${id}",`));
  expect(await up()).toMatchObject({ ok: true });
  expect(volumes()).toMatchObject([{ id }]);
});

test("the end of a destroy tells of a global volume that was left, since it costs money", async () => {
  const secret = 'new podlumi.Secret("token", { value: "hunter22" });';
  await dev.up('new podlumi.GlobalVolume("models", {}, { retainOnDelete: true });', secret);
  await dev.up(secret);
  const { printed } = await dev.pulumi("destroy", "--yes", "--skip-preview");
  const [{ id } = { id: "" }] = emulator.service.globalVolumes.list();
  expect(printed).toMatch(
    new RegExp(`global volume "models-\\S+" \\(${id}\\) is of this stack.*\\[PODLUMI-ORPHAN\\]`),
  );
});

testLong(
  "one 404 of the list creates no second global volume beside the one that carries the mark",
  async () => {
    await dev.up('new podlumi.GlobalVolume("models", {});');
    const urn = `urn:pulumi:dev::specification::${typeOfKind("GlobalVolume")}::models`;
    await dev.pulumi("state", "delete", urn, "--yes");
    const match = { method: "GET", path: "/global-volumes" };
    emulator.faults.add({ match, when: "before", what: { status: 404 } });
    await up();
    expect(emulator.service.globalVolumes.list()).toHaveLength(1);
    expect((await up()).ok).toBe(true);
    expect(emulator.service.globalVolumes.list()).toHaveLength(1);
  },
);

testLong(
  "generate leaves out what a state has, which a name of the program's own does not show",
  async () => {
    await dev.up(
      'new podlumi.GlobalVolume("models", { name: "models" }); new podlumi.SshKeys("team", { keys: ["ssh-ed25519 AAAA ada"] });',
    );
    const { printed } = await dev.podlumi("generate", "--adopt");
    expect(printed).toMatch(
      /left out, in the state of \S+\/dev: SshKeys ssh-keys, .*GlobalVolume "models" \(\w+\).* Take them out of that state first \(`pulumi state delete`\)$/m,
    );
    expect(printed).not.toContain("new podlumi.GlobalVolume");
    expect((await dev.podlumi("generate", "--adopt", "--marked")).printed).toContain(
      "new podlumi.GlobalVolume",
    );
  },
);

testLong(
  "where the engine is called by its path, and the program lies elsewhere, the state is asked all the same",
  async () => {
    const archive = volume
      .replace('"data"', '"archive"')
      .replace(" });", ' }, { aliases: [{ name: "data" }] });');
    await dev.up(volume);
    const id = idOf(volumes());
    await dev.up(archive);
    dev.declare(archive, volume.replace("20", "30"));
    const [engine = ""] = (process.env.PATH ?? "")
      .split(":")
      .filter((folder) => folder.includes("/podlumi/engine/"));
    const ended = await dev.run(`${engine}/pulumi`, ["up", "--yes", "--skip-preview", "--non-interactive"], {
      PATH: (process.env.PATH ?? "")
        .split(":")
        .filter((folder) => folder !== engine)
        .join(":"),
    });
    expect(ended).toMatchObject({ ok: true });
    expect(volumes()).toHaveLength(2);
    expect(volumes()).toContainEqual(expect.objectContaining({ id, size: 20 }));
  },
);

testLong(
  "a run after a kill finds what a lagging list does not show yet, also where the machine's clock is behind",
  async () => {
    clock.pass(3_600_000);
    dev.declare(pod);
    await killedUp({ method: "POST", path: "/pods" });
    await new Promise((tick) => setTimeout(tick, 200));
    const id = idOf(pods());
    await dev.elsewhere();
    emulator.faults.add({
      match: { method: "GET", path: "/pods" },
      when: "before",
      what: { answer: { status: 200, body: { pods: [] } } },
    });
    setTimeout(() => emulator.faults.clear(), 12_000);
    expect(await up()).toMatchObject({ ok: true });
    expect(pods()).toMatchObject([{ id }]);
  },
);

testLong("a volume that reads do not show right after it was created stays in the state", async () => {
  await dev.up(volume.replace("{ size", '{ name: "datasets", size'));
  emulator.faults.add({ match: { method: "GET" }, when: "before", what: { lag: 20_000 } });
  setTimeout(() => emulator.faults.clear(), 10_000);
  const refreshed = await dev.pulumi("refresh", "--yes", "--skip-preview");
  expect(refreshed.printed).not.toMatch(/deleted/);
  expect((await dev.pulumi("stack", "export")).printed).toContain(idOf(volumes()));
});
