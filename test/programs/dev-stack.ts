import { type Emulator, type Match, startEmulator } from "../emulator";
import { fast, PassingClock } from "../harness/account";
import { Project } from "../harness/project";

/** The emulated account of the running test, its clock, and a project with the stack dev. */
export let emulator: Emulator;
export let clock: PassingClock;
export let dev: Project;

beforeEach(async () => {
  clock = new PassingClock();
  emulator = await startEmulator({ ...fast, clock });
  dev = new Project(emulator);
  dev.inline = true;
  await dev.pulumi("stack", "init", "dev");
});
afterEach(async () => {
  await emulator.close();
  dev.remove();
});

export const volume = 'new podlumi.NetworkVolume("data", { size: 20, dataCenter: "EU-RO-1" });';
export const pod = 'new podlumi.Pod("web", { image: "org/app:1", gpu: { id: "NVIDIA L4" } });';
export const volumes = () => emulator.service.volumes.list();
export const pods = () => emulator.service.pods.list();
export const idOf = (all: { id: string }[]) => String(all[0]?.id);
export const up = () => dev.pulumi("up", "--yes", "--skip-preview");
export const sweep = (stack: string) => dev.podlumi("sweep", "--stack", stack, "--yes");

/** An up that ends with a request of this kind, as if the machine had lost its power. */
export async function killedUp(match: Match): Promise<void> {
  const stop = emulator.on("after", match, () => dev.kill("everything"));
  // The kill must not meet this process.
  dev.inline = false;
  await up();
  dev.inline = true;
  stop();
}
