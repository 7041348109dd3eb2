import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ResourceProvider } from "@pulumi/pulumi/dynamic";
import { handler } from "../../provider/core/handler";
import type { Properties } from "../../provider/core/value";
import { cluster } from "../../provider/resources/cluster";
import { networkVolume } from "../../provider/resources/network-volume";
import { pod } from "../../provider/resources/pod";
import { registryAuth } from "../../provider/resources/registry-auth";
import { registryDelegation } from "../../provider/resources/registry-delegation";
import { secret } from "../../provider/resources/secret";
import { serverlessEndpoint } from "../../provider/resources/serverless-endpoint";
import { template } from "../../provider/resources/template";
import { session } from "../../provider/session";
import { type Emulator, startEmulator } from "../emulator";
import { fast } from "../lifecycle/life-cycle";

let emulator: Emulator;
let home: string;
let environment: NodeJS.ProcessEnv;

beforeEach(async () => {
  emulator = await startEmulator({ ...fast });
  home = mkdtempSync(join(tmpdir(), "podlumi-home-"));
  process.env.PULUMI_HOME = home;
  environment = { ...emulator.env };
});
afterEach(async () => {
  delete process.env.PULUMI_HOME;
  await emulator.close();
  rmSync(home, { recursive: true, force: true });
});

/** The provider as a process of its own would have it: with nothing remembered from before. */
function provider() {
  const fresh = session(environment);
  return {
    cluster: handler(cluster, fresh),
    networkVolume: handler(networkVolume, fresh),
    pod: handler(pod, fresh),
    registryAuth: handler(registryAuth, fresh),
    registryDelegation: handler(registryDelegation, fresh),
    secret: handler(secret, fresh),
    serverlessEndpoint: handler(serverlessEndpoint, fresh),
    template: handler(template, fresh),
  };
}

type Kind = keyof ReturnType<typeof provider>;

const inputs: Record<Kind, Properties> = {
  cluster: {
    name: "training",
    type: "TRAINING",
    compute: { gpuTypeId: "NVIDIA H200", gpuCountPerPod: 8, podCount: 2 },
    image: "org/train:1",
    env: { A: "1" },
  },
  networkVolume: { name: "data", size: 20, dataCenter: "EU-RO-1" },
  pod: {
    name: "trainer",
    image: "org/pod:1",
    gpu: { id: "NVIDIA L4" },
    env: { A: "1" },
    ports: ["22/tcp", "80/http"],
  },
  registryAuth: { name: "ghcr", username: "bot", password: "hunter22" },
  registryDelegation: { name: "ecr", resource: "arn:aws:ecr:us-east-2:123456789012:repository/app:v1" },
  secret: { name: "token", value: "hunter22" },
  serverlessEndpoint: {
    name: "llm",
    type: "QUEUE",
    image: "org/worker:1",
    gpu: { pools: ["ADA_24"], excludedTypes: [] },
    scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
  },
  template: { name: "worker", image: "org/worker:1", env: { A: "1" } },
};

const kinds = Object.keys(inputs) as Kind[];
const create = (of: ResourceProvider, kind: Kind, changes: Properties = {}) =>
  of.create({ ...inputs[kind], ...changes, __provider: "p", __urn: `urn:${kind}` });

/** Ids of everything that exists. */
const existing = () => Object.values(emulator.service.snapshot()).flatMap((all) => all.map(({ id }) => id));

const creations = [
  { match: { method: "POST", path: "/pods" } },
  { match: { method: "POST", path: "/clusters" } },
  { match: { method: "POST", path: "/registries/delegations" } },
  { match: { method: "POST", path: "/serverless" } },
  { match: { method: "POST", path: "/templates" } },
  { match: { method: "POST", path: "/network-volumes" } },
  { match: { method: "POST", path: "/registries" } },
  { match: { operation: "secretCreate" } },
];

describe.each([
  ["the connection is cut", { reset: true }],
  ["the service fails", { status: 500 }],
  ["a gateway fails", { status: 502 }],
  ["the answer is no JSON", { malformed: true }],
  ["the answer ends early", { truncated: true }],
])("when %s", (_title, what) => {
  test.each(kinds)("after a %s was made, it is found and not made twice", async (kind) => {
    for (const { match } of creations) emulator.faults.add({ match, when: "after", what } as never);
    const { id } = await create(provider()[kind], kind);
    expect(existing()).toEqual([id]);
    expect(emulator.faults.injected).toHaveLength(1);
  });

  test.each(kinds)("before a %s was made, it is made", async (kind) => {
    for (const { match } of creations)
      emulator.faults.add({ match, when: "before", what, times: 2 } as never);
    const { id } = await create(provider()[kind], kind);
    expect(existing()).toEqual([id]);
    expect(emulator.faults.injected).toHaveLength(2);
  });
});

describe("a process that died", () => {
  test.each(kinds)("after a %s was made leaves nothing behind: the next run takes it over", async (kind) => {
    for (const { match } of creations)
      emulator.faults.add({ match, when: "after", what: { hang: true } } as never);
    create(provider()[kind], kind).catch(() => undefined);
    while (existing().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const { id } = await create(provider()[kind], kind);
    expect(existing()).toEqual([id]);
  });

  test.each(kinds)("before its answer about a %s reached the engine leaves nothing behind", async (kind) => {
    const lost = await create(provider()[kind], kind);
    const { id } = await create(provider()[kind], kind);
    expect(id).toBe(lost.id);
    expect(existing()).toEqual([id]);
  });

  test("and whose program was edited since is told what to look at", async () => {
    const { id } = await create(provider().pod, "pod");
    const again = create(provider().pod, "pod", { image: "org/pod:2" });
    await expect(again).rejects.toThrow(`the pod ${id} may be what it made. Delete what you do not need`);
    expect(existing()).toEqual([id]);
  });
});

test.each<[Kind, Properties]>([
  ["secret", { value: "another" }],
  ["registryAuth", { password: "another" }],
  ["template", { env: undefined }],
  ["pod", { startSsh: true }],
  ["networkVolume", { name: "renamed" }],
])(
  "a %s that an interrupted run made is not taken over by an edited program, nor forgotten",
  async (kind, edit) => {
    const { id } = await create(provider()[kind], kind);
    const edited = Object.fromEntries(
      Object.entries({ ...inputs[kind], ...edit }).filter(([, value]) => value !== undefined),
    );
    const again = provider()[kind].create({ ...edited, __urn: `urn:${kind}` });
    await expect(again).rejects.toThrow(`${id} may be what it made`);
    expect(existing()).toEqual([id]);
  },
);

test("an object whose id is in a state is never taken over, whatever the resource was called", async () => {
  const first = await create(provider().pod, "pod");
  const next = provider();
  await next.pod.diff?.(first.id, { ...first.outs, __provider: "p" }, { ...inputs.pod, __provider: "p" });
  const second = await create(next.pod, "pod");
  expect(second.id).not.toBe(first.id);
  expect(existing().sort()).toEqual([first.id, second.id].sort());
});

test("somebody else's object of the same name and shape is never taken over", async () => {
  const { id: theirs } = emulator.service.volumes.create({ name: "data", size: 20, dataCenter: "EU-RO-1" });
  emulator.faults.add({
    match: { method: "POST", path: "/network-volumes" },
    when: "before",
    what: { status: 500 },
  });
  const { id } = await create(provider().networkVolume, "networkVolume");
  expect(id).not.toBe(theirs);
});

test("two equal resources of one program are made, each once, when both answers are lost", async () => {
  emulator.faults.add({
    match: { method: "POST", path: "/pods" },
    when: "after",
    what: { reset: true },
    times: 2,
  });
  const { pod } = provider();
  const make = (urn: string) => pod.create({ ...inputs.pod, __urn: urn });
  const made = await Promise.all([make("urn:1"), make("urn:2")]);
  expect(new Set(made.map(({ id }) => id)).size).toBe(2);
  expect(existing().sort()).toEqual(made.map(({ id }) => id).sort());
});

test("what cannot be told apart is listed, and nothing more is made", async () => {
  const { service } = emulator;
  emulator.faults.add({
    match: { method: "POST", path: "/network-volumes" },
    when: "after",
    what: { reset: true },
  });
  emulator.on("after", { method: "POST", path: "/network-volumes" }, async () => {
    service.volumes.create({ name: "data", size: 20, dataCenter: "EU-RO-1" });
  });
  await expect(create(provider().networkVolume, "networkVolume")).rejects.toThrow(
    /the network volumes \w+, \w+ may be/,
  );
  expect(service.volumes.list()).toHaveLength(2);
});

test("a creation whose end stayed open is looked for by the next run, whatever ended this one", async () => {
  const match = { path: "/network-volumes" };
  emulator.faults.add({ match: { ...match, method: "POST" }, when: "after", what: { reset: true } });
  // The list before the creation is answered, the look after it is not.
  emulator.faults.add({ match: { ...match, method: "GET" }, when: "before", what: { status: 401 }, skip: 1 });
  await expect(create(provider().networkVolume, "networkVolume")).rejects.toThrow(/answered 401/);
  const [lost] = existing();
  const { id } = await create(provider().networkVolume, "networkVolume");
  expect(id).toBe(lost);
  expect(existing()).toEqual([id]);
});

test("the journal holds nothing secret, and nothing once the state is known to hold everything", async () => {
  const first = provider();
  const { id, outs } = await create(first.secret, "secret");
  const files = () => readdirSync(join(home, "podlumi", "creating"));
  expect(files()).toHaveLength(1);
  await provider().secret.delete?.(id, outs);
  expect(files()).toEqual([]);
  expect(emulator.service.isEmpty()).toBe(true);
});

describe("a name that must be unique", () => {
  const kindsOf: [Kind, () => { id: string }, (id: string) => void][] = [
    [
      "template",
      () => emulator.service.templates.create({ name: "worker", image: "org/other:1" }),
      (id) => emulator.service.templates.delete(id),
    ],
    [
      "registryAuth",
      () => emulator.service.registries.create({ name: "ghcr", username: "a", password: "b" }),
      (id) => emulator.service.registries.delete(id),
    ],
    [
      "secret",
      () => emulator.service.secrets.create({ name: "token", value: "b" }),
      (id) => emulator.service.secrets.delete(id),
    ],
  ];

  test.each(kindsOf)("of a %s that is taken fails in the check, and says by whom", async (kind, take) => {
    const { id } = take();
    const { failures } = (await provider()[kind].check?.({}, { ...inputs[kind], __urn: "urn:x" })) ?? {};
    expect(failures).toEqual([
      { property: "name", reason: expect.stringMatching(new RegExp(`is taken by the .* ${id}\\.`)) },
    ]);
    expect(
      emulator.requests.filter(({ method }) => method === "POST" || method === "GET").length,
    ).toBeLessThanOrEqual(4);
  });

  test.each(kindsOf)("of a %s is tried again while its holder may go away", async (kind, take, release) => {
    const { id } = take();
    setTimeout(() => release(id), 300);
    const made = await create(provider()[kind], kind);
    expect(existing()).toEqual([made.id]);
  });

  test("is free for the resource that holds it, and taken for another of the same program", async () => {
    const { template } = provider();
    const check = (urn: string, olds: Properties) =>
      template.check?.(olds, { ...inputs.template, __urn: urn });
    const { id, outs } = await create(template, "template");
    const next = provider().template;
    await next.diff?.(id, outs, { ...inputs.template });
    expect((await next.check?.({}, { ...inputs.template, __urn: "urn:template" }))?.failures).toEqual([]);
    expect((await check("urn:a", {}))?.failures).toEqual([]);
    expect((await check("urn:b", {}))?.failures).toEqual([
      { property: "name", reason: "is also the name of urn:a: names of this kind are unique in the account" },
    ]);
  });

  test("is not checked without a key, and the check says so once", async () => {
    const said: string[] = [];
    const write = jest
      .spyOn(process.stderr, "write")
      .mockImplementation((text) => said.push(String(text)) > 0);
    const { template } = ((): ReturnType<typeof provider> => {
      environment = { ...environment, RUNPOD_API_KEY: "" };
      return provider();
    })();
    for (const urn of ["urn:1", "urn:2"]) {
      const checked = await template.check?.({}, { ...inputs.template, name: urn, __urn: urn });
      expect(checked?.failures).toEqual([]);
    }
    write.mockRestore();
    expect(said).toEqual([
      expect.stringMatching(/^podlumi could not check whether names are free: no API key/),
    ]);
  });
});

describe("a pod for which there is no room", () => {
  const placements = [
    { gpu: { id: "NVIDIA H200" }, dataCenterIds: ["EU-RO-1"] },
    { gpu: { id: "NVIDIA A40" } },
    { gpu: { id: "NVIDIA L4", count: 2 }, cloud: "SECURE" },
  ];
  const placed = { gpu: undefined, placements };
  const full = (gpu: string) => emulator.service.capacity.set({ gpu, free: 0 });

  test("takes the first place that has some, and stays there", async () => {
    full("NVIDIA H200");
    const { pod } = provider();
    const { id, outs } = await create(pod, "pod", placed);
    expect(emulator.service.pods.get(id)).toMatchObject({ gpu: { id: "NVIDIA A40", count: 1 } });
    expect(outs).toMatchObject({ placement: 1 });
    const diff = async (list: unknown) =>
      pod.diff?.(id, outs, { ...inputs.pod, gpu: undefined, placements: list });
    expect(await diff(placements)).toMatchObject({ changes: false });
    expect(await diff([...placements].reverse())).toMatchObject({ changes: false });
    expect(await diff(placements.slice(2))).toMatchObject({ changes: true, replaces: ["placements"] });
  });

  test("says what each place answered, and what the catalog has", async () => {
    for (const gpu of ["NVIDIA H200", "NVIDIA A40", "NVIDIA L4"]) full(gpu);
    const made = create(provider().pod, "pod", placed);
    await expect(made).rejects.toThrow(
      /NVIDIA H200 in EU-RO-1 \(SECURE\): POST \/pods answered 400 .* NVIDIA A40 in any data center/,
    );
    await expect(made).rejects.toThrow(/Availability in the catalog: .*NVIDIA A40 NONE/);
  });

  test("is tried again for as long as it is given, when it is made and when it is started", async () => {
    const free = (count: number) => emulator.service.capacity.set({ gpu: "NVIDIA L4", free: count });
    free(0);
    const { pod } = provider();
    setTimeout(() => free(1), 500);
    const { id, outs } = await create(pod, "pod", { capacityTimeout: 30 });
    const news = { ...inputs.pod, capacityTimeout: 30, desiredStatus: "RUNNING" };
    const stopped = await pod.update?.(id, outs, { ...news, desiredStatus: "EXITED" });
    free(0);
    setTimeout(() => free(1), 500);
    const started = await pod.update?.(id, stopped?.outs, news);
    expect(started?.outs).toMatchObject({ status: "RUNNING" });
    expect(
      emulator.requests.filter(({ method, status }) => method === "POST" && status === 400),
    ).toHaveLength(2);
  });

  test("ends at once when there is no balance", async () => {
    emulator.service.balance = 0;
    await expect(create(provider().pod, "pod", placed)).rejects.toThrow(/answered 402 .* Add balance/);
    expect(emulator.requests.filter(({ method }) => method === "POST")).toHaveLength(1);
  });
});

test("a deletion that is refused for too long says who uses what", async () => {
  const { networkVolume, pod } = provider();
  const { id } = await create(networkVolume, "networkVolume");
  const holder = await create(pod, "pod", { mounts: { network: [{ volumeId: id, path: "/a" }] } });
  const deleted = networkVolume.delete?.(id, { name: "data", deleteTimeout: 1 });
  await expect(deleted).rejects.toThrow(
    new RegExp(
      `could not delete network volume "data" .* tried again for 1 s\\. It is used by pod "trainer" \\(${holder.id}\\)`,
    ),
  );
});

test("an endpoint beyond the quota of workers is told who has them, and how many are left", async () => {
  emulator.service.workersQuota = 5;
  const { serverlessEndpoint } = provider();
  const first = await create(serverlessEndpoint, "serverlessEndpoint", { workers: { max: 3 } });
  const second = serverlessEndpoint.create({
    ...inputs.serverlessEndpoint,
    workers: { max: 4 },
    __urn: "urn:second",
  });
  await expect(second).rejects.toThrow(/at most 2/);
  await expect(second).rejects.toThrow(
    `The account's other endpoints may have 3 workers: llm (${first.id}) 3.`,
  );
});
