import { readFileSync } from "node:fs";
import { emulator, newProject } from "../harness/emulated";
import { typeOfKind } from "../harness/face";
import { dev, idOf, pod, sweep, up, volume, volumes } from "./dev-stack";

// An object that another stack has or adopts. The provider sees that by the mark of the object alone.

const urnOfVolume = `urn:pulumi:dev::specification::${typeOfKind("NetworkVolume")}::data`;

test("what `pulumi state move` took to another stack is not swept, and a preview tells before it is taken back", async () => {
  await dev.up(volume, pod);
  const id = idOf(volumes());
  await dev.pulumi("stack", "init", "shared");
  await dev.moveState(urnOfVolume, "dev", "shared");
  await dev.pulumi("stack", "select", "dev");
  expect((await sweep("dev")).printed).toMatch(/nothing to delete/);
  const list = async (stack: string) =>
    (await dev.podlumi("ls", "volumes", "--stack", `specification/${stack}`)).printed;
  expect(await list("dev")).toMatch(new RegExp(`${id} .* in the state of specification/shared$`, "m"));
  expect(await list("shared")).toMatch(new RegExp(`${id} .* in the state$`, "m"));
  const { printed } = await dev.pulumi("refresh", "--yes", "--skip-preview");
  expect(printed).toContain("unchanged");
  expect(volumes()).toMatchObject([{ id }]);
  dev.declare(pod, volume.replace("20", "30"));
  expect((await dev.pulumi("preview")).printed).toMatch(
    new RegExp(
      `takes over the network volume "data-\\w+" \\(${id}\\) and changes size: it carries the mark of this resource`,
    ),
  );
  expect(volumes()).toMatchObject([{ id, size: 20 }]);
});

test("what `pulumi state move` took to a stack of another project is deleted with that", async () => {
  const shop = await newProject("unused");
  shop.environment.PULUMI_BACKEND_URL = dev.environment.PULUMI_BACKEND_URL;
  const settings = readFileSync(`${shop.folder}/Pulumi.yaml`, "utf8");
  shop.file("Pulumi.yaml", settings.replace("name: specification", "name: shop"));
  shop.declare();
  await shop.pulumi("stack", "init", "dev");
  await dev.up(volume, 'new podlumi.Template("base", { image: "org/app:1" });');
  const from = ["--source", "organization/specification/dev", "--dest", "organization/shop/dev"];
  await dev.pulumi("state", "move", ...from, urnOfVolume, "--yes");
  const { ok, printed } = await shop.pulumi("destroy", "--yes", "--skip-preview", "--stack", "dev");
  expect({ ok, printed }).toMatchObject({ ok: true });
  expect(volumes()).toEqual([]);
});

test("what another stack has adopted since is neither changed nor deleted by the one that created it", async () => {
  await dev.up(volume);
  const id = idOf(volumes());
  const shared = await newProject("shared");
  await shared.up(
    `new podlumi.NetworkVolume("datasets", { size: 20, dataCenter: "EU-RO-1", adopt: "${id}" });`,
  );
  dev.declare(volume.replace("20", "30"));
  const refused =
    /will not change .* belongs to another resource by now, .* Give this resource another logical name.*\[PODLUMI-ANOTHERS\]/;
  expect((await dev.pulumi("preview")).printed).toMatch(refused);
  expect((await up()).printed).toMatch(refused);
  expect(volumes()).toMatchObject([{ id, size: 20 }]);
  // As the error says. What depends on it would keep `pulumi state delete` from that.
  dev.declare(volume.replace('"data"', '"own"').replace("20", "30"));
  const { ok, printed } = await up();
  expect({ ok, printed }).toMatchObject({
    ok: true,
    printed: expect.stringMatching(
      /leaves the network volume \w+, which another resource has adopted \[PODLUMI-ANOTHERS\]/,
    ),
  });
  expect(volumes()).toMatchObject([{ id, size: 20 }, { size: 30 }]);
  dev.declare();
  expect(await up()).toMatchObject({ ok: true });
  expect(volumes()).toMatchObject([{ id }]);
});

test("what this stack has adopted from another one goes with it, while the state there still has it", async () => {
  await dev.up(volume);
  dev.declare(volume.replace("{", `{ adopt: "${idOf(volumes())}",`));
  await dev.pulumi("stack", "init", "shared");
  expect(await up()).toMatchObject({
    ok: true,
    printed: expect.stringMatching(/adopts .* its mark of ownership, which was that of another resource/),
  });
  expect(await dev.pulumi("destroy", "--yes", "--skip-preview")).toMatchObject({ ok: true });
  expect(volumes()).toEqual([]);
});

// What a list has told is taken for true for five seconds.
test("what another stack adopts while a deletion waits is not deleted", async () => {
  await dev.up(volume);
  const id = idOf(volumes());
  emulator.service.pods.create({
    name: "user",
    image: "org/app:1",
    gpu: { id: "NVIDIA L4", count: 1 },
    mounts: { network: [{ volumeId: id, path: "/data" }] },
  });
  await dev.pulumi("stack", "init", "prod");
  let theirs: Promise<unknown> | undefined;
  const stop = emulator.on("after", { method: "DELETE", path: `/network-volumes/${id}` }, () => {
    if (theirs !== undefined) return;
    dev.declare(`new podlumi.NetworkVolume("theirs", { size: 20, dataCenter: "EU-RO-1", adopt: "${id}" });`);
    theirs = dev.pulumi("up", "--yes", "--skip-preview", "--stack", "prod");
  });
  const destroyed = await dev.pulumi("destroy", "--yes", "--skip-preview", "--stack", "dev");
  stop();
  expect(await theirs).toMatchObject({ ok: true });
  expect(destroyed).toMatchObject({ ok: true, printed: expect.stringContaining("[PODLUMI-ANOTHERS]") });
  expect(volumes()).toMatchObject([{ id, name: expect.stringMatching(/^theirs-/) }]);
});

test("a secret that the pod of another stack refers to is deleted once that pod is gone", async () => {
  await dev.up('new podlumi.Secret("hf", { name: "hf", value: "VALUE-OF-SECRET" });');
  const apps = await newProject("apps");
  await apps.up(pod.replace("image:", 'env: { HF_TOKEN: "{{ RUNPOD_SECRET_hf }}" }, image:'));
  const destroyed = dev.pulumi("destroy", "--yes", "--skip-preview");
  await apps.pulumi("destroy", "--yes", "--skip-preview");
  expect(await destroyed).toMatchObject({ ok: true });
  const deleted = emulator.requests.filter(({ method }) => method === "DELETE").map(({ path }) => path);
  expect(deleted).toEqual([
    expect.stringMatching(/^\/v2\/pods\//),
    expect.stringMatching(/^\/v2\/account\/secrets\//),
  ]);
});
