import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { patch, send } from "../harness/account";
import { emulator } from "../harness/emulated";
import { typeOfKind } from "../harness/face";
import { dev, idOf, killedUp, pod, pods, up, volume, volumes } from "./dev-stack";

// An object in a state belongs to its resource. No other resource, stack or sweep may take it.

test("a resource adopts what another resource of the stack leaves, and nothing that one keeps", async () => {
  await dev.up(volume);
  const id = idOf(volumes());
  const adopting = (name: string, more = "") =>
    `new podlumi.NetworkVolume("${name}", { size: 20, dataCenter: "EU-RO-1", adopt: "${id}" }${more});`;
  dev.declare(volume, adopting("datasets"));
  const refused = /is NetworkVolume "(data|datasets)" already\. To rename that resource, use aliases/;
  expect((await dev.pulumi("preview")).printed).toMatch(refused);
  expect(await up()).toMatchObject({ ok: false, printed: expect.stringMatching(refused) });
  dev.declare(adopting("datasets"));
  expect(await up()).toMatchObject({
    ok: true,
    printed: expect.stringMatching(
      new RegExp(`keeps the network volume ${id}, which NetworkVolume "datasets" has`),
    ),
  });
  expect(volumes()).toMatchObject([{ id }]);
  dev.declare('const lab = new podlumi.Provider("lab");', adopting("archive", ", { provider: lab }"));
  expect(await up()).toMatchObject({ ok: true });
  expect(volumes()).toMatchObject([{ id, name: expect.stringMatching(/^archive-/) }]);
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

test("a replacement after a rename, of the stack or of the resource, deletes the object that was replaced", async () => {
  await dev.up(pod);
  const other = pod.replace("NVIDIA L4", "NVIDIA A40");
  await dev.pulumi("stack", "rename", "prod");
  await dev.up(other);
  expect(pods()).toHaveLength(1);
  await dev.up(pod.replace('"web"', '"app"').replace(" });", ' }, { aliases: [{ name: "web" }] });'));
  expect(pods()).toHaveLength(1);
  expect(pods()).toMatchObject([{ gpu: { id: "NVIDIA L4" } }]);
});

test("one 404 of the list creates no second global volume beside the one that carries the mark", async () => {
  await dev.up('new podlumi.GlobalVolume("models", {});');
  const urn = `urn:pulumi:dev::specification::${typeOfKind("GlobalVolume")}::models`;
  await dev.pulumi("state", "delete", urn, "--yes");
  const match = { method: "GET", path: "/global-volumes" };
  emulator.faults.add({ match, when: "before", what: { status: 404 } });
  await up();
  expect(emulator.service.globalVolumes.list()).toHaveLength(1);
  expect((await up()).ok).toBe(true);
  expect(emulator.service.globalVolumes.list()).toHaveLength(1);
});

test("generate leaves out what a state has, which a name of the program's own does not show", async () => {
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
});

test("where nothing tells what is in the state, what a killed run has left is neither taken over nor created again", async () => {
  dev.declare(pod);
  await killedUp({ method: "POST", path: "/pods" });
  const id = idOf(pods());
  await dev.elsewhere();
  const folders = (process.env.PATH ?? "").split(delimiter);
  const engine = String(folders.find((folder) => existsSync(join(folder, "pulumi"))));
  // The engine calls itself by its path.
  const path = folders.filter((folder) => !existsSync(join(folder, "pulumi"))).join(delimiter);
  for (const command of [["preview"], ["up", "--yes", "--skip-preview"]])
    expect(
      await dev.run(join(engine, "pulumi"), [...command, "--non-interactive"], { PATH: path }),
    ).toMatchObject({
      ok: false,
      printed: expect.stringMatching(
        new RegExp(
          `\\(${id}\\) .* write adopt: "${id}" or run \`npx podlumi sweep\`.*\\[PODLUMI-STATE-UNKNOWN\\]`,
        ),
      ),
    });
  expect(pods()).toMatchObject([{ id }]);
  expect(await up()).toMatchObject({ ok: true });
  expect(pods()).toMatchObject([{ id }]);
});

test("a volume that reads do not show right after it was created stays in the state", async () => {
  await dev.up(volume.replace("{ size", '{ name: "datasets", size'));
  emulator.faults.add({ match: { method: "GET" }, when: "before", what: { lag: 20_000 } });
  setTimeout(() => emulator.faults.clear(), 10_000);
  const refreshed = await dev.pulumi("refresh", "--yes", "--skip-preview");
  expect(refreshed.printed).not.toMatch(/deleted/);
  expect((await dev.pulumi("stack", "export")).printed).toContain(idOf(volumes()));
});
