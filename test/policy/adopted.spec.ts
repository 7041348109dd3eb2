import type { ResourceValidationPolicy } from "@pulumi/policy";
import * as pulumi from "@pulumi/pulumi";
import type { KindName } from "../../provider/resources";
import { maxHourlyCost } from "../../sdk/policy/cost";
import { allowedClouds } from "../../sdk/policy/placement";
import { maxWorkers, noPublicTemplates } from "../../sdk/policy/settings";
import { prices } from "../cost/prices";
import { type Properties, violations } from "./violations";

beforeAll(() =>
  pulumi.runtime.setMocks({ call: () => prices as never, newResource: () => ({ id: "", state: {} }) }),
);

const gpu = { id: "NVIDIA GeForce RTX 4090" };
const pools = { pools: ["ADA_24"] };
const kept = "is not declared, so an adopted object keeps what it has, which is not known here:";
const open = (usd: number, names: string) =>
  `the cost is not known, so it may be more than ${usd} USD an hour: an adopted object keeps what the program ` +
  `leaves out: declare ${names}`;

describe("an adopted object violates a policy by what the program leaves out, and passes by what it declares:", () => {
  test.each<
    [policy: ResourceValidationPolicy, kind: KindName, lacks: Properties, has: Properties, text: string]
  >([
    [
      allowedClouds({ allowed: ["SECURE"] }),
      "Pod",
      { gpu },
      { gpu, cloud: "SECURE" },
      `cloud ${kept} choose from SECURE`,
    ],
    [
      maxWorkers({ max: 3 }),
      "ServerlessEndpoint",
      { gpu: pools, workers: { idleTimeout: 5 } },
      { gpu: pools, workers: { max: 3 } },
      `workers.max ${kept} set it to 3 or less`,
    ],
    [noPublicTemplates(), "Template", {}, { public: false }, `public ${kept} set it to false`],
    [
      maxHourlyCost({ usd: 0.5 }),
      "Pod",
      { gpu },
      { gpu: { ...gpu, count: 2 }, cloud: "SECURE", mounts: {} },
      open(0.5, "gpu.count, cloud, mounts"),
    ],
    [
      maxHourlyCost({ usd: 1.2 }),
      "ServerlessEndpoint",
      { gpu: pools },
      { gpu: { ...pools, count: 1 }, workers: { max: 3 } },
      open(1.2, "gpu.count, workers.max"),
    ],
  ])("%j", async (policy, kind, lacks, has, text) => {
    expect(await violations(policy, kind, { ...lacks, adopt: "4m7x2k9q" })).toEqual([text]);
    expect(await violations(policy, kind, { ...has, adopt: "4m7x2k9q" })).toEqual([]);
    expect(await violations(policy, kind, lacks)).toEqual([]);
  });
});

test("an adopted pod fits one of its placements, so their defaults decide", async () => {
  const pod = { placements: [{ gpu }], mounts: {}, adopt: "7h9k" };
  expect(await violations(allowedClouds({ allowed: ["SECURE"] }), "Pod", pod)).toEqual([]);
  expect(await violations(allowedClouds({ allowed: ["COMMUNITY"] }), "Pod", pod)).toEqual([
    'placements[0].cloud is "SECURE", which is not allowed: choose from COMMUNITY',
  ]);
  expect(await violations(maxHourlyCost({ usd: 0.25 }), "Pod", pod)).toEqual([]);
});
