import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import * as pulumi from "@pulumi/pulumi";
import { type AccountMocks, mocks } from "podlumi/testing";

// The test runner of Node.js: node --import tsx --test test/node.test.ts

let account: AccountMocks;
beforeEach(async () => {
  account = await mocks();
  await pulumi.runtime.setMocks(account, "shop", "dev");
});
afterEach(() => account.close());

const known = <T>(output: pulumi.Output<T>) => new Promise<T>((resolve) => output.apply(resolve));

test("a service is an endpoint that runs its template", async () => {
  // Loaded here, because Pulumi has to know the mocks before the program runs.
  const { InferenceService } = require("../inference-service") as typeof import("../inference-service");
  const { url } = new InferenceService("small", { model: "Qwen/Qwen3-4B", maxWorkers: 2 });
  assert.match(await known(url), /^https:\/\/api\.runpod\.ai\/v2\/.*\/runsync$/);
  const { endpoints, templates } = account.snapshot();
  assert.equal(templates[0]?.env.MODEL_NAME, "Qwen/Qwen3-4B");
  assert.equal(endpoints[0]?.image, templates[0]?.image);
  assert.equal(endpoints[0]?.workers.max, 2);
});

test("a model without a name is refused, as a preview would do it", async () => {
  const args = { type: "podlumi:index:Template", name: "worker", inputs: { serverless: true } };
  await assert.rejects(async () => account.newResource(args), /^Error: worker is refused: image: /);
});
