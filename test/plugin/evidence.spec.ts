import * as pulumi from "@pulumi/pulumi";
import * as dynamic from "podlumi";
import * as podlumi from "podlumi/plugin";
import { runsAll } from "../engine/runs-all";
import { clock, emulatedStack, emulator, stack } from "../harness/emulated";
import { testLong } from "../harness/long";
import { TestStack, withPlugin } from "../harness/stack";

// What the plugin must not do to an account, its state or a preview.

emulatedStack("each", { env: withPlugin });

const idOf = async (name: string) =>
  String((await stack.resources()).find(({ urn }) => urn.endsWith(`::${name}`))?.id);
const changes = ({ steps }: { steps: readonly { op: string }[] }) => steps.filter(({ op }) => op !== "same");
const gpu = { id: "NVIDIA L4" };

testLong("a refresh after an import changes nothing, also of what the service never returns", async () => {
  const program = () => {
    new podlumi.Pod("web", {
      image: "org/app:1",
      gpu,
      startSsh: true,
      dataCenterIds: ["EU-RO-1"],
      mounts: { persistent: { size: 20, path: "/data" } },
    });
    new podlumi.Secret("token", { value: "hunter22" });
  };
  await stack.up(program);
  const other = await TestStack.create({ ...emulator.env, ...withPlugin });
  try {
    await other.import([
      { type: "podlumi:index:Pod", name: "web", id: await idOf("web") },
      { type: "podlumi:index:Secret", name: "token", id: await idOf("token") },
    ]);
    const { warnings } = await other.up(program);
    expect(warnings.join()).not.toContain("PODLUMI-DATA-LOSS");
    clock.pass(60_000);
    await other.refresh();
    expect(changes(await other.preview(program))).toEqual([]);
  } finally {
    other.remove();
  }
});

testLong("what another resource of the stack has imported is not deleted with this one", async () => {
  const args = { size: 50, dataCenter: "EU-RO-1" };
  const program = (name: string) => () => {
    new podlumi.NetworkVolume(name, args);
  };
  await stack.up(program("data"));
  const id = await idOf("data");
  await stack.import([{ type: "podlumi:index:NetworkVolume", name: "other", id }]);
  await stack.up(program("other"));
  expect(emulator.service.snapshot().networkVolumes).toMatchObject([{ id }]);
  expect(await idOf("other")).toBe(id);
});

testLong(
  "a refresh before the program is no reader: what the program read once, and reads no more, is deleted",
  async () => {
    const program = (gpu: string) => () => {
      const { id } = new podlumi.Pod("web", { image: "org/app:1", gpu: { id: gpu } });
      podlumi.Pod.get("same", id);
    };
    const pods = () => emulator.service.pods.list();
    await stack.up(program("NVIDIA L4"));
    await stack.up(program("NVIDIA A40"), { refresh: true });
    expect(pods()).toHaveLength(1);
    await stack.up(() => {}, { refresh: true });
    expect(pods()).toEqual([]);
  },
);

testLong("a first preview knows what a program only reads", async () => {
  await stack.up(() => {
    new podlumi.NetworkVolume("data", { size: 50, dataCenter: "EU-RO-1" });
  });
  const id = await idOf("data");
  const other = await TestStack.create({ ...emulator.env, ...withPlugin });
  try {
    const program = () => {
      const { id: given, size } = podlumi.NetworkVolume.get("data", id);
      return { size, again: podlumi.NetworkVolume.get("again", given).size };
    };
    expect((await other.preview(program)).outputs).toEqual({ size: 50, again: 50 });
    await other.up(program);
    const { results } = await other.refresh();
    expect(results.map(({ op }) => op)).toEqual(["same", "same"]);
  } finally {
    other.remove();
  }
});

test("the key is a secret in the state, also where the configuration has it in plain text", async () => {
  await stack.configure({ "podlumi:apiKey": { value: "rpa_plainkey" } });
  await stack.up(() => {
    new podlumi.NetworkVolume("data", { size: 50, dataCenter: "EU-RO-1" });
  });
  expect(JSON.stringify(await stack.resources())).not.toContain('"apiKey":"rpa_plainkey"');
});

/** The dynamic provider is told less: `npm run test:all` runs both. */
const faces: [string, typeof dynamic][] = [
  ["dynamic provider", dynamic],
  ...(runsAll ? [["plugin", podlumi as unknown as typeof dynamic] as [string, typeof dynamic]] : []),
];

testLong.each(faces)(
  "a value that becomes secret becomes one in the state: %s",
  async (_face, { Template }) => {
    const program = (value: pulumi.Input<string>) => () => {
      new Template("app", { image: "org/app:1", env: { WORD: value } });
    };
    await stack.up(program("hunter22"));
    await stack.up(program(pulumi.secret("hunter22")));
    const { outputs } = (await stack.resources()).find(({ urn }) => urn.endsWith("::app")) ?? {};
    expect(JSON.stringify(outputs?.env)).toContain("plaintext");
    expect(changes(await stack.preview(program(pulumi.secret("hunter22"))))).toEqual([]);
  },
);

testLong.each(faces)(
  "what a pod with data was asked for is kept without secrets in plain text: %s",
  async (_face, { Pod }) => {
    await stack.up(() => {
      const mounts = { persistent: { size: 20, path: "/data" } };
      new Pod("keeper", { image: "org/app:1", gpu, mounts, args: pulumi.secret("--token hunter22") });
    });
    expect((await stack.resources()).find(({ urn }) => urn.endsWith("::keeper"))?.outputs).toHaveProperty(
      "__asked",
    );
    expect(stack.leftBehind()).not.toContain("hunter22");
  },
);

test("a secret that is refused is not printed", async () => {
  const preview = stack.preview(() => {
    new podlumi.Pod("web", {
      image: "org/app:1",
      gpu,
      dataCenterIds: [pulumi.secret("hunter22!")],
    });
  });
  await expect(preview).rejects.toThrow(/dataCenterIds\[0\][^\n]*\[secret\]/);
  expect(stack.leftBehind()).not.toContain("hunter22!");
});

testLong("a preview does not know what an update clears", async () => {
  const program = (args: { args?: string }) => () => ({
    args: new podlumi.Template("app", { image: "org/app:1", ...args }).args,
  });
  await stack.up(program({ args: "--fast" }));
  const { outputs } = await stack.preview(program({}));
  expect(outputs.args).not.toBe("--fast");
});
