import * as pulumi from "@pulumi/pulumi";
import { type AccountMocks, mocks } from "podlumi/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

// Vitest: vitest run test/vitest.test.ts

let account: AccountMocks;
beforeEach(async () => {
  account = await mocks();
  await pulumi.runtime.setMocks(account, "shop", "dev");
});
afterEach(() => account.close());

const known = <T>(output: pulumi.Output<T>) => new Promise<T>((resolve) => output.apply(resolve));

test("a service is an endpoint that runs its template", async () => {
  // Loaded here, because Pulumi has to know the mocks before the program runs.
  const { InferenceService } = await import("../inference-service");
  const { url } = new InferenceService("small", { model: "Qwen/Qwen3-4B", maxWorkers: 2 });
  expect(await known(url)).toMatch(/^https:\/\/api\.runpod\.ai\/v2\/.*\/runsync$/);
  expect(account.snapshot()).toMatchObject({
    templates: [{ env: { MODEL_NAME: "Qwen/Qwen3-4B" } }],
    endpoints: [{ image: "runpod/worker-v1-vllm:v2.8.0stable-cuda12.1.0", workers: { min: 0, max: 2 } }],
  });
});

test("a model without a name is refused, as a preview would do it", async () => {
  const refused = account.newResource({
    type: "podlumi:index:Template",
    name: "worker",
    inputs: { serverless: true },
  });
  await expect(refused).rejects.toThrow(/^worker is refused: image: /);
});
