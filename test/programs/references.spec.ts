import * as pulumi from "@pulumi/pulumi";
import * as podlumi from "podlumi";
import { emulatedStack, emulator, stack } from "../harness/emulated";
import { testLong } from "../harness/long";
import type { RunFailure } from "../harness/stack";

emulatedStack("all");

const image = "org/app:1";
const queue = { type: "QUEUE", scaling: { type: "QUEUE_DELAY", queueDelay: 4 } } as const;
const onEndpoint = { ...queue, image, gpu: { pools: ["ADA_24"] } };
const gpu = { id: "NVIDIA L4" };
const path = "/workspace";

/** What a preview that has to fail prints. It sends nothing that changes the account. */
async function refused(program: () => unknown): Promise<string> {
  emulator.requests.splice(0);
  const outcome = await stack.preview(program).catch((error: RunFailure) => error);
  expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  return outcome instanceof Error ? outcome.printed : "it did not fail";
}

describe("a preview of new resources", () => {
  const { NetworkVolume, Pod, ServerlessEndpoint, Template } = podlumi;

  test("knows where a volume will be that is passed as a resource", async () => {
    const text = await refused(() => {
      const data = new NetworkVolume("data", { size: 10, dataCenter: "EU-RO-1" });
      new Pod("pod", {
        image,
        gpu,
        dataCenterIds: ["US-KS-2"],
        mounts: { network: [{ volumeId: data, path }] },
      });
    });
    expect(text).toMatch(
      /dataCenterIds.*mounts\.network\[0\] is in "EU-RO-1", not in "US-KS-2", and no pod elsewhere.*\[PODLUMI-VOLUME-ELSEWHERE\]/s,
    );
  });

  testLong("knows where volumes will be that are passed by their ids", async () => {
    const text = await refused(() => {
      const [one, two] = ["one", "two"].map(
        (name) => new NetworkVolume(name, { size: 10, dataCenter: "EU-RO-1" }),
      );
      new ServerlessEndpoint("llm", { ...onEndpoint, networkVolumes: [one, two].map((it) => it?.id ?? "") });
    });
    expect(text).toMatch(
      /networkVolumes\[1\].*is in "EU-RO-1", as networkVolumes\[0\] is.*\[PODLUMI-VOLUME-ELSEWHERE\]/s,
    );
  });

  testLong("knows that workers would run elsewhere than the volumes", async () => {
    const text = await refused(() => {
      const data = new NetworkVolume("data", { size: 10, dataCenter: "EU-RO-1" });
      new ServerlessEndpoint("llm", {
        ...onEndpoint,
        networkVolumes: [data],
        dataCenterIds: ["EU-RO1", "US-KS-2"],
      });
    });
    expect(text).toMatch(
      /dataCenterIds: the network volumes are in "EU-RO-1", not in "EU-RO1" or "US-KS-2", and workers.*\[PODLUMI-VOLUME-ELSEWHERE\]/s,
    );
  });

  testLong.each<[string, <T>(value: T) => pulumi.Input<T>]>([
    ["an output", (value) => pulumi.output(value) as pulumi.Output<typeof value>],
    ["a promise", (value) => Promise.resolve(value)],
    ["what an apply makes", (value) => pulumi.output("").apply(() => value)],
  ])("knows where a volume will be that is in %s", async (_what, inside) => {
    const text = await refused(() => {
      const data = new NetworkVolume("data", { size: 10, dataCenter: "EU-RO-1" });
      const mounts = inside({ network: inside([{ volumeId: data, path }]) });
      new Pod("pod", { image, gpu, dataCenterIds: ["US-KS-2"], mounts });
    });
    expect(text).toMatch(
      /dataCenterIds.*mounts\.network\[0\] is in "EU-RO-1", not in "US-KS-2", and no pod elsewhere.*\[PODLUMI-VOLUME-ELSEWHERE\]/s,
    );
  });

  testLong("knows the kind of a resource that stands for an id, and refuses another one", async () => {
    const text = await refused(() => {
      const data = new NetworkVolume("data", { size: 10, dataCenter: "EU-RO-1" });
      new Pod("pod", { image, gpu, registry: data as never });
    });
    expect(text).toMatch(/registry: is the NetworkVolume "data": give a RegistryAuth \[PODLUMI-INVALID\]/);
  });

  testLong("knows a template for pods on an endpoint", async () => {
    const text = await refused(() => {
      const template = new Template("template", { image });
      new ServerlessEndpoint("llm", { ...onEndpoint, templateId: template.id });
    });
    expect(text).toMatch(/templateId.*template for pods, not for endpoints.*\[PODLUMI-TEMPLATE-KIND\]/s);
  });

  testLong("knows a template for endpoints on a pod", async () => {
    const text = await refused(() => {
      const template = new Template("template", { image, serverless: true });
      new Pod("pod", { templateId: template, gpu });
    });
    expect(text).toMatch(
      /templateId.*template for Serverless endpoints, not for pods.*\[PODLUMI-TEMPLATE-KIND\]/s,
    );
  });
});

test("a secret in env is its reference, also in an output or a promise", async () => {
  const program = () => {
    const secret = new podlumi.Secret("token", { value: "hunter22" });
    const hidden = pulumi.secret("hidden");
    const forms: podlumi.TemplateArgs["env"][] = [
      { TOKEN: secret, HIDDEN: hidden },
      pulumi.output("fast").apply(() => ({ TOKEN: secret, HIDDEN: hidden })),
      pulumi.output({ TOKEN: secret, HIDDEN: hidden }),
      Promise.resolve({ TOKEN: secret, HIDDEN: hidden }),
      { TOKEN: pulumi.output(secret) as never, HIDDEN: hidden },
    ];
    forms.forEach((env, form) => void new podlumi.Template(`template-${form}`, { image, env }));
  };
  await stack.preview(program);
  await stack.up(program);
  const reference = expect.stringMatching(/^\{\{ RUNPOD_SECRET_token-\w+ \}\}$/);
  const resources = await stack.resources();
  const secret = resources.find(({ type }) => type.endsWith(":Secret"))?.urn;
  const templates = resources.filter(({ type }) => type.endsWith(":Template"));
  expect(templates).toHaveLength(5);
  for (const { id, inputs, dependencies } of templates) {
    const template = emulator.service.templates.list().find((one) => one.id === id);
    expect(template?.env).toMatchObject({ TOKEN: reference, HIDDEN: "hidden" });
    expect(dependencies).toContain(secret);
    expect(JSON.stringify(inputs)).not.toContain('"hidden"');
  }
  const { steps } = await stack.preview(program);
  expect(new Set(steps.map(({ op }) => op))).toEqual(new Set(["same"]));
});

testLong(
  "what fits goes up, nothing of it changes the next time, and nothing of the look is in the state",
  async () => {
    const program = () => {
      const data = new podlumi.NetworkVolume("data", { size: 10, dataCenter: "EU-RO-1" });
      const template = new podlumi.Template("template", { image });
      const workers = new podlumi.Template("workers", { image, serverless: true });
      const mounts = { network: [{ volumeId: data, path }] };
      // One of the places has the volume.
      const placements = [
        { gpu, dataCenterIds: ["US-KS-2"] },
        { gpu, dataCenterIds: ["EU-RO-1"] },
      ];
      new podlumi.Pod("pod", { templateId: template, placements, mounts });
      new podlumi.Pod("second", { templateId: template.id, gpu, mounts });
      new podlumi.ServerlessEndpoint("llm", {
        ...onEndpoint,
        templateId: workers,
        networkVolumes: [data.id],
      });
      // Nobody knows what an apply makes of an id.
      const same = template.id.apply((id) => id);
      new podlumi.Pod("third", { templateId: pulumi.output(same), gpu });
    };
    await stack.up(program);
    const { steps } = await stack.preview(program);
    expect(new Set(steps.map(({ op }) => op))).toEqual(new Set(["same"]));
    const kept = (await stack.resources()).map(({ inputs, outputs }) => ({ inputs, outputs }));
    expect(JSON.stringify(kept)).not.toMatch(/__uses|__kinds/);
  },
);
