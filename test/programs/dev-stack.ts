import type { Match } from "../../sdk/emulator/service";
import { emulatedAccount, emulator, newProject } from "../harness/emulated";
import type { Project } from "../harness/project";

/** A project with the stack dev, in the account of the running test. */
export let dev: Project;

emulatedAccount();
beforeEach(async () => {
  dev = await newProject();
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
