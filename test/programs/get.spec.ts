import * as podlumi from "podlumi";
import * as plugin from "podlumi/plugin";
import { patch } from "../harness/account";
import { emulatedStack, emulator, stack } from "../harness/emulated";
import { testLong } from "../harness/long";
import { Project } from "../harness/project";
import { oneCheckpoint, RunFailure, TestStack, withPlugin } from "../harness/stack";

const gets = {
  Cluster: podlumi.Cluster.get,
  NetworkVolume: podlumi.NetworkVolume.get,
  Pod: podlumi.Pod.get,
  RegistryAuth: podlumi.RegistryAuth.get,
  RegistryDelegation: podlumi.RegistryDelegation.get,
  Secret: podlumi.Secret.get,
  ServerlessEndpoint: podlumi.ServerlessEndpoint.get,
  Template: podlumi.Template.get,
};

emulatedStack("all", { env: oneCheckpoint });

test("each kind is read by its id, and neither changed nor deleted", async () => {
  const { service } = emulator;
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${emulator.apiUrl}/${path}`, {
      method: "POST",
      headers: { authorization: "Bearer key", "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(201);
    return ((await answer.json()) as { id: string }).id;
  };
  const ids = {
    Cluster: await post("clusters", {
      name: "training",
      type: "RAY",
      compute: { gpuTypeId: "NVIDIA H200", gpuCountPerPod: 8, podCount: 2 },
      image: "org/train:1",
    }),
    NetworkVolume: await post("network-volumes", { name: "data", size: 20, dataCenter: "EU-RO-1" }),
    Pod: await post("pods", {
      name: "pod",
      image: "org/pod:1",
      gpu: { id: "NVIDIA L4", count: 1 },
      env: { A: "TOLD-ONLY-AS-SECRET" },
    }),
    RegistryAuth: await post("registries", { name: "ghcr", username: "robot", password: "hunter22" }),
    RegistryDelegation: await post("registries/delegations", {
      resource: "arn:aws:ecr:us-east-2:123456789012:repository/app:v1",
    }),
    Secret: service.secrets.create({ name: "token", value: "hunter22" }).id,
    ServerlessEndpoint: await post("serverless", {
      name: "llm",
      type: "QUEUE",
      image: "org/worker:1",
      gpu: { pools: ["ADA_24"] },
      scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
    }),
    Template: await post("templates", { name: "worker", image: "org/worker:1" }),
  };
  const before = service.snapshot();
  const program = () => ({
    cluster: gets.Cluster("c", ids.Cluster).members.apply((members) => members.length),
    volume: gets.NetworkVolume("v", ids.NetworkVolume).size,
    pod: gets.Pod("p", ids.Pod).image,
    auth: gets.RegistryAuth("r", ids.RegistryAuth).name,
    delegation: gets.RegistryDelegation("d", ids.RegistryDelegation).image,
    secret: gets.Secret("s", ids.Secret).reference,
    endpoint: gets.ServerlessEndpoint("e", ids.ServerlessEndpoint).requestUrls.runSync,
    template: gets.Template("t", ids.Template).category,
  });

  const { outputs } = await stack.up(program);
  expect(outputs).toEqual({
    cluster: 2,
    volume: 20,
    pod: "org/pod:1",
    auth: "ghcr",
    delegation: "123456789012.dkr.ecr.us-east-2.amazonaws.com/app:v1",
    secret: "{{ RUNPOD_SECRET_token }}",
    endpoint: expect.stringContaining(`/v2/${ids.ServerlessEndpoint}/runsync`),
    template: "NVIDIA",
  });
  await stack.refresh();
  await stack.destroy();
  expect(service.snapshot()).toMatchObject({
    clusters: [{ id: ids.Cluster, name: "training" }],
    delegations: before.delegations,
    templates: before.templates,
    secrets: before.secrets,
    registries: before.registries,
  });
  expect(stack.leftBehind()).not.toContain("TOLD-ONLY-AS-SECRET");
});

test("what does not exist is an error that names the id", async () => {
  const read = stack.preview(() => gets.Pod("missing", "no-such-id"));
  await expect(read).rejects.toThrow(/there is no pod with the id "no-such-id" in this account/);
  await expect(read).rejects.toThrow(RunFailure);
});

testLong(
  "what is gone leaves the state with a refresh, and fails the next up while the program reads it",
  async () => {
    const { volumes } = emulator.service;
    const { id } = volumes.create({ name: "shared", size: 10, dataCenter: "EU-RO-1" });
    const reading = () => ({ size: gets.NetworkVolume("shared", id).size });
    await stack.up(reading);
    expect((await stack.refresh()).printed).not.toMatch(/leaves the state/);
    volumes.delete(id);
    const { printed } = await stack.refresh();
    expect(printed).toContain(
      `the network volume "shared" (${id}) is not in this account any more, so it leaves the state`,
    );
    for (const run of [() => stack.preview(reading), () => stack.up(reading)])
      await expect(run()).rejects.toThrow(
        new RegExp(`there is no network volume with the id "${id}" .* take the \`get\` out of the program`),
      );
    await expect(stack.up(() => undefined)).resolves.toBeDefined();
  },
);

testLong.each(["podlumi", "podlumi/plugin"])(
  "%s creates nothing for an empty id, as an unset variable gives it",
  async (face) => {
    // In a process of its own, since a failing output would end this one.
    const project = new Project(emulator);
    await project.pulumi("stack", "init", "dev");
    project.write(`
    const { GlobalVolume } = require("${face}");
    for (const id of [undefined, null, ""])
      try { GlobalVolume.get("an id " + id, id); } catch (error) { console.log(error.message); }
    GlobalVolume.get("an output", require("@pulumi/pulumi").output(""));
  `);
    const { ok, printed } = await project.pulumi("up", "--yes", "--skip-preview");
    project.remove();
    for (const name of ["an id undefined", "an id null", "an id ", "an output"])
      expect(printed).toContain(`cannot read the GlobalVolume "${name}": the id given to it is empty`);
    expect(ok).toBe(false);
    expect(emulator.service.globalVolumes.list()).toEqual([]);
  },
);

testLong(
  "a refresh shows what somebody changed, and no default that the program has written out since",
  async () => {
    const own = await TestStack.create({ ...emulator.env, ...withPlugin });
    const pod = (more: object) => () => ({
      id: new plugin.Pod("pod", { image: "org/app:1", gpu: { id: "NVIDIA L4" }, ...more }).id,
    });
    const { outputs } = await own.up(pod({}));
    const { steps } = await own.up(pod({ startJupyter: false, dataCenterIds: [] }));
    expect(steps.map(({ op }) => op)).toEqual(["same"]);
    await patch(emulator, `pods/${outputs.id}`, { name: "theirs" });
    const { results } = await own.refresh();
    expect(results.map(({ differs }) => differs)).toEqual([["name"]]);
    await own.destroy();
    own.remove();
  },
);
