import { allowedDataCenters } from "../../sdk/policy/placement";
import { violations } from "./violations";

test("what global volumes store is in no data center, so they and their endpoints violate a policy of data centers", async () => {
  const policy = allowedDataCenters({ allowed: ["EU-RO-1", "EU-SE-1"] });
  expect(await violations(policy, "GlobalVolume", { name: "models" })).toEqual([
    "a global volume is in no data center: use a NetworkVolume in EU-RO-1, EU-SE-1",
  ]);
  const placed = { dataCenterIds: ["EU-RO-1"] };
  expect(await violations(policy, "ServerlessEndpoint", { ...placed, globalVolumes: ["gsb_1"] })).toEqual([
    "globalVolumes are in no data center: use networkVolumes in EU-RO-1, EU-SE-1",
  ]);
  expect(await violations(policy, "ServerlessEndpoint", { ...placed, globalVolumes: [] })).toEqual([]);
});

test("an endpoint or a pod with a network volume, and without a data center, is told to write that of the volume", async () => {
  const policy = allowedDataCenters({ allowed: ["EU-RO-1", "EU-SE-1"] });
  const told =
    "dataCenterIds names none: write the data center of its network volume there, which has to be of EU-RO-1, EU-SE-1";
  expect(await violations(policy, "ServerlessEndpoint", { networkVolumes: ["vol_1"] })).toEqual([told]);
  const mounts = { network: [{ volumeId: "vol_1", path: "/data" }] };
  expect(await violations(policy, "Pod", { gpu: { id: "NVIDIA L4" }, mounts })).toEqual([told]);
  expect(await violations(policy, "Pod", { gpu: { id: "NVIDIA L4" } })).toEqual([
    "dataCenterIds names none, so it could be in any: choose from EU-RO-1, EU-SE-1",
  ]);
});
