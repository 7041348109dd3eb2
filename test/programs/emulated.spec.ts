import { type Emulator, startEmulator } from "../../sdk/emulator/service";
import { Project } from "../harness/project";

// An emulator is an account of its own, with another id at each start: nothing else keeps it and the account of a stack apart.

let emulator: Emulator;
let project: Project;
beforeAll(async () => {
  // Stands for the service.
  emulator = await startEmulator();
  project = new Project(emulator);
});
afterAll(async () => {
  await emulator.close();
  project.remove();
});

const declared = `const data = new podlumi.NetworkVolume("data", { size: 10, dataCenter: "EU-RO-1" });`;
const added = `new podlumi.Template("added", { image: "org/app:1" }, { dependsOn: data });`;
const without = (...command: string[]) => project.pulumi(...command, "--yes");
const within = (...command: string[]) =>
  project.podlumi("emulator", "--fast", "--", "pulumi", ...command, "--non-interactive");
const ids = async () => (await project.pulumi("stack", "--show-ids")).printed.match(/ID: \S+/g);
const refused = {
  ok: false,
  printed: expect.stringMatching(
    /the API key is of the account user\d+emulator, not of user\d+emulator, .* \[PODLUMI-OTHER-ACCOUNT\]/,
  ),
};

test("a command that the emulator runs neither changes nor takes out of the state what an account has, and creates nothing beside it", async () => {
  await project.pulumi("stack", "init", "real");
  await project.up(declared);
  const before = await ids();
  project.declare(declared, added);
  for (const command of [
    ["preview"],
    ["up", "--yes"],
    ["up", "--yes", "--refresh", "--skip-preview"],
    ["destroy", "--yes"],
  ])
    expect(await within(...command)).toMatchObject(refused);
  expect(await ids()).toEqual(before);
  await project.up(declared);
  expect((await without("destroy")).ok).toBe(true);
});

test("what an emulator had is not taken to be gone by one that was started after it, nor by an account", async () => {
  await project.pulumi("stack", "init", "try");
  project.declare(declared);
  const tried = await startEmulator();
  expect(
    await project.run("pulumi", ["up", "--yes", "--skip-preview", "--non-interactive"], tried.env),
  ).toMatchObject({ ok: true });
  await tried.close();
  const before = await ids();
  for (const command of [["refresh"], ["destroy"]]) {
    expect(await without(...command)).toMatchObject(refused);
    expect(await within(...command, "--yes")).toMatchObject(refused);
  }
  expect(await ids()).toEqual(before);
  expect(await without("state", "delete", "--all")).toMatchObject({ ok: true });
});
