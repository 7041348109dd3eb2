import * as pulumi from "@pulumi/pulumi";
import * as podlumi from "podlumi";
import * as plugin from "podlumi/plugin";
import { emulatedStack, emulator, stack } from "../harness/emulated";
import { type RunFailure, withPlugin } from "../harness/stack";

const [token, ofTemplate, ofEnv] = ["VALUE-OF-SECRET-1234", "ENV-OF-TEMPLATE-1234", "ENV-OF-POD-1234"];

emulatedStack("each", { env: withPlugin, timings: { jobTime: 0 } });

/** What is printed and kept of an `up` whose container fails, after it has said its secrets. */
async function failing(program: () => unknown): Promise<string> {
  emulator.service.timings.starting = 5_000;
  const run = stack.up(program).catch((error: RunFailure) => error.printed);
  for (;;) {
    const [pod] = emulator.service.pods.list({ clusterPods: true });
    if (pod !== undefined) {
      const password = emulator.service.pods.get(pod.id).env.JUPYTER_PASSWORD;
      emulator.service.pods.fail(pod.id, `401 for ${token} ${ofTemplate} ${ofEnv} ${password}`);
      const printed = String(await run);
      const left = stack.leftBehind();
      expect([token, ofTemplate, ofEnv, String(password)].filter((one) => left.includes(one))).toEqual([]);
      return printed;
    }
    await new Promise((done) => setTimeout(done, 50));
  }
}

describe.each([
  ["dynamic provider", podlumi],
  ["plugin", plugin as unknown as typeof podlumi],
])("the last lines of a failed container, in an error and in the state, with the %s", (_face, face) => {
  test("hide the value of a secret, and the variables of the template and of the platform", async () => {
    const printed = await failing(() => {
      const secret = new face.Secret("hf", { value: token });
      const template = new face.Template("t", { image: "a:1", env: { K: pulumi.secret(ofTemplate) } });
      new face.Pod("p", {
        gpu: { id: "NVIDIA L4" },
        templateId: template.id,
        env: { HF_TOKEN: secret.reference, OWN: pulumi.secret(ofEnv) },
        waitTimeout: 30,
      });
    });
    expect(printed).toMatch(/Its last lines:\n(.*\n)*.*401 for \[secret\] \[secret\] \[secret\]/);
  });

  test("are not quoted where a variable refers to a secret whose value nobody has told this run", async () => {
    emulator.service.secrets.create({ name: "of_console", value: token });
    const printed = await failing(() => {
      new face.Cluster("c", {
        type: "TRAINING",
        compute: { gpuTypeId: "NVIDIA H200", gpuCountPerPod: 8, podCount: 2 },
        image: "a:1",
        env: { HF_TOKEN: "{{ RUNPOD_SECRET_of_console }}" },
        startJupyter: true,
      });
    });
    expect(printed).toMatch(
      /Its last lines are not quoted: they may contain the value of the secret "of_console", which this run does not know\. `npx podlumi logs \w+` shows them\./,
    );
  });
});

test("the error of a verification and the last lines of its worker hide them, too", async () => {
  emulator.setHandler("*", (_input, { endpointId }) => {
    for (const { id } of emulator.service.endpoints.workers(endpointId).workers)
      emulator.service.logs.write(id, "container", `loading with ${token} ${ofTemplate}`);
    throw new Error(`401 for ${token} ${ofTemplate}`);
  });
  const up = stack.up(() => {
    const secret = new podlumi.Secret("hf", { value: token });
    const env = { HF_TOKEN: secret.reference, K: pulumi.secret(ofTemplate) };
    const template = new podlumi.Template("t", { image: "a:1", serverless: true, env });
    new podlumi.ServerlessEndpoint("e", {
      type: "QUEUE",
      templateId: template.id,
      gpu: { pools: ["ADA_24"] },
      scaling: { type: "QUEUE_DELAY", queueDelay: 1 },
      verify: { input: { prompt: "hello" } },
    });
  });
  await expect(up).rejects.toThrow(/is FAILED: 401 for \[secret\] \[secret\]\./);
  await expect(up).rejects.toThrow(/loading with \[secret\] \[secret\]/);
  const left = stack.leftBehind();
  expect([token, ofTemplate].filter((one) => left.includes(one))).toEqual([]);
});
