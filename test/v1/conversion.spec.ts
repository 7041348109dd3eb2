import { Run } from "../../provider/core/call/run";
import { handler } from "../../provider/core/handler";
import { gpus } from "../../sdk/emulator/service/catalog";
import { type Conversion, convert, type Kind, type NoteKind } from "../../sdk/v1";
import { type Client, emulate } from "../emulator/client";
import { checked, definitions } from "./definitions";

type V1 = Record<string, unknown>;
type Noted = [kind: NoteKind, path: string][];

/** The notes that matter to users: all except those on keys that are rightly left out. */
const noted = ({ notes }: Conversion<unknown>): Noted =>
  notes.flatMap(({ kind, path }): Noted => (kind === "omitted" ? [] : [[kind, path]]));

const paths: Record<Kind, string> = {
  NetworkVolume: "/network-volumes",
  Pod: "/pods",
  RegistryAuth: "/registries",
  ServerlessEndpoint: "/serverless",
  Template: "/templates",
};

/** Creates an object from the arguments, as an up would. Returns it as REST v2 shows it. */
async function make(client: Client, kind: Kind, args: object): Promise<V1> {
  const verbs = handler(definitions[kind], new Run({ ...client.emulator.env }));
  const news = { name: "logical", ...args, ...(kind === "Pod" && { waitFor: "NONE" }), __urn: "urn:v1" };
  const { inputs, failures } = (await verbs.check?.({}, news)) ?? {};
  expect(failures).toEqual([]);
  const { id } = await verbs.create(inputs);
  return (await client.rest<V1>("GET", `${paths[kind]}/${id}`)).body;
}

/** An account with the objects to which the bodies refer by name, and their ids. */
async function furnished(): Promise<{ client: Client; ids: Record<string, string> }> {
  const client = await emulate({ timings: { provisioning: 0, starting: 0 } });
  const post = async (path: string, body: V1) => (await client.rest("POST", path, body)).body.id;
  const volume = { name: "v", size: 20 };
  return {
    client,
    ids: {
      VOLUME_RO: await post("/network-volumes", { ...volume, dataCenter: "EU-RO-1" }),
      VOLUME_SE: await post("/network-volumes", { ...volume, dataCenter: "EU-SE-1" }),
      POD_TEMPLATE: await post("/templates", { name: "pods", image: "org/app:1" }),
      TEMPLATE: await post("/templates", { name: "workers", image: "org/worker:1", serverless: true }),
      REGISTRY: await post("/registries", { name: "r", username: "u", password: "p" }),
    },
  };
}

function named(body: V1, ids: Record<string, string>): V1 {
  return JSON.parse(JSON.stringify(body, (_key, value) => ids[value] ?? value));
}

const RTX = "NVIDIA GeForce RTX 4090";
const DEFAULT_PORTS = ["8888/http", "22/tcp"];

describe("converted bodies pass podlumi's check, and the service makes of them", () => {
  test.each<[title: string, kind: Kind, body: V1, made: V1, notes: Noted]>([
    [
      "a pod with what REST v1 took for granted",
      "Pod",
      { name: "trainer", imageName: "org/app:1", gpuTypeIds: [RTX] },
      {
        name: "trainer",
        image: "org/app:1",
        gpu: { id: RTX, count: 1 },
        disk: 50,
        ports: DEFAULT_PORTS,
        mounts: { persistent: { size: 20, path: "/workspace" } },
        cloud: "SECURE",
      },
      [
        ["added", "volumeInGb"],
        ["added", "volumeMountPath"],
        ["added", "containerDiskInGb"],
        ["added", "ports"],
      ],
    ],
    [
      "a pod on the first of its GPU types that has room",
      "Pod",
      {
        imageName: "org/app:1",
        gpuTypeIds: "NVIDIA H200 NVL, NVIDIA L4",
        gpuTypePriority: "custom",
        gpuCount: 2,
        allowedCudaVersions: ["12.8"],
        dataCenterIds: "eu-ro-1",
        containerDiskInGb: "20",
        ports: "80/http,22/tcp",
        networkVolumeId: "VOLUME_RO",
        volumeInGb: 40,
        volumeMountPath: "/data",
        env: ["MODE=train", "URL=http://a/?b=c"],
        dockerStartCmd: ["bash", "-lc", "python train.py --name 'it''s'"],
        containerRegistryAuthId: "REGISTRY",
        interruptible: false,
        supportPublicIp: true,
      },
      {
        name: "logical",
        gpu: { id: "NVIDIA L4", count: 2 },
        dataCenterId: "EU-RO-1",
        disk: 20,
        ports: ["80/http", "22/tcp"],
        mounts: { network: [{ volumeId: "VOLUME_RO", path: "/data" }] },
        env: { MODE: "train", URL: "http://a/?b=c" },
        cmd: ["bash", "-lc", "python train.py --name 'it''s'"],
        registry: "REGISTRY",
      },
      [["changed", "dataCenterIds"]],
    ],
    [
      "a community pod, less what REST v2 cannot ask for",
      "Pod",
      {
        name: "c",
        imageName: "org/app:1",
        gpuTypeIds: [RTX],
        cloudType: "COMMUNITY",
        supportPublicIp: true,
        interruptible: true,
        countryCodes: ["SE"],
        minRAMPerGPU: 16,
        dockerEntrypoint: ["/init"],
        containerDiskInGb: 10,
        volumeInGb: 5,
        volumeMountPath: "/w",
        ports: [],
        locked: true,
        dataCenterPriority: "availability",
      },
      {
        cloud: "COMMUNITY",
        gpu: { id: RTX, count: 1 },
        entrypoint: ["/init"],
        locked: true,
        ports: [],
        mounts: { persistent: { size: 10, path: "/w" } },
      },
      [
        ["lost", "countryCodes"],
        ["lost", "interruptible"],
        ["lost", "supportPublicIp"],
        ["changed", "volumeInGb"],
      ],
    ],
    [
      "a CPU pod",
      "Pod",
      {
        name: "c",
        imageName: "org/app:1",
        computeType: "CPU",
        cpuFlavorIds: ["cpu3c", "cpu5c"],
        vcpuCount: 4,
        volumeInGb: 20,
        gpuCount: 1,
      },
      { cpu: { id: "cpu3c", vcpuCount: 4 }, mounts: {} },
      [
        ["changed", "cpuFlavorIds"],
        ["lost", "volumeInGb"],
      ],
    ],
    [
      "a pod of a template, with the template's settings",
      "Pod",
      { name: "t", templateId: "POD_TEMPLATE", gpuTypeIds: [RTX] },
      { image: "org/app:1", mounts: {}, ports: [] },
      [["changed", "templateId"]],
    ],
    [
      "a pod that was stopped when REST v1 answered it",
      "Pod",
      {
        id: "xedezhzb9la3ye",
        name: "old",
        image: "org/app:1",
        desiredStatus: "EXITED",
        costPerHr: "0.74",
        containerDiskInGb: 10,
        volumeInGb: 0,
        volumeMountPath: "/workspace",
        ports: ["80/http"],
        env: { PUBLIC_KEY: "ssh-ed25519 AAAA" },
        gpu: { id: RTX, count: 1, displayName: "RTX 4090", securePrice: 0.7 },
        machine: { gpuTypeId: RTX, secureCloud: true, dataCenterId: "EU-RO-1" },
        machineId: "s194cr8pls2z",
        portMappings: null,
        publicIp: "",
        templateId: null,
        endpointId: null,
        savingsPlans: [],
        interruptible: false,
        locked: false,
        vcpuCount: 24,
        memoryInGb: 62,
      },
      { status: "EXITED", gpu: { id: RTX, count: 1 }, disk: 10, mounts: {}, ports: ["80/http"] },
      [["decide", 'env["PUBLIC_KEY"]']],
    ],
    [
      "an endpoint with what REST v1 took for granted",
      "ServerlessEndpoint",
      { name: "llm", templateId: "TEMPLATE", gpuTypeIds: [RTX] },
      {
        name: "llm",
        type: "QUEUE",
        image: "org/worker:1",
        gpu: { pools: ["ADA_24"], count: 1 },
        scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
        workers: { min: 0, max: 3, idleTimeout: 5 },
        flashboot: "OFF",
      },
      [
        ["added", "type"],
        ["changed", "templateId"],
        ["changed", "gpuTypeIds"],
        ["added", "scalerType"],
        ["added", "scalerValue"],
        ["added", "idleTimeout"],
      ],
    ],
    [
      "an endpoint on the same GPU types, out of their pools",
      "ServerlessEndpoint",
      {
        name: "sdxl -fb",
        templateId: "TEMPLATE",
        gpuTypeIds: ["NVIDIA L4", "NVIDIA A40", "NVIDIA RTX A6000"],
        gpuCount: 2,
        allowedCudaVersions: ["12.4", "12.10"],
        minCudaVersion: "12.6",
        scalerType: "REQUEST_COUNT",
        scalerValue: 2,
        idleTimeout: 60,
        workersMin: 1,
        workersMax: 4,
        executionTimeoutMs: 600_000,
        networkVolumeId: "VOLUME_RO",
        networkVolumeIds: ["VOLUME_RO", "VOLUME_SE"],
        dataCenterIds: "EU-RO-1,EU-SE-1",
      },
      {
        name: "sdxl",
        flashboot: "FLASHBOOT",
        gpu: {
          pools: ["AMPERE_24", "AMPERE_48"],
          excludedTypes: ["NVIDIA RTX A5000", "NVIDIA GeForce RTX 3090"],
          count: 2,
          allowedCudaVersions: ["12.10"],
        },
        scaling: { type: "REQUEST_COUNT", requestCount: 2 },
        workers: { min: 1, max: 4 },
        timeout: 600_000,
        networkVolumes: ["VOLUME_RO", "VOLUME_SE"],
        dataCenterIds: ["EU-RO-1", "EU-SE-1"],
      },
      [
        ["changed", "name"],
        ["added", "type"],
        ["changed", "templateId"],
        ["changed", "gpuTypeIds"],
        ["changed", "minCudaVersion"],
        ["lost", "idleTimeout"],
      ],
    ],
    [
      "a CPU endpoint, which REST v1 did not make of it",
      "ServerlessEndpoint",
      {
        name: "c",
        templateId: "TEMPLATE",
        computeType: "CPU",
        cpuFlavorIds: ["cpu3g", "cpu3c"],
        vcpuCount: 4,
        scalerType: "QUEUE_DELAY",
        scalerValue: 1,
        idleTimeout: 10,
        flashboot: false,
      },
      { cpu: [{ id: "cpu3g", vcpuCount: 4, memory: 16 }, { id: "cpu3c" }], flashboot: "OFF" },
      [
        ["added", "type"],
        ["changed", "templateId"],
        ["changed", "computeType"],
      ],
    ],
    [
      "a CPU endpoint that REST v1 answered",
      "ServerlessEndpoint",
      {
        id: "jpnw0v75y3qoql",
        name: "c",
        templateId: "TEMPLATE",
        template: { id: "TEMPLATE", imageName: "org/worker:1" },
        computeType: "CPU",
        instanceIds: ["cpu3c-8-16"],
        gpuTypeIds: [],
        scalerType: "QUEUE_DELAY",
        scalerValue: 4,
        workersMin: 0,
        workersMax: 0,
        idleTimeout: 5,
        workers: [],
        version: 3,
        userId: "user",
        createdAt: "2024-07-12T19:14:40.144Z",
        env: {},
      },
      { cpu: [{ id: "cpu3c", vcpuCount: 8, memory: 16 }], workers: { min: 0, max: 0, idleTimeout: 5 } },
      [
        ["decide", "flashboot"],
        ["added", "type"],
        ["changed", "templateId"],
      ],
    ],
    [
      "a pod template",
      "Template",
      { name: "t", imageName: "org/app:1", env: [{ key: "A", value: "1" }], readme: "# T", isPublic: false },
      {
        image: "org/app:1",
        disk: 50,
        env: { A: "1" },
        ports: DEFAULT_PORTS,
        mounts: { persistent: { size: 20, path: "/workspace" } },
        serverless: false,
      },
      [
        ["added", "volumeInGb"],
        ["added", "volumeMountPath"],
        ["added", "containerDiskInGb"],
        ["added", "ports"],
      ],
    ],
    [
      "a serverless template out of Terraform",
      "Template",
      {
        id: "30zmvf89kd",
        name: "t",
        image_name: "org/worker:1",
        container_disk_in_gb: 20,
        volume_in_gb: 0,
        volume_mount_path: "/workspace",
        docker_start_cmd: ["python", "-u", "handler.py"],
        docker_entrypoint: [],
        is_serverless: true,
        ports: [],
        container_registry_auth_id: "",
        category: "AMD",
      },
      {
        image: "org/worker:1",
        cmd: ["python", "-u", "handler.py"],
        serverless: true,
        category: "AMD",
        ports: [],
      },
      [],
    ],
    [
      "a network volume",
      "NetworkVolume",
      { name: "data", size: 50, dataCenterId: "EU-RO-1" },
      { name: "data", size: 50, dataCenter: "EU-RO-1" },
      [],
    ],
    [
      "a network volume below the least size",
      "NetworkVolume",
      { id: "agv6w2qcg7", name: "data", size: 5, dataCenterId: "EU-RO-1" },
      { size: 10 },
      [["changed", "size"]],
    ],
    ["a credential", "RegistryAuth", { name: "ghcr", username: "bot", password: "x" }, { name: "ghcr" }, []],
  ])("%s", async (_title, kind, body, made, notes) => {
    const { client, ids } = await furnished();
    const conversion = convert(kind, named(body, ids));
    expect(noted(conversion)).toEqual(notes);
    expect(await make(client, kind, conversion.args)).toMatchObject(named(made, ids));
  });
});

describe("what exists is taken over, and not created again, where its id is given as adopt:", () => {
  test.each<[kind: Kind, made: V1, answered: V1]>([
    ["NetworkVolume", { size: 20, dataCenter: "EU-RO-1" }, { size: 20, dataCenterId: "EU-RO-1" }],
    [
      "Pod",
      { image: "org/app:1", gpu: { id: RTX, count: 1 } },
      { image: "org/app:1", gpu: { id: RTX, count: 1 }, cloudType: "SECURE" },
    ],
    ["RegistryAuth", { username: "u", password: "p" }, { username: "u", password: "p" }],
    [
      "ServerlessEndpoint",
      {
        templateId: "TEMPLATE",
        type: "QUEUE",
        gpu: { pools: ["ADA_24"] },
        scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
      },
      { templateId: "TEMPLATE", gpuTypeIds: [RTX], flashboot: false },
    ],
    ["Template", { image: "org/app:1" }, { imageName: "org/app:1" }],
  ])("a %s", async (kind, made, answered) => {
    const { client, ids } = await furnished();
    const { body } = await client.rest<V1>("POST", paths[kind], named({ name: "existing", ...made }, ids));
    const answer = named({ id: body.id, name: "existing", ...answered }, ids);
    const { args, notes } = convert(kind, answer);
    expect(notes).toContainEqual({
      kind: "omitted",
      path: "id",
      value: body.id,
      text: expect.stringMatching(
        /^given as adopt: the program adopts this .*; without adopt, podlumi creates another/,
      ),
    });
    expect(await make(client, kind, { ...args, adopt: body.id })).toMatchObject({ id: body.id });
  });
});

test("every GPU type that the service has in a pool is asked for by that pool", () => {
  for (const { id, pool } of gpus) {
    const { args } = convert("ServerlessEndpoint", { templateId: "t", gpuTypeIds: [id] });
    expect({ id, gpu: args.gpu }).toMatchObject({ id, gpu: pool === null ? undefined : { pools: [pool] } });
  }
});

describe("what only a person can decide is asked, and podlumi's check refuses what lacks it:", () => {
  test.each<[title: string, kind: Kind, body: V1, path: string]>([
    ["a GPU type", "Pod", { imageName: "a:1" }, "gpuTypeIds"],
    ["a CPU flavor", "Pod", { imageName: "a:1", computeType: "CPU" }, "cpuFlavorIds"],
    [
      "an odd number of vCPUs",
      "Pod",
      { imageName: "a:1", cpuFlavorIds: ["cpu3c"], vcpuCount: 3 },
      "vcpuCount",
    ],
    ["an image", "Pod", { gpuTypeIds: [RTX] }, "imageName"],
    [
      "a pool of a GPU type that no known pool holds",
      "ServerlessEndpoint",
      { templateId: "t", gpuTypeIds: ["NVIDIA B200"] },
      "gpuTypeIds[0]",
    ],
    ["a template", "ServerlessEndpoint", { gpuTypeIds: [RTX] }, "templateId"],
    ["a size that is a number", "NetworkVolume", { size: "big", dataCenterId: "EU-RO-1" }, "size"],
    ["one data center", "NetworkVolume", { size: 10, dataCenterId: "EU-RO-1,EU-SE-1" }, "dataCenterId"],
    ["the login of an answered credential", "RegistryAuth", { id: "r", name: "ghcr" }, "password"],
  ])("%s", (_title, kind, body, path) => {
    const { args, notes } = convert(kind, body);
    expect(notes).toContainEqual(expect.objectContaining({ kind: "decide", path }));
    expect(checked(kind, args)).not.toEqual([]);
  });
});
