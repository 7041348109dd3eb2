import * as pulumi from "@pulumi/pulumi";
import * as podlumi from "podlumi";
import { type AccountMocks, mocks } from "podlumi/testing";
import { prices } from "./prices";

let account: AccountMocks;
let ids: Record<string, string>;
beforeAll(async () => {
  account = await mocks();
  ids = await account.seed({
    pods: [
      {
        as: "pod",
        name: "old",
        image: "a:1",
        gpu: { id: "NVIDIA GeForce RTX 4090", count: 4 },
        cloud: "COMMUNITY",
      },
    ],
    endpoints: [
      {
        as: "llm",
        name: "llm",
        image: "a:1",
        type: "QUEUE",
        gpu: { pools: ["ADA_24"], count: 2 },
        workers: { min: 4, max: 8 },
        scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
      },
    ],
  });
  await pulumi.runtime.setMocks({ ...account, call: () => prices as never }, "shop", "dev");
});
afterAll(() => account.close());

const known = <T>(output: pulumi.Output<T>) => new Promise<T>((resolve) => output.apply(resolve));

test("an estimate counts what the adopted objects have where the program leaves it out", async () => {
  const gpu = pulumi.output({ id: "NVIDIA GeForce RTX 4090" });
  const pod = new podlumi.Pod("pod", { adopt: ids.pod, image: "a:1", gpu });
  expect((await known(pod.estimatedCost)).why).toMatch(/^4 × NVIDIA GeForce RTX 4090 at 0.192 USD an hour, /);
  const llm = new podlumi.ServerlessEndpoint("llm", {
    adopt: ids.llm,
    image: "a:1",
    type: "QUEUE",
    gpu: { pools: ["ADA_24"] },
    workers: { idleTimeout: 5 },
    scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
  });
  expect((await known(llm.estimatedCost)).why).toMatch(
    /^4 to 8 workers of 2 × ADA_24 GPU at 0.36 USD an hour, /,
  );
});
