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
