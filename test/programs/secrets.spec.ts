import * as podlumi from "podlumi";
import { emulatedStack, emulator, stack } from "../harness/emulated";

const apiKey = "rpa_KEY_0123456789";
/** Plain strings in the program. podlumi itself makes them secret. */
const plain = { username: "USERNAME-PLAIN", password: "PASSWORD-PLAIN", value: "VALUE-PLAIN" };
const changed = { username: "USERNAME-OTHER", password: "PASSWORD-OTHER", value: "VALUE-OTHER" };
/** Secrets of the stack's configuration. */
const configured = {
  clusterEnv: "ENV-OF-CLUSTER",
  podEnv: "ENV-OF-POD",
  endpointEnv: "ENV-OF-ENDPOINT",
  templateEnv: "ENV-OF-TEMPLATE",
};

emulatedStack("all", {
  apiKey,
  env: { RUNPOD_API_KEY: "" },
  config: Object.fromEntries(
    Object.entries({ "podlumi:apiKey": apiKey, ...configured }).map(([key, value]) => [
      key,
      { value, secret: true },
    ]),
  ),
});

function program({ username, password, value }: typeof plain) {
  return async () => {
    const { Config } = await import("@pulumi/pulumi");
    const config = new Config();
    const env = (key: string) => ({ TOKEN: config.requireSecret(key), MODE: "public" });
    new podlumi.RegistryAuth("auth", { username, password });
    new podlumi.Secret("secret", { value });
    new podlumi.Template("template", { image: "org/worker:1", env: env("templateEnv") });
    const pod = new podlumi.Pod("pod", {
      image: "org/worker:1",
      gpu: { id: "NVIDIA L4" },
      env: env("podEnv"),
      startJupyter: true,
    });
    new podlumi.Cluster("cluster", {
      type: "TRAINING",
      compute: { gpuTypeId: "NVIDIA H200", gpuCountPerPod: 8, podCount: 2 },
      image: "org/train:1",
      env: env("clusterEnv"),
      startJupyter: true,
    });
    new podlumi.ServerlessEndpoint("endpoint", {
      type: "QUEUE",
      image: "org/worker:1",
      gpu: { pools: ["ADA_24"] },
      scaling: { type: "QUEUE_DELAY", queueDelay: 1 },
      env: env("endpointEnv"),
    });
    return { pod: pod.id };
  };
}

let pod: string;

beforeAll(async () => {
  pod = String((await stack.up(program(plain))).outputs.pod);
});

test("the service gets the secrets as they are", () => {
  const env = { TOKEN: configured.podEnv, MODE: "public" };
  expect(emulator.service.pods.get(pod).env).toMatchObject(env);
  const [secret] = emulator.service.secrets.list();
  expect(emulator.service.secrets.valueOf(secret?.id ?? "")).toBe(plain.value);
});

test("no secret is in the state or in anything printed, whatever happens", async () => {
  const injected = String(emulator.service.pods.get(pod).env.JUPYTER_PASSWORD);
  await stack.preview(program(changed));
  await stack.up(program(changed));
  await stack.refresh();
  // When a secret field is wrong, the engine prints podlumi's message about it.
  const { username, password, value } = plain;
  for (const bad of [
    () => new podlumi.RegistryAuth("bad", { username, password: [password] as never }),
    () =>
      new podlumi.RegistryAuth("bad", { username, password, pasword: password } as podlumi.RegistryAuthArgs),
    () => new podlumi.Secret("RUNPOD_bad", { value }),
    () =>
      new podlumi.Pod("bad", {
        image: "i",
        env: { ...Object.fromEntries([...Array(50).keys()].map((n) => [n, value])), A: value },
      }),
  ]) {
    await expect(stack.preview(bad)).rejects.toThrow(/has a problem/);
  }
  // When the service refuses a request, its error may repeat the request's values.
  const quoting = { status: 400, detail: `${username} with ${password} is refused` };
  emulator.faults.add({
    match: { method: "POST", path: "/registries" },
    when: "before",
    what: quoting,
    times: 0,
  });
  await expect(stack.up(() => new podlumi.RegistryAuth("refused", { username, password }))).rejects.toThrow(
    /\[secret\] with \[secret\] is refused/,
  );
  // Or what the object had before.
  const detail = `TOKEN is not ${configured.templateEnv} any more`;
  const match = { method: "PATCH", path: "/templates/*" };
  emulator.faults.add({ match, when: "before", what: { status: 400, detail } });
  const env = { TOKEN: "another" };
  await expect(
    stack.up(() => new podlumi.Template("template", { image: "org/worker:1", env })),
  ).rejects.toThrow(/TOKEN is not \[secret\] any more/);
  await stack.destroy();

  const left = stack.leftBehind();
  const secrets = [
    apiKey,
    injected,
    ...Object.values({ ...plain }),
    ...Object.values(changed),
    ...Object.values(configured),
  ];
  expect(injected.length).toBeGreaterThan(7);
  expect(secrets.filter((secret) => left.includes(secret))).toEqual([]);
  // Public values are found, so the search itself works.
  expect(left).toContain("public");
  expect(left).toContain("org/worker:1");
});
