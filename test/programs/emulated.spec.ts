import { type Emulator, startEmulator } from "../emulator";
import { testLong } from "../harness/long";
import { Project } from "../harness/project";

// Commands that the emulator runs, on stacks of an account, and the other way round.

let emulator: Emulator;
let project: Project;
beforeAll(async () => {
  emulator = await startEmulator();
  project = new Project(emulator);
});
afterAll(async () => {
  await emulator.close();
  project.remove();
});

const declared = `new podlumi.NetworkVolume("data", { size: 10, dataCenter: "EU-RO-1" });`;
const added = `new podlumi.Template("added", { image: "org/app:1" }, { dependsOn: data });`;
const without = (...command: string[]) => project.pulumi(...command, "--yes");
const within = (...command: string[]) =>
  project.podlumi("emulator", "--fast", "--", "pulumi", ...command, "--non-interactive");
// In a shell with the settings that it prints.
const pasted = (...command: string[]) =>
  project.run("pulumi", [...command, "--yes", "--non-interactive"], { PODLUMI_EMULATED: "1" });
const ids = async () => (await project.pulumi("stack", "--show-ids")).printed.match(/ID: \S+/g);

test("a command that the emulator runs neither changes nor takes out of the state what an account has, and creates nothing after it", async () => {
  await project.pulumi("stack", "init", "real");
  await project.up(declared);
  const before = await ids();
  project.declare(`const data = ${declared}`, added);
  for (const command of [
    ["preview"],
    ["up", "--yes"],
    ["up", "--yes", "--refresh", "--skip-preview"],
    ["destroy", "--yes"],
  ]) {
    const { ok, printed } = await within(...command);
    expect(printed).toMatch(/leaves network volume "data-\S+" \(\S+\) alone: .* \[PODLUMI-EMULATED\]/);
    expect(printed).not.toMatch(/added/);
    expect(ok).toBe(false);
  }
  expect(await ids()).toEqual(before);
  await project.up(declared);
  expect((await without("destroy")).ok).toBe(true);
});

testLong(
  "what a command that the emulator runs has created is not taken to be gone from an account, and it empties the stack",
  async () => {
    await project.pulumi("stack", "init", "try");
    project.declare(declared);
    expect(await pasted("up", "--skip-preview")).toMatchObject({ ok: true });
    const before = await ids();
    for (const command of [["up"], ["refresh"], ["destroy"]]) {
      const { ok, printed } = await without(...command);
      expect(printed).toMatch(/the state says that it is the emulator's, .* \[PODLUMI-EMULATED\]/);
      expect(ok).toBe(false);
    }
    expect(await ids()).toEqual(before);
    expect(await pasted("destroy")).toMatchObject({ ok: true });
    expect(emulator.service.isEmpty()).toBe(true);
  },
);
