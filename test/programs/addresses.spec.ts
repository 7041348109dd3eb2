import type * as pulumi from "@pulumi/pulumi";
import { NetworkVolume, Pod, ServerlessEndpoint } from "podlumi";
import { emulatedStack, emulator, stack } from "../harness/emulated";

emulatedStack("each");

/** A pod and both types of endpoints, with their addresses as outputs of the stack. */
const program =
  (ports: pulumi.Input<string[]>, image = "org/app:1") =>
  () => {
    const of = { image, gpu: { pools: ["ADA_24"] } };
    const pod = new Pod("trainer", { image, gpu: { id: "NVIDIA L4" }, ports });
    const queue = new ServerlessEndpoint("queue", {
      ...of,
      type: "QUEUE",
      scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
    });
    const balancer = new ServerlessEndpoint("balancer", {
      ...of,
      type: "LOAD_BALANCER",
      scaling: { type: "REQUEST_COUNT", requestCount: 4 },
    });
    const bases = [queue, balancer].map(({ baseUrl, openaiBaseUrl }) => ({ baseUrl, openaiBaseUrl }));
    return {
      urls: pod.urls,
      notebook: pod.urls["8888"],
      tcp: pod.tcpAddresses,
      queue: bases[0],
      balancer: bases[1],
    };
  };

/** How the outputs of a run have what is not known. */
const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const noBases = { baseUrl: unknown, openaiBaseUrl: unknown };

test("a pod and an endpoint have their addresses as outputs, which a preview knows where it can", async () => {
  expect((await stack.preview(program(["8888/http", "22/tcp"]))).outputs).toEqual({
    urls: unknown,
    notebook: unknown,
    tcp: unknown,
    queue: noBases,
    balancer: noBases,
  });

  const { outputs } = await stack.up(program(["8888/http", "22/tcp"]));
  const [id] = emulator.service.snapshot().pods.map((pod) => pod.id);
  const [ssh] = emulator.service.pods.list().flatMap(({ runtime }) => runtime?.ports.at(-1) ?? []);
  const { endpoints } = emulator.service.snapshot();
  const of = (type: string) => endpoints.find((one) => one.type === type)?.requestUrls;
  const baseUrl = of("QUEUE")?.run?.replace("/run", "");
  const notebook = `https://${id}-8888.proxy.runpod.net`;
  const all = {
    urls: { 8888: notebook },
    notebook,
    tcp: { 22: { host: "203.0.113.7", port: ssh?.public } },
    queue: { baseUrl, openaiBaseUrl: `${baseUrl}/openai/v1` },
    balancer: { baseUrl: of("LOAD_BALANCER")?.base, openaiBaseUrl: `${of("LOAD_BALANCER")?.base}/v1` },
  };
  expect(outputs).toEqual(all);

  const again = await stack.preview(program(["22/tcp", "8888/http"]));
  expect(again.steps.filter(({ op }) => op !== "same")).toEqual([]);
  expect(again.outputs).toEqual(all);

  // Another image changes no address of an http port, and another list of ports does.
  const edited = await stack.preview(program(["8888/http", "8080/http"], "org/app:2"));
  const urls = { 8080: `https://${id}-8080.proxy.runpod.net`, 8888: notebook };
  expect(edited.outputs).toEqual({ ...all, queue: noBases, balancer: noBases, urls, tcp: unknown });
  expect((await stack.up(program(["8888/http", "8080/http"], "org/app:2"))).outputs).toEqual({
    ...all,
    urls,
    tcp: {},
  });
  const kept = (await stack.resources()).find(({ type }) => type.endsWith("Pod"));
  expect(kept?.outputs).toMatchObject({ urls, tcpAddresses: {} });
  expect((await stack.refresh()).results.filter(({ op }) => op !== "same")).toEqual([]);
});

test("a port from 70000 on has its address under the number that the service chose", async () => {
  const trainer = () => ({
    tcp: new Pod("trainer", { image: "org/app:1", gpu: { id: "NVIDIA L4" }, ports: ["70000/tcp"] })
      .tcpAddresses,
  });
  const { outputs } = await stack.up(trainer);
  const [chosen] = emulator.service.pods.list().flatMap(({ runtime }) => runtime?.ports ?? []);
  expect(chosen?.private).toBeLessThan(65_536);
  expect(outputs).toEqual({
    tcp: { [Number(chosen?.private)]: { host: "203.0.113.7", port: chosen?.private } },
  });
  expect((await stack.preview(trainer)).steps.filter(({ op }) => op !== "same")).toEqual([]);
  expect((await stack.refresh()).results.filter(({ op }) => op !== "same")).toEqual([]);
});

/** The address of the files of a volume, which only the data center tells. */
const volume =
  (size: number, dataCenter: pulumi.Input<string> = "EU-RO-1") =>
  () => ({
    s3: new NetworkVolume("data", { size, dataCenter }).s3Endpoint,
  });
const s3 = "https://s3api-eu-ro-1.runpod.io";

test("a network volume has the address of its S3-compatible API, which every preview knows", async () => {
  expect((await stack.preview(volume(10))).outputs).toEqual({ s3 });
  expect((await stack.up(volume(10))).outputs).toEqual({ s3 });

  expect((await stack.preview(volume(20))).outputs).toEqual({ s3 });
  await stack.up(volume(20));
  const kept = (await stack.resources()).find(({ type }) => type.endsWith("NetworkVolume"));
  expect(kept?.outputs).toMatchObject({ size: 20, s3Endpoint: s3 });
  expect((await stack.refresh()).results.filter(({ op }) => op !== "same")).toEqual([]);
});
