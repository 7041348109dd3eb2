import * as podlumi from "podlumi";
import { emulatedStack, emulator, stack } from "../harness/emulated";
import { oneCheckpoint } from "../harness/stack";

emulatedStack("all", { env: oneCheckpoint });

/** Each reference is a resource itself, and not its id. */
async function program() {
  const token = new podlumi.Secret("token", { name: "hf_token", value: "hunter22" });
  const registry = new podlumi.RegistryAuth("ghcr", { username: "bot", password: "password" });
  const data = new podlumi.NetworkVolume("data", { size: 10, dataCenter: "EU-RO-1" });
  const env = { HF_TOKEN: token, PLAIN: "1" };
  const template = new podlumi.Template("template", { image: "org/app:1", env, registry });
  new podlumi.ServerlessEndpoint("llm", {
    type: "QUEUE",
    image: "org/worker:1",
    env,
    registry,
    gpu: { pools: ["ADA_24"] },
    networkVolumes: [data],
    scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
  });
  new podlumi.Pod("pod", {
    templateId: template,
    gpu: { id: "NVIDIA L4" },
    mounts: { network: [{ volumeId: data, path: "/workspace" }] },
  });
}

test("a resource stands for its id, and a secret in env for its reference", async () => {
  await stack.up(program);
  const { networkVolumes, registries, templates, endpoints, pods } = emulator.service.snapshot();
  const [volume, registry] = [networkVolumes[0]?.id, registries[0]?.id];
  const reference = "{{ RUNPOD_SECRET_hf_token }}";
  expect(templates).toMatchObject([{ env: { HF_TOKEN: reference, PLAIN: "1" }, registry }]);
  expect(endpoints).toMatchObject([{ env: { HF_TOKEN: reference }, registry, networkVolumes: [volume] }]);
  expect(pods).toMatchObject([{ image: "org/app:1", mounts: { network: [{ volumeId: volume }] } }]);
  const { steps } = await stack.preview(program);
  expect(new Set(steps.map(({ op }) => op))).toEqual(new Set(["same"]));
});
