import * as podlumi from "podlumi";
import { emulatedStack, emulator, stack } from "../harness/emulated";
import { testLong } from "../harness/long";
import type { Run, RunFailure } from "../harness/stack";

emulatedStack("all", { apiKey: "right", workersQuota: 5 });

const image = "org/app:1";
const queue = { type: "QUEUE", scaling: { type: "QUEUE_DELAY", queueDelay: 4 } } as const;
const gpu = { pools: ["ADA_24"] };

/** The figures that the account has before each test. */
const figures = { workersQuota: 5, balance: 50, billingMode: "PREPAID" } as const;
beforeEach(() => {
  Object.assign(emulator.service, figures);
  emulator.requests.splice(0);
});

const asked = (path: RegExp) =>
  emulator.requests.filter((request) => path.test(request.path)).map((request) => request.path);
const ofAccount = /account|balance/;

/** What a command that has to fail prints. */
async function refused(command: Promise<Run>): Promise<string> {
  const outcome = await command.catch((error: RunFailure) => error);
  return outcome instanceof Error ? outcome.printed : "it did not fail";
}

const program =
  (more = 0) =>
  () => {
    new podlumi.Pod("trainer", { image, gpu: { id: "NVIDIA L4" } });
    for (let number = 0; number < more; number++)
      new podlumi.ServerlessEndpoint(`llm${number}`, { image, ...queue, gpu, workers: { max: 2 } });
  };

test("a preview asks once what the account allows, and says nothing where all is within it", async () => {
  const { warnings } = await stack.preview(program(2));
  expect(warnings).toEqual([]);
  expect(asked(ofAccount).sort()).toEqual(["/v2/account/limits", "/v2/billing/balance"]);
});

test("a preview fails where the quota of workers does not suffice, with the figures", async () => {
  const text = await refused(stack.preview(program(3)));
  expect(text).toMatch(
    /workers\.max.*all endpoints together could have 6 workers, and the account's quota is 5: this one 2; this run adds \w+ 2, \w+ 2\. Either lower.*\[PODLUMI-WORKERS\]/s,
  );
  expect(emulator.requests.every(({ method }) => method === "GET")).toBe(true);
});

testLong("a preview tells a wrong key by one request beside the catalog", async () => {
  const other = await stack.with({ RUNPOD_API_KEY: "wrong" });
  const volume = () => void new podlumi.NetworkVolume("data", { size: 10, dataCenter: "EU-RO-1" });
  expect(await refused(other.preview(volume))).toMatch(
    /GET \/account answered 401 .*Check the API key.* \[PODLUMI-UNAUTHORIZED\]/s,
  );
  expect(asked(/^\/v2\/(?!catalog)/)).toEqual(["/v2/account"]);
});

testLong(
  "an up without changes asks nothing, and what the quota does not allow fails before it is sent",
  async () => {
    const endpoint = (max: number) => () =>
      void new podlumi.ServerlessEndpoint("llm", { image, ...queue, gpu, workers: { max } });
    await stack.up(endpoint(4));
    emulator.requests.splice(0);
    await stack.up(endpoint(4));
    expect(emulator.requests).toEqual([]);
    expect(await refused(stack.up(endpoint(6)))).toMatch(
      /could have 6 workers, and the account's quota is 5/,
    );
    expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  },
);

testLong(
  "a replacement is counted beside the endpoint that it replaces, which may give its workers up before",
  async () => {
    const cpu = [{ id: "cpu3c", vcpuCount: 2 }];
    const endpoint = (on: object) => () =>
      void new podlumi.ServerlessEndpoint("llm", { image, ...queue, ...on, workers: { max: 4 } });
    await stack.up(endpoint({ gpu }));
    const { warnings } = await stack.preview(endpoint({ cpu }));
    expect(warnings).toEqual([
      expect.stringMatching(/^llm workers\.max: .*could have 8 .*: this one 4, llm-\w+ \(\w+\) 4/),
    ]);
    // As it says, the service refuses it.
    expect(await refused(stack.up(endpoint({ cpu })))).toContain("could not create serverless endpoint");
  },
);

testLong(
  "where an endpoint of the stack may give workers up later in the run, the quota is only warned of",
  async () => {
    const { warnings } = await stack.preview(() => {
      const asr = new podlumi.ServerlessEndpoint("asr", { image, ...queue, gpu, workers: { max: 3 } });
      const args = { image, ...queue, gpu, workers: { max: 1 } };
      new podlumi.ServerlessEndpoint("llm", args, { dependsOn: asr });
    });
    expect(warnings).toEqual([
      expect.stringMatching(
        /^asr workers\.max: .*could have 7 .*: this one 3, llm-\w+ \(\w+\) 4\. Either lower/,
      ),
    ]);
  },
);

testLong("workers move from one endpoint to another in one up, whichever is declared first", async () => {
  const endpoints = (asr: number, llm: number) => () => {
    for (const [name, max] of Object.entries({ asr, llm }))
      new podlumi.ServerlessEndpoint(name, { image, ...queue, gpu, workers: { max } });
  };
  const most = () =>
    emulator.service.endpoints
      .list()
      .map(({ name, workers }) => `${name.split("-")[0]} ${workers.max}`)
      .sort();
  await stack.up(endpoints(4, 1));
  await stack.up(endpoints(1, 4));
  expect(most()).toEqual(["asr 1", "llm 4"]);
  await stack.up(endpoints(4, 1));
  expect(most()).toEqual(["asr 4", "llm 1"]);
});
