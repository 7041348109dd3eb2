import { resourceOf } from "../../provider/core/call";
import type { Properties } from "../../provider/value";
import { create, creations, declared, emulator, inputs, provider, stacks, urnOf } from "./process";

// Creates that the service refuses.

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
    const withList = (list: unknown) => ({
      ...inputs.pod,
      gpu: undefined,
      placements: list,
      __urn: outs?.__urn,
    });
    const diff = async (list: unknown) => pod.diff?.(id, outs, withList(list));
    expect(await diff(placements)).toMatchObject({ changes: false });
    const turned = [...placements.slice(1), ...placements.slice(0, 1)];
    expect(await diff(turned)).toMatchObject({ changes: undefined, replaces: [] });
    emulator.requests.splice(0);
    expect((await pod.update?.(id, outs, withList(turned)))?.outs).toMatchObject({ placement: 0 });
    expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    expect(await diff(placements.slice(2))).toMatchObject({ changes: undefined, replaces: ["placements"] });
  });

  test("says what each place answered, and what the catalog has", async () => {
    for (const gpu of ["NVIDIA H200", "NVIDIA A40", "NVIDIA L4"]) full(gpu);
    const made = create("pod", placed);
    await expect(made).rejects.toThrow(
      /NVIDIA H200 in EU-RO-1 \(SECURE\): POST \/pods answered 400 .* NVIDIA A40 in any data center/,
    );
    await expect(made).rejects.toThrow(/by the catalog .*NVIDIA A40 NONE/);
    await expect(made).rejects.toThrow(
      /, add places to placements, or set capacityTimeout \[PODLUMI-NO-ROOM\]$/,
    );
  });

  test("is retried for as long as it is given, when it is created and when it is started", async () => {
    const free = (count: number) => emulator.service.capacity.set({ gpu: "NVIDIA L4", free: count });
    free(0);
    const { pod } = provider();
    emulator.on("after", { method: "POST" }, () => free(1));
    const { id, outs } = await create(pod, "pod", { capacityTimeout: 30 });
    const news = { ...inputs.pod, capacityTimeout: 30, desiredStatus: "RUNNING" };
    const stopped = await pod.update?.(id, outs, { ...news, desiredStatus: "EXITED" });
    free(0);
    await expect(pod.update(id, stopped?.outs ?? {}, { ...news, capacityTimeout: 0 })).rejects.toThrow(
      /not enough free GPUs on the host .* is bound to its host, .* set capacityTimeout .* --replace`\) \[PODLUMI-NO-ROOM\]$/,
    );
    const started = await pod.update?.(id, stopped?.outs, news);
    expect(started?.outs).toMatchObject({ status: "RUNNING" });
    expect(
      emulator.requests.filter(({ method, status }) => method === "POST" && status === 400),
    ).toHaveLength(2);
  });

  test("is told from one that names what is not there: time does not help, and the error says which it is", async () => {
    const login = emulator.service.registries.create({ name: "ghcr", username: "bot", password: "hunter22" });
    const kinds = provider();
    const whose = { __urn: urnOf("registryAuth", "login"), name: "ghcr" };
    kinds.run.holders.note(login.id, whose.__urn);
    const { api } = resourceOf(kinds.registryAuth.kind, kinds.run, whose);
    kinds.run.record(whose.__urn).noteDeclared(whose);
    await kinds.run.lists.atFirst(kinds.registryAuth.kind, api());
    emulator.service.registries.delete(login.id);
    const refused = create(kinds.pod, "pod", { ...placed, registry: login.id, capacityTimeout: 600 });
    const error = await refused.catch((error: Error) => error.message);
    expect(error).toMatch(
      /: registry: there is no registry credential with the id ".*" in this account.*\. POST \/pods answered 400 .*\[PODLUMI-NOT-FOUND\]$/,
    );
    expect(error).not.toMatch(/room/);
    expect(emulator.requests.filter(({ method }) => method === "POST")).toHaveLength(1);
  });

  test("is told from one for which every place is closed", async () => {
    emulator.faults.add({
      match: { method: "POST", path: "/pods" },
      when: "before",
      what: { status: 403 },
      times: 0,
    });
    const error = await create("pod", { ...placed, capacityTimeout: 600 }).catch(
      (error: Error) => error.message,
    );
    expect(error).toMatch(/POST \/pods answered 403 .*\[PODLUMI-FORBIDDEN\]$/);
    expect(error).not.toMatch(/room/);
    expect(emulator.requests.filter(({ method }) => method === "POST")).toHaveLength(placements.length);
  });

  test("ends at once when there is no balance", async () => {
    emulator.service.balance = 0;
    await expect(create("pod", placed)).rejects.toThrow(/answered 402 .* Add funds in RunPod's console/);
    expect(emulator.requests.filter(({ method }) => method === "POST")).toHaveLength(1);
  });
});

describe("an endpoint that is refused beside one with workers", () => {
  const three = { workers: { max: 3 } };
  /** The error of a second endpoint, where the quota has room for 2 workers more, and the id of the first one. */
  async function refusal(workers: number, changes: Properties = {}) {
    emulator.service.workersQuota = 5;
    const { serverlessEndpoint } = provider();
    const first = await create(serverlessEndpoint, "serverlessEndpoint", three);
    const second = {
      ...inputs.serverlessEndpoint,
      workers: { max: workers },
      __urn: "urn:second",
      ...changes,
    };
    const error = await serverlessEndpoint.create(second).catch((thrown: Error) => thrown);
    return { id: first.id, text: String(Object(error).message) };
  }
  const noVolume = { networkVolumes: ["nowhere"] };

  test("is told who has the workers, and how many are left, where they are too many", async () => {
    const { id, text } = await refusal(4);
    expect(text).toContain("at most 2");
    expect(text).toContain(
      `Too many workers: all endpoints together could have 7 workers, and the account's quota is 5: this one 4, llm (${id}) 3.`,
    );
    expect(text).toMatch(/\[PODLUMI-WORKERS\]$/);
  });

  test("is told nothing of workers where they are not too many", async () => {
    const { text } = await refusal(2, noVolume);
    expect(text).toContain("network volume 'nowhere' was not found");
    expect(text).not.toMatch(/too many workers|PODLUMI-WORKERS/i);
  });

  test("is told who has workers, and not that they are the reason, where the service does not tell the quota", async () => {
    emulator.faults.add({
      match: { path: "/account/limits" },
      when: "before",
      what: { status: 404 },
      times: 0,
    });
    const { id, text } = await refusal(2, noVolume);
    expect(text).toContain(
      `If the quota of workers is the reason: the account's other endpoints may have 3, llm (${id}) 3.`,
    );
    expect(text).not.toContain("PODLUMI-WORKERS");
  });

  test("an update that takes no more workers is told who has them, where the quota has shrunk", async () => {
    const { serverlessEndpoint } = provider();
    await create(serverlessEndpoint, "serverlessEndpoint", { ...three, __urn: "urn:first" });
    const { id, outs } = await create(serverlessEndpoint, "serverlessEndpoint", three);
    emulator.service.workersQuota = 5;
    const news = { ...declared("serverlessEndpoint", { ...three, ...noVolume }), name: "llm" };
    const updated = serverlessEndpoint.update(id, outs ?? {}, news);
    await expect(updated).rejects.toThrow(
      /If the quota of workers is the reason: .* may have 3, llm \(\w+\) 3\./,
    );
    await expect(updated).rejects.not.toThrow("PODLUMI-WORKERS");
  });
});

test("a pool that the catalog does not have is what the error says first, at a create and at an update of gpu", async () => {
  jest.restoreAllMocks(); // The catalog has three seconds, which must not pass faster.
  const says = (call: string) =>
    new RegExp(
      `gpu\\.pools\\[0\\]: the catalog has no "ADA24"; did you mean "ADA_24"[^:]*\\? ${call} answered 400 .* \\[PODLUMI-NOT-IN-CATALOG\\]$`,
    );
  const { serverlessEndpoint } = provider();
  const gpu = { pools: ["ADA24"] };
  const made = create(serverlessEndpoint, "serverlessEndpoint", { gpu });
  await expect(made).rejects.toThrow(says("POST /serverless"));
  const { id, outs = {} } = await create(serverlessEndpoint, "serverlessEndpoint");
  const edited = (more: Properties) =>
    serverlessEndpoint.update(id, outs, { ...declared("serverlessEndpoint", more), name: "llm" });
  await expect(edited({ gpu })).rejects.toThrow(says("PATCH /serverless/\\w+"));
});

test("a data center that the catalog does not have is what the error says first, at a create of a network volume", async () => {
  jest.restoreAllMocks();
  const made = create("networkVolume", { dataCenter: "EU-RO-11" });
  await expect(made).rejects.toThrow(
    /: dataCenter: the catalog has no "EU-RO-11"; did you mean "EU-RO-1"[^:]*\? POST \/network-volumes answered 400 .* \[PODLUMI-NOT-IN-CATALOG\]$/,
  );
});

test("an error names the resource and the request, whatever plain words env holds, and hides what may be secret", async () => {
  const { pod } = provider();
  const env = { STAGE: "prod", KIND: "pods", TOKEN: "hunter22" };
  emulator.faults.add({
    match: { method: "POST", path: "/pods" },
    when: "before",
    what: { status: 422, detail: "prod: hunter22 is no token" },
  });
  await expect(create(pod, "pod", { name: "prod-llm", env })).rejects.toThrow(
    'could not create pod "prod-llm": POST /pods answered 422 Unprocessable Entity: prod: [secret] is no token',
  );
});

test("a create waits for a service that fails for a while, though a preview that gave up asked for the same list", async () => {
  const { run, networkVolume } = provider();
  const match = { method: "GET", path: "/network-volumes" };
  const checked = await networkVolume.check(undefined, declared("networkVolume"));
  emulator.faults.add({ match, when: "before", what: { status: 503 }, times: 0 });
  const looked = run.look(networkVolume.kind, () => networkVolume.kind.list(run.api().impatient()));
  const made = networkVolume.create(checked.inputs);
  expect(await looked).toBeUndefined();
  emulator.faults.clear();
  expect(await made).toMatchObject({ id: expect.any(String) });
});

test.each(["registryDelegation", "networkVolume", "pod"] as const)(
  "what the account had before is no new object, though a create is answered with it: a %s",
  async (kind) => {
    const { id, outs } = await create(kind, { __providerId: stacks.theirs });
    const { match } = creations.find(({ match }) => match.path === paths[kind]) ?? {};
    const what = { answer: { status: 201, body: { ...outs, id } } };
    emulator.faults.add({ match, when: "before", what } as never);
    await expect(create(kind, { name: "other" })).rejects.toThrow(
      new RegExp(`${id}\\), which was there before, .* write adopt: "${id}" \\[PODLUMI-NOT-NEW\\]`),
    );
  },
);

const paths = {
  registryDelegation: "/registries/delegations",
  networkVolume: "/network-volumes",
  pod: "/pods",
};

test("a preview refuses what makes the request for a new pod too large, and takes it of a pod that exists", async () => {
  const large = declared("pod", { name: "it", env: { FILE: "x".repeat(102_400) } });
  const small = declared("pod", { name: "it", env: { FILE: "x".repeat(102_000) } });
  const failures = async (olds: Properties, news: Properties) =>
    (await provider().pod.check(olds, news)).failures;
  expect(await failures({}, large)).toEqual([
    {
      property: "env",
      reason: expect.stringMatching(/larger than the 102400 bytes .*: it has 1024\d\d\. Put/),
    },
  ]);
  expect(await failures({}, small)).toEqual([]);
  const { id, outs = {} } = await provider().pod.create(small);
  expect(await failures(small, large)).toEqual([]);
  expect(await provider().pod.update(id, outs, large)).toMatchObject({ outs: { env: large.env } });
});
