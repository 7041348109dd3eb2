import * as pulumi from "@pulumi/pulumi";
import * as dynamic from "podlumi";
import * as podlumi from "podlumi/plugin";
import type { KindName } from "../../provider/resources";
import { clock, emulatedStack, emulator, stack } from "../harness/emulated";
import { testLong } from "../harness/long";
import { TestStack, withPlugin } from "../harness/stack";

emulatedStack("each", { env: withPlugin });

/** Every kind, by the classes of one face or of the other. */
const everything =
  (face: Pick<typeof dynamic, KindName>, size = 50) =>
  () => {
    const image = "org/app:1";
    const data = new face.NetworkVolume("data", { size, dataCenter: "EU-RO-1" });
    const login = new face.RegistryAuth("ghcr", { username: "bot", password: "hunter22" });
    const token = new face.Secret("token", { value: "hunter23" });
    new face.RegistryDelegation("ecr", {
      resource: "arn:aws:ecr:us-east-2:123456789012:repository/acme/worker:v1",
    });
    new face.SshKeys("keys", { keys: ["ssh-ed25519 AAAA ada@example.com"] });
    new face.Template("worker", { image, serverless: true, env: { TOKEN: token.reference } });
    new face.Pod("trainer", {
      image,
      gpu: { id: "NVIDIA L4" },
      registry: login.id,
      env: { OPEN: "open", HIDDEN: pulumi.secret("hunter24") },
      mounts: { network: [{ volumeId: data.id, path: "/workspace" }] },
      dataCenterIds: ["EU-RO-1"],
    });
    new face.ServerlessEndpoint("llm", {
      type: "QUEUE",
      image,
      gpu: { pools: ["ADA_24"] },
      scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
    });
    new face.Cluster("training", {
      image,
      type: "TRAINING",
      compute: { gpuTypeId: "NVIDIA H200", gpuCountPerPod: 8, podCount: 2 },
    });
  };

const ops = ({ steps }: { steps: readonly { op: string }[] }) => [...new Set(steps.map(({ op }) => op))];
const ids = async () =>
  new Map(
    (await stack.resources())
      .filter(({ type }) => /podlumi/.test(type) && !/provider/.test(type))
      .map(({ urn, id }) => [urn.split("::").at(-1), id]),
  );

testLong(
  "a stack moves from the dynamic provider to the plugin and back, and no object changes",
  async () => {
    await stack.up(everything(dynamic));
    const made = await ids();
    for (const [face, announced] of [
      [podlumi, "same"],
      // Its state needs to know again which handler serves it.
      [dynamic, "update"],
    ] as const) {
      expect(ops(await stack.preview(everything(face)))).toEqual([announced]);
      const before = emulator.requests.length;
      await stack.up(everything(face));
      const sent = emulator.requests.slice(before).map(({ method, path }) => `${method} ${path}`);
      expect(sent.filter((request) => !/^GET|graphql/.test(request))).toEqual([]);
      expect(ops(await stack.preview(everything(face)))).toEqual(["same"]);
      expect(await ids()).toEqual(made);
      clock.pass(60_000);
      const refreshed = await stack.refresh();
      expect(new Set(refreshed.results.map(({ op }) => op))).toEqual(new Set(["same"]));
    }
    await stack.destroy();
    expect(emulator.service.snapshot().pods).toEqual([]);
  },
);

test("no secret of the program is in the state or on the screen", async () => {
  await stack.up(everything(podlumi));
  await stack.preview(everything(podlumi, 60));
  await stack.refresh();
  expect(stack.leftBehind()).not.toMatch(/hunter2\d/);
});

test("what `pulumi import` takes in previews no change, for every kind", async () => {
  await stack.up(everything(podlumi));
  const made = (await stack.resources()).filter(({ type }) => type.startsWith("podlumi:index:"));
  const other = await TestStack.create({ ...emulator.env, ...withPlugin });
  try {
    await other.import(
      made.map(({ urn, type, id = "" }) => ({ type, id, name: urn.split("::").at(-1) ?? "" })),
    );
    const preview = await other.preview(everything(podlumi));
    expect(preview.steps.filter(({ op }) => op !== "same")).toEqual([]);
    expect(other.leftBehind()).not.toMatch(/hunter2[23]/);
  } finally {
    other.remove();
  }
});

describe("a pod that is slow to start", () => {
  const slow = (opts?: pulumi.CustomResourceOptions) => () => {
    new podlumi.Pod("slow", { image: "org/app:1", gpu: { id: "NVIDIA L4" }, waitTimeout: 600 }, opts);
  };
  beforeEach(() => {
    emulator.service.timings.starting = 600_000;
  });

  test("is waited for as long as customTimeouts say, which come before waitTimeout", async () => {
    await expect(stack.up(slow({ customTimeouts: { create: "1s" } }))).rejects.toThrow(
      /exists but is not ready: it is STARTING after 1 s instead of RUNNING[\s\S]*\[PODLUMI-NOT-READY\]/,
    );
    expect([...(await ids()).keys()]).toEqual(["slow"]);
  });
});

testLong("a stack with a provider of its own moves, too", async () => {
  const program =
    ({ Provider, NetworkVolume }: Pick<typeof podlumi, "Provider" | "NetworkVolume">) =>
    () => {
      const provider = new Provider("research", {});
      new NetworkVolume("data", { size: 50, dataCenter: "EU-RO-1" }, { provider });
    };
  await stack.up(program(dynamic as never));
  const made = await ids();
  await stack.up(program(podlumi));
  expect(await ids()).toEqual(made);
  expect(ops(await stack.preview(program(podlumi)))).toEqual(["same"]);
});

testLong("a preview of an update knows what stays, and the program that depends on it", async () => {
  const program = (image: string) => () => {
    const llm = new podlumi.ServerlessEndpoint("llm", {
      type: "QUEUE",
      image,
      gpu: { pools: ["ADA_24"] },
      scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
    });
    return { run: llm.requestUrls.runSync, image: llm.image };
  };
  const made = await stack.up(program("org/app:1"));
  const preview = await stack.preview(program("org/app:2"));
  expect(preview.outputs).toMatchObject({ run: made.outputs.run, image: "org/app:2" });
});
