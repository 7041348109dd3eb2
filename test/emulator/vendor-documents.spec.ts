import { endpointPath, GPU } from "./client";
import { startGraphql } from "./graphql-client";

// What the vendor's two Pulumi providers and its Python SDK ask of GraphQL.

const POD = `id name machineId imageName dockerArgs gpuCount vcpuCount memoryInGb containerDiskInGb volumeInGb volumeMountPath
  desiredStatus costPerHr env ports templateId networkVolumeId containerRegistryAuthId podType`;
const ENDPOINT = `id name templateId gpuIds workersMin workersMax idleTimeout locations scalerType scalerValue networkVolumeId
  networkVolumeIds { networkVolumeId dataCenterId } gpuCount instanceIds workersPFBTarget allowedCudaVersions minCudaVersion
  executionTimeoutMs flashBootType flashEnvironmentId type modelReferences env { key value }`;
const VOLUME = "id name size dataCenterId storageClusterId storageType";
const TEMPLATE = `id name imageName dockerArgs env { key value } ports portsConfig { port name } volumeMountPath volumeInGb
  containerDiskInGb startJupyter startSsh startScript isServerless isPublic containerRegistryAuthId readme advancedStart category`;
const SAVE_ENDPOINT = `mutation ($input: EndpointInput!) { saveEndpoint(input: $input) { ${ENDPOINT} } }`;
const SAVE_TEMPLATE = `mutation ($input: SaveTemplateInput) { saveTemplate(input: $input) { ${TEMPLATE} } }`;

const WORKER = {
  name: "worker",
  imageName: "org/worker:1",
  containerDiskInGb: 20,
  volumeInGb: 0,
  dockerArgs: "",
  env: [{ key: "LEVEL", value: "info" }],
  isServerless: true,
};

/** An emulator with the names of the public schema. `ask` answers the operation's result, and throws its refusal. */
async function start(options: Parameters<typeof startGraphql>[0] = {}) {
  const client = await startGraphql({ ...options, features: { templateArgs: "dockerArgs" } });
  const ask = async (query: string, variables?: object) => {
    const { body } = await client.run(query, variables);
    if (body.errors) throw new Error(body.errors.map(({ message }) => message).join("\n"));
    return Object.values(body.data ?? {})[0] as Record<string, unknown>;
  };
  const refusal = (query: string, variables?: object) =>
    ask(query, variables).then(
      () => "none",
      ({ message }) => message as string,
    );
  const worker = async (more: object = {}) =>
    String((await ask(SAVE_TEMPLATE, { input: { ...WORKER, ...more } })).id);
  return { ...client, ask, refusal, worker, service: client.emulator.service };
}

test("the native provider's documents, whose variables are all nullable, create, change and delete every kind", async () => {
  const { ask, service } = await start({ timings: { templateRelease: 0 } });
  const volume = await ask(
    `mutation ($name: String $size: Int $dataCenterId: String) {
      createNetworkVolume(input: { name: $name, size: $size, dataCenterId: $dataCenterId }) { id name size dataCenterId }
    }`,
    { name: "data", size: 10, dataCenterId: "EU-RO-1" },
  );
  const grown = await ask(
    `mutation ($id: String! $name: String $size: Int) {
      updateNetworkVolume(input: { id: $id, name: $name, size: $size }) {
        id size dataCenter { id name location storageSupport }
      }
    }`,
    { id: volume.id, name: "data", size: 20, dataCenterId: "EU-RO-1" },
  );
  expect(grown).toEqual({
    id: volume.id,
    size: 20,
    dataCenter: { id: "EU-RO-1", name: "EU-RO-1", location: "Romania", storageSupport: true },
  });
  const { id: templateId } = await ask(
    `mutation (
      $name: String! $imageName: String! $containerDiskInGb: Int! $volumeInGb: Int! $dockerArgs: String!
      $env: [EnvironmentVariableInput!]! $containerRegistryAuthId: String $isPublic: Boolean $isServerless: Boolean
      $ports: String $readme: String $startJupyter: Boolean $startSsh: Boolean $volumeMountPath: String
    ) {
      saveTemplate(input: {
        name: $name, imageName: $imageName, containerDiskInGb: $containerDiskInGb, volumeInGb: $volumeInGb,
        dockerArgs: $dockerArgs, env: $env, containerRegistryAuthId: $containerRegistryAuthId, isPublic: $isPublic,
        isServerless: $isServerless, ports: $ports, readme: $readme, startJupyter: $startJupyter, startSsh: $startSsh,
        volumeMountPath: $volumeMountPath
      }) { id imageName name }
    }`,
    { ...WORKER, dockerArgs: "-v", readme: "# Worker" },
  );
  const [pod, port, money] = [
    "$startSsh: Boolean $stopAfter: DateTime",
    "$port: Port",
    "$savingsPlan: SavingsPlanInput",
  ];
  const { id: podId } = await ask(
    `mutation (${pod} ${port} ${money} $imageName: String $gpuTypeId: String $gpuCount: Int $networkVolumeId: String
      $env: [EnvironmentVariableInput] $cloudType: CloudTypeEnum $deployCost: Float $supportPublicIp: Boolean) {
      podFindAndDeployOnDemand(input: {
        startSsh: $startSsh, stopAfter: $stopAfter, port: $port, savingsPlan: $savingsPlan, imageName: $imageName, name: "p",
        gpuTypeId: $gpuTypeId, gpuCount: $gpuCount, networkVolumeId: $networkVolumeId, env: $env, cloudType: $cloudType,
        deployCost: $deployCost, supportPublicIp: $supportPublicIp
      }) { id imageName machineId containerDiskInGb }
    }`,
    { imageName: "app:1", gpuTypeId: GPU.id, gpuCount: 1, networkVolumeId: volume.id, cloudType: "ALL" },
  );
  await ask(
    `mutation ($podId: String! $imageName: String! $containerDiskInGb: Int! $port: Port $env: [EnvironmentVariableInput]) {
      podEditJob(input: {
        podId: $podId, imageName: $imageName, containerDiskInGb: $containerDiskInGb, port: $port, env: $env
      }) { id imageName }
    }`,
    { podId, imageName: "app:2", containerDiskInGb: 30 },
  );
  const save = (
    id: string,
  ) => `mutation (${id && "$id: String!"} $gpuIds: String! $templateId: String! $name: String!
    $idleTimeout: Int $locations: String $networkVolumeId: String $scalerType: String $scalerValue: Int $workersMax: Int
    $workersMin: Int) {
    saveEndpoint(input: { ${id && "id: $id,"} gpuIds: $gpuIds, templateId: $templateId, name: $name, idleTimeout: $idleTimeout,
      locations: $locations, networkVolumeId: $networkVolumeId, scalerType: $scalerType, scalerValue: $scalerValue,
      workersMax: $workersMax, workersMin: $workersMin }) { id name }
  }`;
  const endpoint = {
    name: "e",
    templateId,
    gpuIds: "AMPERE_16,AMPERE_24,-NVIDIA L4",
    networkVolumeId: volume.id,
  };
  const scaled = {
    scalerType: "REQUEST_COUNT",
    scalerValue: 2,
    idleTimeout: 100,
    workersMax: 2,
    workersMin: 1,
  };
  const { id } = await ask(save(""), { ...endpoint, ...scaled });
  expect(service.endpoints.get(String(id))).toMatchObject({
    type: "QUEUE",
    image: "org/worker:1",
    args: "-v",
    env: { LEVEL: "info" },
    gpu: { pools: ["AMPERE_16", "AMPERE_24"], excludedTypes: ["NVIDIA L4"], count: 1 },
    scaling: { type: "REQUEST_COUNT", requestCount: 2 },
    workers: { min: 1, max: 2 },
    networkVolumes: [volume.id],
  });
  expect(service.pods.get(String(podId))).toMatchObject({ image: "app:2", disk: 30, cloud: "SECURE" });
  // It deletes an endpoint in two steps, the first of which resets what it leaves out.
  const withoutVolume = { ...endpoint, networkVolumeId: undefined };
  await ask(save("id"), { id, ...withoutVolume, workersMax: 0, workersMin: 0 });
  expect(service.endpoints.get(String(id))).toMatchObject({
    scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
    workers: { min: 0, max: 0, idleTimeout: 10 },
    networkVolumes: [],
  });
  await ask("mutation ($id: String!) { deleteEndpoint(id: $id) }", { id });
  await ask("mutation ($podId: String!) { podTerminate(input: { podId: $podId }) }", { podId });
  await ask("mutation ($id: String!) { deleteNetworkVolume(input: { id: $id }) }", { id: volume.id });
  await ask("mutation ($name: String!) { deleteTemplate(templateName: $name) }", { name: WORKER.name });
  expect(service.isEmpty()).toBe(true);
});

test("the other provider's documents, with whole inputs and empty lists, are answered with all that they select", async () => {
  const { ask, service, worker } = await start();
  const named = {
    portsConfig: [{ port: "8888", name: "Notebook" }],
    startScript: "run",
    advancedStart: true,
  };
  const templateId = await worker({ ...named, config: { any: 1 } });
  const volume = await ask(
    `mutation ($input: CreateNetworkVolumeInput!) { createNetworkVolume(input: $input) { ${VOLUME} } }`,
    { input: { name: "data", size: 10, dataCenterId: "EU-RO-1" } },
  );
  const none = { instanceIds: [], networkVolumeIds: null, env: null, modelReferences: [] };
  const input = {
    ...none,
    name: "e",
    templateId,
    gpuIds: "ADA_24",
    networkVolumeId: volume.id,
    flashBootType: "FLASHBOOT",
  };
  const endpoint = await ask(SAVE_ENDPOINT, {
    input: {
      ...input,
      env: [{ key: "MODE", value: "a" }],
      allowedCudaVersions: "12.6, 12.8",
      executionTimeoutMs: 5000,
    },
  });
  expect(endpoint).toMatchObject({
    templateId,
    gpuIds: "ADA_24",
    workersMin: 0,
    workersMax: 3,
    idleTimeout: 10,
    scalerType: "QUEUE_DELAY",
    scalerValue: 4,
    networkVolumeIds: [{ networkVolumeId: volume.id, dataCenterId: "EU-RO-1" }],
    allowedCudaVersions: "12.6,12.8",
    executionTimeoutMs: 5000,
    flashBootType: "FLASHBOOT",
    type: "QB",
    env: [
      { key: "LEVEL", value: "info" },
      { key: "MODE", value: "a" },
    ],
  });
  const { id } = await ask(SAVE_ENDPOINT, {
    input: { ...input, id: endpoint.id, name: "f", networkVolumeId: null },
  });
  expect(id).toBe(endpoint.id);
  const { endpoints, networkVolumes, podTemplates } = await ask(`{ myself {
    endpoints { ${ENDPOINT} } networkVolumes { ${VOLUME} } podTemplates { ${TEMPLATE} }
    containerRegistryCreds { id name } secrets { id name description createdAt updatedAt }
  } }`);
  expect(endpoints).toMatchObject([
    {
      id,
      name: "f",
      networkVolumeIds: [],
      allowedCudaVersions: "",
      executionTimeoutMs: 300_000,
      env: [{ key: "LEVEL" }],
    },
  ]);
  expect(networkVolumes).toEqual([volume]);
  expect(podTemplates).toMatchObject([{ id: templateId, isServerless: true, ...named }]);
  const empty = { env: [], gpuTypeIdList: [], allowedCudaVersions: [], instanceIds: [], modelReferences: [] };
  const pod = await ask(
    `mutation ($input: PodFindAndDeployOnDemandInput!) { podFindAndDeployOnDemand(input: $input) { ${POD} } }`,
    {
      input: {
        ...empty,
        name: "p",
        imageName: "app:1",
        gpuTypeId: GPU.id,
        gpuCount: 1,
        countryCode: "SE",
        cudaVersion: "12.6",
      },
    },
  );
  expect(pod).toMatchObject({
    imageName: "app:1",
    podType: "RESERVED",
    desiredStatus: "RUNNING",
    templateId: null,
  });
  expect(service.pods.get(String(pod.id))).toMatchObject({ dataCenterId: "EU-SE-1", cudaVersion: "12.6" });
  const cpuPod = await ask(
    `mutation ($input: deployCpuPodInput!) { deployCpuPod(input: $input) { ${POD} } }`,
    {
      input: { instanceId: "cpu3m-2-16", name: "c", imageName: "app:1", env: [] },
    },
  );
  expect(cpuPod).toMatchObject({ vcpuCount: 2, memoryInGb: 16, gpuCount: 0, containerDiskInGb: 10 });
  const query = `query ($input: PodFilter!) { pod(input: $input) { ${POD} } }`;
  expect(await ask(query, { input: { podId: cpuPod.id } })).toEqual(cpuPod);
});

test("the other provider's functions tell the catalog that REST tells", async () => {
  const { ask, rest, service } = await start();
  service.capacity.set({ gpu: GPU.id, free: 3, dataCenter: "EU-RO-1" });
  const flavors = `query ($input: CpuFlavorInput) { cpuFlavors(input: $input) {
    id groupId groupName displayName minVcpu maxVcpu vcpuBurstable ramMultiplier diskLimitPerVcpu
  } }`;
  const { body: cpus } = await rest<{ cpus: { id: string; ramGbPerVcpu: number }[] }>("GET", "/catalog/cpus");
  expect(await ask(flavors)).toMatchObject(
    cpus.cpus.map(({ id, ramGbPerVcpu }) => ({ id, ramMultiplier: ramGbPerVcpu, minVcpu: 2, maxVcpu: 32 })),
  );
  expect(await ask(flavors, { input: { id: "cpu5g" } })).toMatchObject([{ id: "cpu5g", groupId: "cpu5" }]);
  const places = (await ask(`{ dataCenters {
    id name location listed storageSupport globalNetwork region compliance
    gpuAvailability { gpuTypeId gpuTypeDisplayName available stockStatus }
  } }`)) as unknown as { id: string; gpuAvailability: object[] }[];
  const { body: centers } = await rest<{ dataCenters: { id: string }[] }>("GET", "/catalog/datacenters");
  expect(places.map(({ id }) => id)).toEqual(centers.dataCenters.map(({ id }) => id));
  const romania = places.find(({ id }) => id === "EU-RO-1");
  expect(romania).toMatchObject({
    storageSupport: true,
    region: "EUROPE",
    compliance: ["GDPR", "ISO_IEC_27001"],
  });
  expect(romania?.gpuAvailability).toContainEqual({
    gpuTypeId: GPU.id,
    gpuTypeDisplayName: "RTX 4090",
    available: true,
    stockStatus: "Low",
  });
  const lowest = (wish: string) =>
    ask(`{ gpuTypes(input: { ids: ["${GPU.id}"] }) {
      id manufacturer cudaCores securePrice communityPrice oneMonthPrice communitySpotPrice maxGpuCount
      lowestPrice(input: { gpuCount: 4, ${wish} }) { minimumBidPrice uninterruptablePrice rentedCount totalCount stockStatus availableGpuCounts }
    } }`);
  expect(await lowest("")).toMatchObject([
    { id: GPU.id, maxGpuCount: 8, lowestPrice: { stockStatus: "High" } },
  ]);
  // Four are asked for, three are there.
  for (const wish of ['dataCenterId: "EU-RO-1"', 'countryCode: "RO"'])
    expect(await lowest(wish)).toMatchObject([
      { lowestPrice: { stockStatus: "None", availableGpuCounts: [1, 2, 3] } },
    ]);
  expect(await lowest('minCudaVersion: "14.0"')).toMatchObject([{ lowestPrice: { stockStatus: "None" } }]);
});

test("the Python SDK's documents, which have no variables, are answered with all that they select", async () => {
  const { ask, refusal, service, clock } = await start();
  const key = "ssh-ed25519 AAAA one@host";
  expect(
    await ask(
      `mutation { updateUserSettings(input: { pubKey: "${key}\\n\\nssh-rsa BBBB two" }) { id pubKey } }`,
    ),
  ).toEqual({
    id: service.userId,
    pubKey: `${key}\nssh-rsa BBBB two`,
  });
  const pod = await ask(`mutation { deployCpuPod(input: {
    name: "p", imageName: "", cloudType: ALL, startSsh: true, instanceId: "cpu3c-2-4", dataCenterId: null, dockerArgs: "",
    containerDiskInGb: 10, volumeMountPath: "/runpod-volume", templateId: "runpod-ubuntu"
  }) { id imageName env machineId machine { podHostId } } }`);
  expect(pod).toMatchObject({ imageName: "runpod/base:latest" });
  const { pods } = await ask(`{ myself { pods {
    id containerDiskInGb costPerHr desiredStatus dockerArgs dockerId env gpuCount imageName lastStatusChange machineId memoryInGb
    name podType port ports uptimeSeconds vcpuCount volumeInGb volumeMountPath machine { gpuDisplayName }
    runtime { ports { ip isIpPublic privatePort publicPort type } }
  } } }`);
  expect(pods).toMatchObject([{ id: pod.id, uptimeSeconds: 0, machine: { gpuDisplayName: null } }]);
  const save = (name: string) => `mutation { saveTemplate(input: {
    name: "${name}", imageName: "org/${name}:1", dockerArgs: "", containerDiskInGb: 10, volumeInGb: 0, ports: "", env: [],
    isServerless: true, containerRegistryAuthId: "", startSsh: true, isPublic: false, readme: ""
  }) { id name imageName dockerArgs containerDiskInGb volumeInGb volumeMountPath ports env { key value } isServerless } }`;
  const [{ id: templateId }, { id: other }] = [await ask(save("one")), await ask(save("two"))];
  const { id } = await ask(`mutation { saveEndpoint(input: {
    flashBootType: FLASHBOOT, name: "e", templateId: "${templateId}", gpuIds: "AMPERE_16", networkVolumeId: "", locations: "",
    idleTimeout: 5, scalerType: "QUEUE_DELAY", scalerValue: 4, workersMin: 0, workersMax: 3, gpuCount: 1
  }) { id name templateId gpuIds networkVolumeId locations idleTimeout scalerType scalerValue workersMin workersMax
    allowedCudaVersions gpuCount flashBootType } }`);
  const swap = `mutation { updateEndpointTemplate(input: { templateId: "${other}", endpointId: "${id}" }) { id templateId } }`;
  expect(await ask(swap)).toEqual({ id, templateId: other });
  const { endpoints } = await ask(`{ myself { endpoints {
    aiKey gpuIds id idleTimeout name networkVolumeId locations scalerType scalerValue templateId type userId version workersMax
    workersMin workersStandby gpuCount env { key value } createdAt networkVolume { id dataCenterId } template { imageName }
  } } }`);
  expect(endpoints).toMatchObject([
    { id, version: 2, idleTimeout: 5, networkVolume: null, template: { imageName: "org/two:1" } },
  ]);
  clock.advance(60_000);
  const remove = (name: string) => `mutation { deleteTemplate(templateName: "${name}") }`;
  expect([await refusal(remove("one")), await refusal(remove("two"))]).toEqual([
    "none",
    expect.stringContaining("in use"),
  ]);
});

test("what REST refuses of an endpoint, GraphQL refuses", async () => {
  const { refusal, service, worker, rest } = await start({ workersQuota: 5 });
  const templateId = await worker();
  const input = { name: "e", templateId, gpuIds: "ADA_24" };
  for (const [wrong, why] of [
    [{ name: "" }, "$.name"],
    [{ templateId: null }, "templateId or template is required"],
    [{ templateId: "nobody" }, "not found"],
    [{ gpuIds: null }, "exactly one of gpu or cpu"],
    [{ instanceIds: ["cpu3c-2-4"] }, "exactly one of gpu or cpu"],
    [{ gpuIds: "ADA_99" }, "GPU pool 'ADA_99' was not found"],
    [{ gpuIds: "-NVIDIA L4" }, "$.gpu.pools"],
    [{ gpuIds: "ADA_24,-NVIDIA L4" }, "is not a GPU type of the pools"],
    [{ gpuCount: 0 }, "$.gpu.count"],
    [{ workersMax: 6 }, "workers quota (5)"],
    [{ workersMin: 4 }, "workers.min must not exceed workers.max"],
    [{ idleTimeout: 4000 }, "$.workers.idleTimeout"],
    [{ scalerValue: 0 }, "$.scaling.queueDelay"],
    [{ scalerType: "GUESS" }, "scalerType 'GUESS'"],
    [{ type: "XX" }, "type 'XX'"],
    [{ type: "LB", scalerType: "QUEUE_DELAY" }, "REQUEST_COUNT"],
    [{ minCudaVersion: "new" }, "$.gpu.minCudaVersion"],
    [{ minCudaVersion: "12.6", allowedCudaVersions: "12.8" }, "mutually exclusive"],
    [{ networkVolumeId: "nobody" }, "network volume 'nobody' was not found"],
    [{ locations: "XX-1" }, "no longer any instances available"],
    [{ modelReferences: ["org/model"] }, "Model Repo feature is not enabled"],
    [{ repo: { repoName: "org/worker" } }, "no repository to build from"],
    [{ gpuIds: null, instanceIds: ["cpu3c-2-16"] }, "no longer any instances available"],
    [
      { templateId: null, template: { ...WORKER, isServerless: undefined, volumeInGb: undefined } },
      "already exists",
    ],
  ] as const)
    expect([wrong, await refusal(SAVE_ENDPOINT, { input: { ...input, ...wrong } })]).toEqual([
      wrong,
      expect.stringContaining(why),
    ]);
  // A template of the endpoint's own goes with the endpoint that was refused.
  const { isServerless, volumeInGb, ...own } = { ...WORKER, name: "own" };
  const withOwn = { ...input, templateId: null, template: own };
  expect(await refusal(SAVE_ENDPOINT, { input: { ...withOwn, workersMax: 9 } })).toMatch(/workers quota/);
  expect(service.snapshot()).toMatchObject({ endpoints: [], templates: [{ id: templateId }] });
  expect(
    await refusal(SAVE_ENDPOINT, { input: { ...withOwn, gpuIds: null, instanceIds: ["cpu3c-2-4"] } }),
  ).toBe("none");
  const [endpoint] = service.endpoints.list();
  const id = endpoint?.id ?? "";
  expect(endpoint).toMatchObject({
    image: WORKER.imageName,
    cpu: [{ id: "cpu3c", vcpuCount: 2, memory: 4 }],
  });
  expect(await refusal(SAVE_ENDPOINT, { input: { ...input, id } })).toMatch(/compute family/);
  expect(await refusal(SAVE_ENDPOINT, { input: { ...input, id, type: "LB" } })).toMatch(
    /type of an endpoint/,
  );
  const remove = "mutation ($id: String!) { deleteEndpoint(id: $id) }";
  expect(await refusal(remove, { id })).toMatch(/workersMin and workersMax/);
  expect(await refusal(remove, { id: "nobody" })).toMatch(/not found/);
  // REST deletes it as it is.
  expect((await rest("DELETE", endpointPath({ id }))).status).toBe(204);
});

test("a field or an argument that the public schema lacks is refused, and all of it without the extras", async () => {
  const { run } = await startGraphql();
  for (const query of [
    "{ dataCenters { id cpuAvailability } }",
    '{ cpuFlavors(input: { name: "c" }) { id } }',
    "{ myself { endpoints { id requestUrls } } }",
    'mutation { saveEndpoint(input: { gpuIds: "ADA_24" }) { id } }',
    "mutation { deleteEndpoint }",
  ])
    expect([query, (await run(query)).status]).toEqual([query, 400]);
  const specified = await startGraphql({ features: { graphqlExtras: false } });
  for (const query of [
    "{ dataCenters { id } }",
    "{ cpuFlavors { id } }",
    'mutation { deleteEndpoint(id: "x") }',
  ])
    expect([query, (await specified.run(query)).status]).toEqual([query, 400]);
});
