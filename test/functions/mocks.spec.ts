import * as pulumi from "@pulumi/pulumi";
import * as podlumi from "podlumi";
import { revisionOf } from "../../provider/resources/template/derived";
import { type Emulator, startEmulator } from "../../sdk/emulator/service";
import { fast, send } from "../harness/account";

// Unit tests of programs. The account is there and its key is in the environment, so a request would succeed.

const before = process.env;
let account: Emulator;
beforeAll(async () => {
  account = await startEmulator(fast);
  process.env = { ...before, ...account.env };
  await send(account, "POST", "pods", {
    name: "kept",
    image: "org/app:1",
    gpu: { id: "NVIDIA GeForce RTX 4090", count: 1 },
  });
  account.requests.length = 0;
});
afterAll(async () => {
  process.env = before;
  await account.close();
});

/** What the mocks are asked, and what they answer. */
function mocking(call: pulumi.runtime.Mocks["call"], preview = false) {
  const asked: pulumi.runtime.MockCallArgs[] = [];
  const mocks: pulumi.runtime.Mocks = {
    call: (args) => {
      asked.push(args);
      return call(args);
    },
    newResource: ({ inputs, name }) => ({ id: `${name}-id`, state: inputs }),
  };
  pulumi.runtime.setMocks(mocks, "shop", "dev", preview);
  return asked;
}

const known = <T>(output: pulumi.Output<T>) => new Promise<T>((resolve) => output.apply(resolve));

test("mocks answer functions by their tokens, and lists by their names", async () => {
  const gpu = { id: "NVIDIA L4", name: "L4", memory: 24 };
  const asked = mocking(({ token }) => (token.endsWith("getGpuTypes") ? { gpus: [gpu] } : { ...gpu }));
  expect(await podlumi.getGpuTypes({ count: 2 })).toEqual([gpu]);
  expect(await known(podlumi.getGpuTypeOutput({ id: pulumi.output("NVIDIA L4") }))).toEqual(gpu);
  const provider = new podlumi.Provider("other", { apiKey: "rpa_OTHER" });
  await podlumi.getPod({ name: "trainer" }, { provider });
  expect(asked).toEqual([
    { token: "podlumi:index:getGpuTypes", inputs: { count: 2 } },
    { token: "podlumi:index:getGpuType", inputs: { id: "NVIDIA L4" } },
    {
      token: "podlumi:index:getPod",
      inputs: { name: "trainer" },
      provider: expect.stringMatching(/::other::other-id$/),
    },
  ]);
});

test("mocks answer actions, logs and the prices of estimates", async () => {
  const priced = { id: "NVIDIA L4", secure: true, community: false, price: { secure: 1, community: 0 } };
  const asked = mocking(({ token }) => {
    if (token.endsWith("Logs")) return { lines: [{ ts: "", source: "system", line: "hello" }] };
    return token.endsWith("terminatePod") ? {} : { id: "7h9k", gpus: [priced], cpus: [] };
  });
  expect(await podlumi.stopPod("7h9k")).toMatchObject({ id: "7h9k" });
  await podlumi.terminatePod("7h9k");
  const lines = [];
  for await (const { line } of podlumi.podLogs("7h9k", { tail: 1 })) lines.push(line);
  for await (const { line } of podlumi.workerLogs("4m7x", "w1")) lines.push(line);
  expect(lines).toEqual(["hello", "hello"]);
  const pod = new podlumi.Pod("pod", { image: "org/app:1", gpu: { id: "NVIDIA L4" } });
  expect(await known(pod.estimatedCost)).toMatchObject({ hourly: { atLeast: expect.any(Number) } });
  expect(asked.map(({ token, inputs }) => [token.split(":")[2], inputs])).toEqual([
    ["stopPod", { id: "7h9k" }],
    ["terminatePod", { id: "7h9k" }],
    ["podLogs", { id: "7h9k", tail: 1 }],
    ["workerLogs", { endpointId: "4m7x", workerId: "w1" }],
    ["getGpuTypes", {}],
    ["getCpuTypes", {}],
  ]);
});

test("what the mocks do not answer is refused with a code, and what they throw is told", async () => {
  const [pod] = account.service.pods.list();
  mocking(() => ({}));
  for (const call of [
    () => podlumi.getGpuTypes(),
    () => podlumi.getPod({ name: "kept" }),
    () => podlumi.cheapestGpu(),
    () => podlumi.stopPod(pod?.id ?? ""),
    () => podlumi.podLogs(pod?.id ?? "").next(),
  ])
    await expect(call()).rejects.toThrow(/the mocks of this test do not answer .*\[PODLUMI-NOT-MOCKED\]$/);
  mocking(() => ({ gpuTypes: [] }));
  await expect(podlumi.getGpuTypes()).rejects.toThrow("getGpuTypes with a list called gpus");
  mocking(() => {
    throw new Error("no such pod in this test");
  });
  await expect(podlumi.getPod({ name: "kept" })).rejects.toThrow(/^no such pod in this test$/);
});

describe("the revision of a template", () => {
  const settings = { image: "org/a:2" };
  const computed = revisionOf(settings);
  const { secret, unsecret } = pulumi;

  /** The revision in a program, and whether it is secret. The mocks answer as the engine does. */
  async function revisionWith(state: object, args: podlumi.TemplateArgs, preview: boolean) {
    const newResource = () => ({ id: "t", state });
    pulumi.runtime.setMocks({ call: () => ({}), newResource }, "shop", "dev", preview);
    const { revision } = new podlumi.Template("t", args);
    return [await known(unsecret(revision)), await pulumi.isSecret(revision)];
  }

  test.each([false, true])(
    "is what the state has, whatever the program says (preview: %s)",
    async (preview) => {
      expect(await revisionWith({ revision: "told" }, settings, preview)).toEqual(["told", false]);
    },
  );

  test.each([false, true])("is computed where nobody tells it (preview: %s)", async (preview) => {
    expect(await revisionWith({}, settings, preview)).toEqual([computed, false]);
  });

  test("is the same where the program passes a resource as where it passes its reference or its id", async () => {
    const newResource = ({ name }: pulumi.runtime.MockResourceArgs) => ({
      id: `${name}-id`,
      state: { name },
    });
    pulumi.runtime.setMocks({ call: () => ({}), newResource }, "shop", "dev", true);
    const token = new podlumi.Secret("token", { value: "hunter22" });
    const registry = new podlumi.RegistryAuth("ghcr", { username: "bot", password: "hunter22" });
    const revision = (args: object) =>
      known(unsecret(new podlumi.Template("t", { ...settings, ...args }).revision));
    const passed = await revision({ env: { TOKEN: token }, registry });
    expect(passed).toBe(await revision({ env: { TOKEN: token.reference }, registry: registry.id }));
    const env = { TOKEN: "{{ RUNPOD_SECRET_token }}" };
    expect(passed).toBe(revisionOf({ ...settings, env, registry: "ghcr-id" }));
  });

  test("is a secret when a setting is, and only then, also where the state has it as a secret", async () => {
    const told = { revision: secret("told") };
    expect(await revisionWith(told, settings, false)).toEqual(["told", false]);
    const env = { TOKEN: secret("hunter22") };
    expect(await revisionWith(told, { ...settings, env }, false)).toEqual(["told", true]);
  });
});

test("no function of a unit test reaches an account, whatever its mocks answer", async () => {
  const [pod] = account.service.pods.list();
  for (const preview of [false, true]) {
    for (const answer of [undefined, {}, { id: "x" }]) {
      mocking(() => answer as never, preview);
      await podlumi.terminatePod(pod?.id ?? "").catch(() => undefined);
      await podlumi.startPod(pod?.id ?? "").catch(() => undefined);
      await podlumi.getBilling().catch(() => undefined);
    }
  }
  expect(account.requests).toEqual([]);
  expect(account.service.pods.list()).toHaveLength(1);
});

test("a secret stands for its reference in the variables of a container, and for its id in an env of a job's input", async () => {
  const made: pulumi.runtime.MockResourceArgs[] = [];
  const newResource = (args: pulumi.runtime.MockResourceArgs) => {
    made.push(args);
    return { id: `${args.name}-id`, state: args.inputs };
  };
  pulumi.runtime.setMocks({ call: () => ({}), newResource }, "shop", "dev");
  const token = new podlumi.Secret("token", { name: "hf_token", value: "hunter22" });
  const env = { TOKEN: token };
  const endpoint = new podlumi.ServerlessEndpoint("llm", {
    type: "QUEUE",
    image: "org/worker:1",
    env,
    gpu: { pools: ["ADA_24"] },
    scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
    verify: { input: { env } as never },
  });
  await known(endpoint.urn);
  const inputs = made.find(({ name }) => name === "llm")?.inputs;
  expect(inputs).toMatchObject({
    env: { TOKEN: "{{ RUNPOD_SECRET_hf_token }}" },
    verify: { input: { env: { TOKEN: "token-id" } } },
  });
});
