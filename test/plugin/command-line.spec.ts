import { setTimeout } from "node:timers/promises";
import { runsAll } from "../engine/runs-all";
import { emulatedProject, emulator, project } from "../harness/emulated";
import { testLong } from "../harness/long";

emulatedProject("each");

beforeEach(() => {
  project.file(
    "Pulumi.yaml",
    `name: specification
runtime: { name: nodejs, options: { typescript: false } }
main: index.js
plugins:
  providers: [{ name: podlumi, path: node_modules/podlumi/dist/plugin }]
`,
  );
});

test("Ctrl-C ends the waiting at once, and the state has the id", async () => {
  project.write(`
    const podlumi = require("podlumi/plugin");
    new podlumi.Pod("slow", { image: "org/app:1", gpu: { id: "NVIDIA L4" }, waitTimeout: 600 });
  `);
  emulator.service.timings.starting = 600_000;
  const up = project.pulumi("up", "--yes", "--skip-preview");
  while (emulator.service.snapshot().pods.length === 0) await setTimeout(50);
  await setTimeout(1_000);
  const began = Date.now();
  project.interrupt();
  const { ok, printed } = await up;
  expect(ok).toBe(false);
  expect(Date.now() - began).toBeLessThan(10_000);
  expect(printed).toMatch(/exists but is not ready: it was cancelled[\s\S]*\[PODLUMI-CANCELLED\]/);

  emulator.service.timings.starting = 20;
  const [pod] = emulator.service.snapshot().pods;
  const { printed: state } = await project.pulumi("stack", "export");
  expect(state).toContain(`"id": "${pod?.id}"`);
});

testLong("Ctrl-C ends a delete without an answer, and the next destroy deletes", async () => {
  project.write(`
    const podlumi = require("podlumi/plugin");
    new podlumi.NetworkVolume("data", { size: 10, dataCenter: "EU-RO-1" });
  `);
  await project.pulumi("up", "--yes", "--skip-preview");

  emulator.faults.add({ match: { method: "DELETE" }, when: "before", what: { hang: true } });
  const destroy = project.pulumi("destroy", "--yes", "--skip-preview");
  while (!emulator.requests.some(({ method }) => method === "DELETE")) await setTimeout(20);
  const began = Date.now();
  project.interrupt();
  expect(await destroy).toMatchObject({
    ok: false,
    printed: expect.stringMatching(
      /could not delete network volume [^\n]*it was cancelled[^\n]*\[PODLUMI-CANCELLED\]/,
    ),
  });
  expect(Date.now() - began).toBeLessThan(15_000);

  emulator.faults.clear();
  expect(emulator.service.volumes.list()).toHaveLength(1);
  expect(await project.pulumi("destroy", "--yes", "--skip-preview")).toMatchObject({ ok: true });
  expect(emulator.service.volumes.list()).toEqual([]);
});

testLong("a key of the configuration that podlumi does not know is refused at the provider", async () => {
  project.write(
    'new (require("podlumi/plugin").NetworkVolume)("data", { size: 10, dataCenter: "EU-RO-1" });',
  );
  await project.pulumi("config", "set", "podlumi:apiUri", "https://api.example");
  const { ok, printed } = await project.pulumi("preview");
  expect(ok).toBe(false);
  expect(printed).toContain('unknown configuration key podlumi:apiUri; did you mean "podlumi:apiUrl"? [');
});

testLong("after Ctrl-C in the middle of a create, the next run takes over what it created", async () => {
  project.write(
    'new (require("podlumi/plugin").Pod)("web", { image: "org/app:1", gpu: { id: "NVIDIA L4" } });',
  );
  const later = { later: 4_000, reset: true } as const;
  emulator.faults.add({ match: { method: "POST", path: "/pods" }, when: "before", what: later });
  const up = project.pulumi("up", "--yes", "--skip-preview");
  while (!emulator.requests.some(({ method }) => method === "POST")) await setTimeout(20);
  await setTimeout(500);
  project.interrupt();
  await up;
  const { ok } = await project.pulumi("up", "--yes", "--skip-preview");
  expect(ok).toBe(true);
  await setTimeout(4_000);
  expect(emulator.service.snapshot().pods).toHaveLength(1);
});

const settings = [
  ["pattern", "x-${name}", "x-data"],
  ["mode", "verbatim", "data"],
] as const;
test.each(runsAll ? settings : settings.slice(0, 1))(
  "names follow pulumi:autonaming: %s %s",
  async (key, value, name) => {
    project.write(
      'new (require("podlumi/plugin").NetworkVolume)("data", { size: 10, dataCenter: "EU-RO-1" });',
    );
    await project.pulumi("config", "set", "--path", `pulumi:autonaming.${key}`, value);
    expect(await project.pulumi("up", "--yes", "--skip-preview")).toMatchObject({ ok: true });
    expect(emulator.service.volumes.list()).toMatchObject([{ name }]);
  },
);
