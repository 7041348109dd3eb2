import * as podlumi from "podlumi";
import { patch } from "../harness/account";
import { emulatedStack, emulator, stack } from "../harness/emulated";

emulatedStack("all");

const program = (size: number, gpu: string) => () => {
  const data = new podlumi.NetworkVolume("data", { size, dataCenter: "EU-RO-1" });
  const pod = (name: string, mounts?: podlumi.PodArgs["mounts"]) =>
    new podlumi.Pod(name, { image: "org/app:1", gpu: { id: gpu }, mounts });
  pod("keeper", { persistent: { size: 20, path: "/data" } });
  pod("borrower", { network: [{ volumeId: data.id, path: "/data" }] });
  pod("nobody");
};

test("a preview warns of the data that a replacement loses, and of nothing else", async () => {
  await stack.up(program(20, "NVIDIA L4"));
  const replaced = await stack.preview(program(10, "NVIDIA A40"));
  expect([...replaced.warnings].sort()).toEqual([
    expect.stringMatching(
      /^data a change of size replaces the network volume \w+, and the data on it is lost with it unless retainOnDelete keeps it$/,
    ),
    expect.stringMatching(
      /^keeper a change of gpu replaces the pod \w+, and the data of mounts\.persistent is lost with it unless retainOnDelete keeps it$/,
    ),
  ]);
  // What replaces it is shown, and nothing that only the service says.
  expect(replaced.printed).toMatch(/~ size *: 20 => 10/);
  expect(replaced.printed).toMatch(/~ id *: "NVIDIA L4" => "NVIDIA A40"/);
  expect(replaced.printed).not.toMatch(/- (type|status|runtime|cost|actions) *:/);
  expect((await stack.preview(program(30, "NVIDIA L4"))).warnings).toEqual([]);
});

test("a refresh replaces nothing, and warns of nothing", async () => {
  await stack.up(program(20, "NVIDIA L4"));
  await patch(emulator, `network-volumes/${emulator.service.volumes.list()[0]?.id}`, { size: 44 });
  const { results, warnings } = await stack.refresh();
  expect(results.find(({ name }) => name === "data")?.differs).toEqual(["size"]);
  expect(warnings).toEqual([]);
  expect((await stack.preview(program(44, "NVIDIA L4"))).steps.map(({ op }) => op)).not.toContain("replace");
});
