import * as pulumi from "@pulumi/pulumi";
import * as podlumi from "podlumi";
import * as plugin from "podlumi/plugin";
import { emulatedStack, emulator, stack } from "../harness/emulated";
import { type RunFailure, withPlugin } from "../harness/stack";

/** The dynamic provider is told less: `npm run test:all` runs both. */
const faces: [string, typeof podlumi][] = [
  ["dynamic provider", podlumi],
  ["plugin", plugin as unknown as typeof podlumi],
];
const [token, ofTemplate, ofEnv] = [
  "VALUE-OF-SECRET-1234",
  "ENV-OF-TEMPLATE-1234\nLINE-OF-TEMPLATE-1234",
  "ENV-OF-POD-1234",
];
/** A container says a word of its command. */
const ofArgs = "ARGS-OF-POD-1234";

emulatedStack("each", { env: withPlugin, timings: { jobTime: 0 } });

/** What is printed and kept of an `up` whose container fails, after it has said its secrets. */
async function failing(program: () => unknown): Promise<string> {
  emulator.service.timings.starting = 5_000;
  const run = stack.up(program).catch((error: RunFailure) => error.printed);
  for (;;) {
    const [pod] = emulator.service.pods.list({ clusterPods: true });
    if (pod !== undefined) {
      const password = emulator.service.pods.get(pod.id).env.JUPYTER_PASSWORD;
      const lines = ofTemplate.split("\n");
      for (const line of lines) emulator.service.logs.write(pod.id, "container", line);
      emulator.service.pods.fail(pod.id, `401 for ${token} ${ofTemplate} ${ofEnv} ${ofArgs} ${password}`);
      const printed = String(await run);
      const left = stack.leftBehind();
      const secrets = [token, ...lines, ofEnv, ofArgs, String(password)];
      expect(secrets.filter((one) => left.includes(one))).toEqual([]);
      return printed;
    }
    await new Promise((done) => setTimeout(done, 50));
  }
}

describe.each(faces)(
  "the last lines of a failed container, in an error and in the state, with the %s",
  (_face, face) => {
    test("hide the value of a secret, secret arguments, and the variables of the template and of the platform", async () => {
      const printed = await failing(() => {
        const secret = new face.Secret("hf", { value: token });
        const template = new face.Template("t", { image: "a:1", env: { K: pulumi.secret(ofTemplate) } });
        new face.Pod("p", {
          gpu: { id: "NVIDIA L4" },
          templateId: template.id,
          env: { HF_TOKEN: secret.reference, OWN: pulumi.secret(ofEnv) },
          args: pulumi.secret(`serve --token=${ofArgs}`),
          waitTimeout: 30,
        });
      });
      expect(printed).toMatch(
        /Its last lines:\n(.*\n)*.*401 for \[secret\] \[secret\] \[secret\] \[secret\]/,
      );
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
  },
);

test.each(faces)(
  "a failed check and a warning do not show a secret argument with the %s, nor does the engine",
  async (_face, face) => {
    const printed = async (args: Partial<podlumi.NetworkVolumeArgs>) => {
      const program = () => new face.NetworkVolume("v", { size: 10, dataCenter: "EU-RO-1", ...args });
      const run = await stack.preview(program).catch((error: RunFailure) => error);
      expect([token, ofArgs].filter((one) => run.printed.includes(one))).toEqual([]);
      return run.printed;
    };
    expect(await printed({ adopt: pulumi.secret({ name: token }) })).toMatch(
      /there is no network volume "\[secret\]" in this account/,
    );
    expect(await printed({ dataCenter: pulumi.secret(ofArgs) })).toMatch(
      /dataCenter: the catalog has no "\[secret\]"/,
    );
  },
);

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
  await expect(up).rejects.toThrow(/is FAILED: 401 for \[secret\] \[secret\], on release 1\./);
  await expect(up).rejects.toThrow(/loading with \[secret\] \[secret\]/);
  const left = stack.leftBehind();
  expect([token, ...ofTemplate.split("\n")].filter((one) => left.includes(one))).toEqual([]);
});

describe.each(faces)(
  "what the program passes as a secret to the %s is nowhere in plain text",
  (_face, face) => {
    const serverless = {
      type: "QUEUE" as const,
      scaling: { type: "QUEUE_DELAY" as const, queueDelay: 4 },
      gpu: { pools: ["ADA_24" as const] },
    };

    test("settings that a pod and an endpoint get from their template, after an update and a refresh, too", async () => {
      const args = (of: string) => pulumi.secret(`--token TOKEN-IN-ARGS-OF-${of}`);
      const program = (name: string) => () => {
        const image = pulumi.secret("org/hidden-image:1");
        const pods = new face.Template("pods", { image, args: args("POD") });
        const pod = new face.Pod("p", { name, gpu: { id: "NVIDIA L4" }, templateId: pods.id });
        const endpoints = new face.Template("endpoints", { image, serverless: true, args: args("ENDPOINT") });
        new face.ServerlessEndpoint("e", { ...serverless, name, templateId: endpoints });
        return { args: pod.args, ports: pod.ports };
      };
      const { outputs } = await stack.up(program("a"));
      expect(outputs).toEqual({ args: expect.objectContaining({ ciphertext: "[secret]" }), ports: [] });
      await stack.up(program("b"));
      await stack.refresh();
      const left = stack.leftBehind();
      expect(["TOKEN-IN-ARGS", "hidden-image"].filter((one) => left.includes(one))).toEqual([]);
    });

    test("what ignoreChanges keeps of them, though the program passes plain text by now", async () => {
      const program = (args: pulumi.Input<string>, count: number, ignoreChanges: string[]) => () => {
        const opts = { ignoreChanges };
        const env = { COUNT: String(count) };
        const gpu = { id: "NVIDIA L4" as const, count };
        new face.Pod("p", { image: "a:1", gpu, args, env }, opts);
        const template = new face.Template("t", { image: `a:${count}`, serverless: true, args, env }, opts);
        const of = { templateId: template, templateRevision: template.revision };
        new face.ServerlessEndpoint("e", { ...serverless, ...of });
      };
      await stack.up(program(pulumi.secret('{"cmd":["--token","TOKEN-IN-ARGS"]}'), 1, []));
      for (const count of [1, 2]) await stack.up(program("plain", count, ["args", "gpu"]));
      await stack.up(program("plain", 3, ["args"]));
      expect(stack.leftBehind()).not.toContain("TOKEN-IN-ARGS");
    });

    test("what a refresh finds after an update that was to set it, and had no clear answer", async () => {
      const program = (env: Record<string, pulumi.Input<string>>, args: pulumi.Input<string>) => () => {
        new face.ServerlessEndpoint("e", { ...serverless, image: "a:1", env, args });
      };
      await stack.up(program({ MODE: "public" }, "plain"));
      const match = { method: "PATCH" };
      emulator.faults.add({ match, when: "after", what: { reset: true }, times: 1 });
      emulator.faults.add({ match, when: "before", what: { status: 403 }, times: 1 });
      const env = { MODE: pulumi.secret("VALUE-OF-MODE"), TOKEN: pulumi.secret("VALUE-OF-TOKEN") };
      const update = stack.up(program(env, pulumi.secret("--token TOKEN-IN-ARGS")));
      await expect(update).rejects.toThrow("had no clear answer");
      expect(emulator.service.endpoints.list()).toMatchObject([{ env: { TOKEN: "VALUE-OF-TOKEN" } }]);
      await stack.refresh();
      await stack.up(program({ MODE: "public" }, "plain"));
      const secrets = ["VALUE-OF-MODE", "VALUE-OF-TOKEN", "TOKEN-IN-ARGS"];
      const left = stack.leftBehind();
      expect(secrets.filter((one) => left.includes(one))).toEqual([]);
      const steps = (await stack.preview(program({ MODE: "public" }, "plain"))).steps;
      expect(steps.filter(({ op }) => op !== "same")).toEqual([]);
    });

    test("arguments of a template that another program created, of which nobody tells what is secret", async () => {
      const of = (kind: object) =>
        String(
          emulator.service.templates.create({ name: "", image: "a:1", args: "--token TOKEN", ...kind }).id,
        );
      const [pods, endpoints] = [of({ name: "of-pods" }), of({ name: "of-endpoints", serverless: true })];
      await stack.up(() => {
        new face.Pod("p", { gpu: { id: "NVIDIA L4" }, templateId: pods });
        new face.ServerlessEndpoint("e", { ...serverless, templateId: endpoints });
      });
      expect(stack.leftBehind()).not.toContain("--token TOKEN");
    });

    test("arguments that the service returns in outputs of other names", async () => {
      const program = (name: string) => () => {
        const resource = pulumi.secret("arn:aws:ecr:us-east-1:123456789012:repository/HIDDEN-REPOSITORY:v1");
        new face.RegistryDelegation("d", { resource });
        new face.Secret("s", { name: pulumi.secret("HIDDEN_SECRET"), value: token });
        new face.Cluster("c", {
          type: "TRAINING",
          name: pulumi.secret(name),
          compute: { gpuTypeId: "NVIDIA H200", gpuCountPerPod: 8, podCount: 2 },
          image: "a:1",
        });
      };
      await stack.up(program("HIDDEN-CLUSTER"));
      await stack.up(program("HIDDEN-OTHER"));
      await stack.refresh();
      const left = stack.leftBehind();
      expect(
        ["HIDDEN-REPOSITORY", "123456789012", "HIDDEN_SECRET", "HIDDEN-CLUSTER", "HIDDEN-OTHER"].filter(
          (one) => left.includes(one),
        ),
      ).toEqual([]);
    });

    test("but what is no secret stays readable in the state", async () => {
      const { outputs } = await stack.up(() => {
        const resource = "arn:aws:ecr:us-east-1:123456789012:repository/READABLE-REPOSITORY:v1";
        const of = { image: "a:1", args: "READABLE-ARGS" };
        const pods = new face.Template("pods", of);
        const pod = new face.Pod("p", { gpu: { id: "NVIDIA L4" }, templateId: pods.id });
        const endpoints = new face.Template("endpoints", { ...of, serverless: true });
        const from = { templateId: endpoints.id, templateRevision: endpoints.revision };
        const endpoint = new face.ServerlessEndpoint("e", { ...serverless, ...from });
        const { repository } = new face.RegistryDelegation("d", { resource });
        return { repository, ofPod: pod.args, ofEndpoint: endpoint.args };
      });
      const args = "READABLE-ARGS";
      expect(outputs).toEqual({ repository: "READABLE-REPOSITORY", ofPod: args, ofEndpoint: args });
      const kept = new Map(
        (await stack.resources()).map((one) => [one.type.split(":").at(-1), one.outputs ?? {}]),
      );
      expect(kept.get("RegistryDelegation")).toMatchObject({ repository: "READABLE-REPOSITORY" });
      expect(kept.get("Pod")).toMatchObject({ args });
      expect(kept.get("ServerlessEndpoint")).toMatchObject({ args });
    });
  },
);
