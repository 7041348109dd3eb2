import { setTimeout as pause } from "node:timers/promises";
import * as pulumi from "@pulumi/pulumi";
import * as podlumi from "podlumi";
import { send } from "../harness/account";
import { emulatedStack, emulator, stack } from "../harness/emulated";
import { testLong } from "../harness/long";
import type { RunFailure } from "../harness/stack";
import { oneCheckpoint } from "../harness/stack";

emulatedStack("each", { env: oneCheckpoint });

const template = (name: string, unique: string | undefined, opts?: pulumi.CustomResourceOptions) =>
  new podlumi.Template(name, { name: unique, image: `org/${name}:1` }, opts);
const templates = () =>
  emulator.service.templates
    .list()
    .map(({ name, image }) => `${name} ${image}`)
    .sort();

test("a name that one resource gives up goes to another one in the same up, in whatever order", async () => {
  await stack.up(() => {
    template("middle", "b");
    template("last", "c");
  });
  // The service allows a rename only when the name is free, so each must wait for another resource to give its name up.
  const rotated = () => {
    template("first", "b");
    template("middle", "c");
    template("last", "d");
  };
  const isRefused = () => emulator.requests.some(({ status }) => status === 400 || status === 409);
  const last = emulator.service.templates.list().find(({ name }) => name === "c")?.id;
  emulator.on("before", { method: "PATCH", path: `/templates/${last}` }, async () => {
    while (!isRefused()) await pause(20);
  });
  expect((await stack.preview(rotated)).printed).not.toMatch(/is taken|has a problem/);
  await stack.up(rotated);
  expect(templates()).toEqual(["b org/first:1", "c org/middle:1", "d org/last:1"]);
  expect((await stack.preview(rotated)).steps.map(({ op }) => op)).toEqual(["same", "same", "same"]);
});

testLong(
  "a name of what leaves the program is said to be free too late, and aliases are the way",
  async () => {
    await stack.up(() => template("old", "worker"));
    const [before] = emulator.service.templates.list();
    const { warnings } = await stack.preview(() => template("new", "worker"));
    expect(warnings).toEqual([
      expect.stringMatching(
        /^new name: the name is that of the template "worker" \(\w+\), and must become free within 60 s\. .* \[PODLUMI-NAME-TAKEN\]$/,
      ),
    ]);
    await stack.up(() => template("new", "worker", { aliases: [{ name: "old" }] }));
    expect(emulator.service.templates.list()).toMatchObject([{ id: before?.id, image: "org/new:1" }]);
  },
);

testLong(
  "a secret whose name changes in case alone makes room for its replacement, as the preview says",
  async () => {
    const secret = (name: string) => () => new podlumi.Secret("token", { name, value: "hunter22" });
    await stack.up(secret("HF_TOKEN"));
    const { steps } = await stack.preview(secret("hf_token"));
    await stack.up(secret("hf_token"));
    expect(steps.map(({ op }) => op)).toEqual(["delete-replaced", "replace", "create-replacement"]);
    expect(emulator.service.secrets.list()).toMatchObject([{ name: "hf_token" }]);
  },
);

testLong("equal names, where they need not be unique, wait for nothing but their own room", async () => {
  const { capacity, pods } = emulator.service;
  capacity.set({ gpu: "NVIDIA L4", free: 0 });
  const pod = (name: string, gpu: string) =>
    new podlumi.Pod(name, { name: "web", image: "org/app:1", gpu: { id: gpu }, capacityTimeout: 60 });
  const up = stack.up(() => [pod("full", "NVIDIA L4"), pod("free", "NVIDIA A40")]);
  const made = () => pods.list().filter(({ status }) => status === "RUNNING");
  while (made().length === 0) await new Promise((tick) => setTimeout(tick, 50));
  expect(pods.list()).toHaveLength(1);
  capacity.set({ gpu: "NVIDIA L4", free: 1 });
  await up;
  expect(made()).toHaveLength(2);
});

test("a first preview refuses a logical name that makes no name, though it does not know the digits", async () => {
  const secret = () => void new podlumi.Secret("hf token", { value: "hunter22" });
  const { printed } = await stack.preview(secret).catch((error: RunFailure) => error);
  expect(printed).toMatch(
    /must begin with a letter .*, not "hf token-\w{6}": it is made up of the resource's name "hf token", so give the argument name \[PODLUMI-INVALID\]/,
  );
});

test("a first preview refuses a missing name where pulumi:autonaming is disabled", async () => {
  await stack.configure({ "pulumi:autonaming": { value: { mode: "disabled" } as never } });
  const volume = () => void new podlumi.NetworkVolume("data", { size: 10, dataCenter: "EU-RO-1" });
  const { printed } = await stack.preview(volume).catch((error: RunFailure) => error);
  expect(printed).toMatch(/is required, since pulumi:autonaming is disabled: give it in the program/);
});

testLong(
  "a first preview refuses a unique name that pulumi:autonaming gives twice, and warns of one that is taken",
  async () => {
    await stack.configure({ "pulumi:autonaming": { value: { mode: "verbatim" } as never } });
    const one = (name: string) =>
      template("worker", undefined, { parent: new pulumi.ComponentResource(`test:index:${name}`, name) });
    await expect(stack.preview(() => [one("A"), one("B")])).rejects.toThrow(/\[PODLUMI-NAME-TWICE\]/);
    await send(emulator, "POST", "templates", { name: "worker", image: "org/theirs:1" });
    expect((await stack.preview(() => one("A"))).warnings).toEqual([
      expect.stringMatching(
        /^worker name: the name is that of the template "worker" .*\[PODLUMI-NAME-TAKEN\]$/,
      ),
    ]);
  },
);

testLong("a first preview warns of another volume of the name, as the up does", async () => {
  const { volumes } = emulator.service;
  const args = { size: 20, dataCenter: "EU-RO-1" };
  volumes.create({ name: "data", ...args });
  const program = () => void new podlumi.NetworkVolume("data", { name: "data", ...args });
  const warned = [
    expect.stringMatching(
      /^data name: the name is that of the network volume "data" \(\w+\), and podlumi creates another one of that name\. To use the existing one, write adopt: "\w+" \[PODLUMI-NAME-TAKEN\]$/,
    ),
  ];
  expect((await stack.preview(program)).warnings).toEqual(warned);
  expect((await stack.up(program)).warnings).toEqual(warned);
});
