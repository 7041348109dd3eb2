import { type Emulator, ManualClock, startEmulator } from "../../sdk/emulator/service";

/** An account with objects of every kind, in the middle of its work. Its clock stands still. */
export async function busyAccount(): Promise<Emulator> {
  const clock = new ManualClock();
  const emulator = await startEmulator({ clock, rateLimit: { minute: 120, enforce: true } });
  const call = async (address: string, method: string, path: string, body?: object) => {
    clock.advance(400);
    const response = await fetch(address + path, {
      method,
      headers: { Authorization: "Bearer scene", ...(body && { "Content-Type": "application/json" }) },
      body: body && JSON.stringify(body),
    });
    return (await response.json()) as { id: string };
  };
  const create = (path: string, body: object) => call(emulator.apiUrl, "POST", path, body);
  const queue = (id: string, input: object) => call(emulator.queueUrl, "POST", `/v2/${id}/run`, { input });

  const registry = await create("/registries", { name: "ghcr", username: "robot", password: "pass" });
  const tokens = ["hf_token", "wandb_key"].map((name) =>
    emulator.service.secrets.create({ name, value: "value" }),
  );
  const [hf = "", wandb = ""] = tokens.map(({ name }) => `{{ RUNPOD_SECRET_${name} }}`);
  const volume = (name: string, size: number) =>
    create("/network-volumes", { name, size, dataCenter: "EU-RO-1" });
  const models = await volume("models", 200);
  const datasets = await volume("datasets", 1000);
  const worker = await create("/templates", {
    name: "vllm-worker",
    image: "ghcr.io/acme/vllm:2.8",
    registry: registry.id,
    serverless: true,
    env: { HF_TOKEN: hf, MODEL_NAME: "Qwen/Qwen3-8B" },
  });
  const notebook = await create("/templates", { name: "notebook", image: "runpod/pytorch:1.0.2", disk: 40 });

  const endpoint = (name: string, more: object) =>
    create("/serverless", {
      name,
      type: "QUEUE",
      gpu: { pools: ["AMPERE_24", "ADA_24"] },
      scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
      ...more,
    });
  const chat = await endpoint("chat", {
    templateId: worker.id,
    networkVolumes: [models.id],
    workers: { min: 3, max: 4 },
  });
  const embed = await endpoint("embeddings", { templateId: worker.id, workers: { min: 1, max: 1 } });

  const gpu = { id: "NVIDIA GeForce RTX 4090", count: 1 };
  const pod = (name: string, more: object) =>
    create("/pods", { name, image: "ghcr.io/acme/train:7", gpu, ...more });
  const on = ({ id }: { id: string }, path: string) => ({ network: [{ volumeId: id, path }] });
  await pod("trainer", {
    registry: registry.id,
    mounts: on(datasets, "/data"),
    env: { WANDB_API_KEY: wandb },
    gpu: { id: "NVIDIA H100 80GB HBM3", count: 1 },
    dataCenterIds: ["EU-RO-1"],
  });
  const paused = await pod("notebook-anna", { templateId: notebook.id, mounts: on(models, "/models") });
  const broken = await pod("notebook-ben", { templateId: notebook.id });
  clock.advance(20_000);
  await create(`/pods/${paused.id}/action`, { action: "stop" });
  emulator.service.pods.fail(broken.id);

  await queue(embed.id, { text: "first" });
  await settle();
  clock.advance(1_200);
  await settle();
  for (const input of [{ prompt: "one" }, { prompt: "two" }]) await queue(chat.id, input);
  for (const input of [{ text: "second" }, { text: "third" }]) await queue(embed.id, input);
  await call(emulator.apiUrl, "PATCH", `/serverless/${chat.id}`, { image: "ghcr.io/acme/vllm:2.9" });

  emulator.faults.add({ match: { method: "POST", path: "/pods" }, when: "before", what: { capacity: true } });
  emulator.faults.add({
    match: { interface: "rest", method: "GET" },
    when: "before",
    what: { status: 503 },
    times: 0,
    probability: 0.1,
  });
  await pod("evaluation", { cloud: "COMMUNITY" });
  await pod("evaluation", { env: { HF_TOKEN: hf } });
  await call(emulator.apiUrl, "GET", "/pods");
  return emulator;
}

/** Gives the tasks that the clock woke some time to run. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 50));
