import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { emulatedProject, emulator, project } from "../harness/emulated";

const data = 'new podlumi.NetworkVolume("data", { size: 20, dataCenter: "EU-RO-1" });';
const other = 'new podlumi.NetworkVolume("other", { size: 10, dataCenter: "EU-RO-1" });';

emulatedProject("each");

const names = () => emulator.service.volumes.list().map(({ name }) => name);

/** An up whose volume "data" is made, and whose provider dies before it hears of it. */
async function interrupted(): Promise<void> {
  project.declare(other);
  expect(await project.pulumi("up", "--yes", "--skip-preview")).toMatchObject({ ok: true });
  project.declare(other, data);
  emulator.faults.add({
    match: { method: "POST", path: "/network-volumes" },
    when: "after",
    what: { hang: true },
  });
  const up = project.pulumi("up", "--yes", "--skip-preview");
  while (!names().includes("data")) await new Promise((tick) => setTimeout(tick, 20));
  project.kill("provider");
  expect(await up).toMatchObject({ ok: false });
  emulator.faults.clear();
}

test("what an interrupted run made goes with the next up when its resource left the program", async () => {
  await interrupted();
  project.declare(other);
  await project.pulumi("preview");
  expect(names().sort()).toEqual(["data", "other"]);
  const { ok, printed } = await project.pulumi("up", "--yes", "--skip-preview");
  expect({ ok, printed }).toEqual({
    ok: true,
    printed: expect.stringMatching(
      /podlumi deleted the network volume "data" \(\w+\), which an interrupted run/,
    ),
  });
  expect(names()).toEqual(["other"]);
});

test("a destroy takes along what an interrupted run made", async () => {
  await interrupted();
  expect(await project.pulumi("destroy", "--yes")).toMatchObject({ ok: true });
  expect(emulator.service.isEmpty()).toBe(true);
});

test("a note that comes back, as from an old cache, does not cost what the state holds by now", async () => {
  const notes = join(project.folder, "home", "podlumi");
  const old = join(project.folder, "old-notes");
  emulator.on("before", { method: "POST", path: "/network-volumes" }, () =>
    cpSync(notes, old, { recursive: true }),
  );
  await project.up(data);
  cpSync(old, notes, { recursive: true });
  await project.up(data);
  expect(names()).toEqual(["data"]);
  expect(readdirSync(join(notes, "creating"))).toEqual([]);
});
