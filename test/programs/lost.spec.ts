import * as podlumi from "podlumi";
import { emulatedStack, stack } from "../harness/emulated";

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
  expect((await stack.preview(program(30, "NVIDIA L4"))).warnings).toEqual([]);
});
