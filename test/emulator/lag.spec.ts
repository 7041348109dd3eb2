import { type Client, createPod, ENDPOINT, emulate, GPU, POD } from "./client";

const LAG = 5_000;
const VOLUME = { name: "v", size: 50, dataCenter: "US-KS-2" };
const TEMPLATE = { name: "t", image: "app:1" };
const CLUSTER = {
  name: "c",
  type: "APPLICATION",
  image: "app:1",
  compute: { gpuTypeId: "NVIDIA H100 80GB HBM3", gpuCountPerPod: 8, podCount: 2 },
};

/** For each kind: the path of its list, and the body that creates an object. */
const KINDS: [path: string, body: object][] = [
  ["/pods", POD],
  ["/clusters", CLUSTER],
  ["/serverless", ENDPOINT],
  ["/templates", TEMPLATE],
  ["/network-volumes", VOLUME],
  ["/registries", { name: "r", username: "me", password: "pw" }],
  ["/account/secrets", { name: "s", value: "x" }],
];
const DELEGATION = { resource: "arn:aws:ecr:us-east-1:123456789012:repository/app:1" };
const LISTED: typeof KINDS = [...KINDS, ["/registries/delegations", DELEGATION]];

async function create({ rest }: Client, path: string, body: object): Promise<string> {
  const { status, body: made } = await rest("POST", path, body);
  expect({ status, made }).toMatchObject({ status: 201 });
  return made.id;
}

async function listed({ rest }: Client, path: string): Promise<string[]> {
  const { body } = await rest<Record<string, { id: string }[]>>("GET", path);
  return Object.values(body).flatMap((items) => items.map(({ id }) => id));
}

describe("a list that lags behind the writes", () => {
  test("has nothing of an account that was made as new", async () => {
    const client = await emulate({ timings: { listLag: LAG } });
    await create(client, "/templates", TEMPLATE);
    client.clock.advance(1);
    await create(client, "/templates", { ...TEMPLATE, name: "u" });
    client.emulator.reset();
    client.clock.advance(LAG - 1);
    expect(await listed(client, "/templates")).toEqual([]);
  });

  test.each(LISTED)("of %s has what is new later, and what is gone longer", async (path, body) => {
    const client = await emulate({ timings: { listLag: LAG } });
    const id = await create(client, path, body);
    expect(await listed(client, path)).toEqual([]);
    client.clock.advance(LAG - 1);
    expect(await listed(client, path)).toEqual([]);
    client.clock.advance(1);
    expect(await listed(client, path)).toEqual([id]);
    expect((await client.rest("DELETE", `${path}/${id}`)).status).toBe(204);
    client.clock.advance(LAG - 1);
    expect(await listed(client, path)).toEqual([id]);
    client.clock.advance(1);
    expect(await listed(client, path)).toEqual([]);
  });

  test("has each write when its own time has come", async () => {
    const client = await emulate({ timings: { listLag: LAG } });
    const names = async () => {
      const { body } = await client.rest<{ templates: { name: string }[] }>("GET", "/templates");
      return body.templates.map(({ name }) => name).join("");
    };
    const seen: string[] = [];
    for (const name of ["a", "b", "c", "", "", ""]) {
      if (name) await create(client, "/templates", { ...TEMPLATE, name });
      client.clock.advance(2_000);
      seen.push(await names());
    }
    expect(seen).toEqual(["", "", "a", "ab", "abc", "abc"]);
  });

  test("of pods has the members of clusters only when it is asked for them", async () => {
    const client = await emulate({ timings: { listLag: LAG } });
    await create(client, "/clusters", CLUSTER);
    client.clock.advance(LAG);
    await create(client, "/pods", POD);
    expect(await listed(client, "/pods")).toEqual([]);
    expect(await listed(client, "/pods?includeClusterPods=true")).toHaveLength(2);
  });

  test("of secrets is still searched by name", async () => {
    const client = await emulate({ timings: { listLag: LAG } });
    const id = await create(client, "/account/secrets", { name: "one", value: "x" });
    client.clock.advance(LAG);
    await create(client, "/account/secrets", { name: "two", value: "x" });
    expect(await listed(client, "/account/secrets?name=ONE")).toEqual([id]);
    expect(await listed(client, "/account/secrets?name=two")).toEqual([]);
  });

  test("may lag more than a read does", async () => {
    const client = await emulate({ timings: { listLag: LAG, readLag: 1_000 } });
    const id = await create(client, "/templates", TEMPLATE);
    client.clock.advance(1_000);
    expect((await client.rest("GET", `/templates/${id}`)).status).toBe(200);
    expect(await listed(client, "/templates")).toEqual([]);
  });

  test("changes no rule: a name is taken as soon as it is", async () => {
    const client = await emulate({ timings: { listLag: LAG, readLag: LAG } });
    await create(client, "/templates", TEMPLATE);
    expect(await listed(client, "/templates")).toEqual([]);
    expect((await client.rest("POST", "/templates", TEMPLATE)).status).toBe(400);
  });

  test("is remembered for as long as anything lags, and no longer", async () => {
    const client = await emulate({ timings: { listLag: LAG } });
    const { timings } = client.emulator.service;
    const first = await create(client, "/templates", TEMPLATE);
    client.clock.advance(LAG);
    await create(client, "/templates", { ...TEMPLATE, name: "u" });
    timings.listLag = 10 * LAG;
    expect(await listed(client, "/templates")).toEqual([first]);
    timings.listLag = 0;
    await create(client, "/templates", { ...TEMPLATE, name: "v" });
    timings.listLag = LAG;
    expect(await listed(client, "/templates")).toHaveLength(3);
  });
});

describe("a read that lags behind the writes", () => {
  test.each(KINDS)("of %s finds what is new later, and what is gone longer", async (path, body) => {
    const client = await emulate({ timings: { readLag: LAG } });
    const { rest, clock } = client;
    const id = await create(client, path, body);
    const read = async (id: string) => rest("GET", `${path}/${id}`);
    clock.advance(LAG - 1);
    const [early, nobody] = [await read(id), await read("nobody")];
    expect(early.status).toBe(404);
    expect(early.headers.get("content-type")).toContain("application/problem+json");
    expect(early.body).toEqual(nobody.body);
    clock.advance(1);
    expect((await read(id)).body.id).toBe(id);
    await rest("DELETE", `${path}/${id}`);
    clock.advance(LAG - 1);
    expect((await read(id)).body.id).toBe(id);
    clock.advance(1);
    expect((await read(id)).status).toBe(404);
  });

  test("shows what was changed as it was, and the change itself returns what is", async () => {
    const client = await emulate({ timings: { readLag: LAG } });
    const path = `/network-volumes/${await create(client, "/network-volumes", VOLUME)}`;
    client.clock.advance(LAG);
    expect((await client.rest("PATCH", path, { name: "w", size: 60 })).body).toMatchObject({ name: "w" });
    expect((await client.rest("GET", path)).body).toMatchObject(VOLUME);
    client.clock.advance(LAG);
    expect((await client.rest("GET", path)).body).toMatchObject({ name: "w", size: 60 });
  });

  test("finds the templates of others at any time", async () => {
    const client = await emulate({ timings: { readLag: LAG } });
    const id = await create(client, "/templates", TEMPLATE);
    expect((await client.rest("GET", `/templates/${id}`)).status).toBe(404);
    expect((await client.rest("GET", "/templates/pubpytorch")).status).toBe(200);
  });
});

describe("GraphQL that lags behind the writes", () => {
  const SECRETS = "{ myself { secrets { name } } }";
  const SECRET_CREATE = `mutation ($input: SecretCreateInput!) { secretCreate(input: $input) { name } }`;
  const POD_QUERY = `query ($podId: String!) { pod(input: { podId: $podId }) { id costPerHr } }`;
  const README = "{ myself { podTemplates { readme } } }";
  const SAVE = `mutation ($input: SaveTemplateInput) { saveTemplate(input: $input) { id readme } }`;

  test("lists what was, and a mutation returns what is", async () => {
    const { graphql, clock } = await emulate({ timings: { listLag: LAG } });
    const made = await graphql(SECRET_CREATE, { input: { name: "token", value: "x" } });
    expect(made.body).toEqual({ data: { secretCreate: { name: "token" } } });
    expect((await graphql(SECRETS)).body).toEqual({ data: { myself: { secrets: [] } } });
    clock.advance(LAG);
    expect((await graphql(SECRETS)).body).toEqual({ data: { myself: { secrets: [{ name: "token" }] } } });
  });

  test("reads a pod later, and for longer", async () => {
    const client = await emulate({ timings: { readLag: LAG } });
    const { id } = await createPod(client);
    const read = async () => (await client.graphql(POD_QUERY, { podId: id })).body;
    expect(await read()).toEqual({ data: { pod: null } });
    client.clock.advance(LAG);
    await client.rest("DELETE", `/pods/${id}`);
    expect(await read()).toEqual({ data: { pod: { id, costPerHr: expect.any(Number) } } });
    client.clock.advance(LAG);
    expect(await read()).toEqual({ data: { pod: null } });
  });

  test("reads the text of a template as it was", async () => {
    const { graphql, clock } = await emulate({ timings: { listLag: LAG } });
    const input = { name: "t", imageName: "i", containerDiskInGb: 10, volumeInGb: 0, env: [] };
    const save = (more: object) =>
      graphql<{ data: { saveTemplate: { id: string } } }>(SAVE, { input: { ...input, ...more } });
    const { id } = (await save({ readme: "old" })).body.data.saveTemplate;
    clock.advance(LAG);
    expect((await save({ id, readme: "new" })).body.data.saveTemplate).toEqual({ id, readme: "new" });
    expect((await graphql(README)).body).toEqual({ data: { myself: { podTemplates: [{ readme: "old" }] } } });
  });
});

describe("a fault that lags", () => {
  const fault = (lag: number) => ({ match: { method: "GET" }, when: "before", what: { lag } }) as const;

  test("is met by one read, whatever the options say", async () => {
    const client = await emulate({ timings: { listLag: 1_000 } });
    client.emulator.faults.add(fault(LAG));
    const id = await create(client, "/templates", TEMPLATE);
    client.clock.advance(LAG - 1);
    expect(await listed(client, "/templates")).toEqual([]);
    expect(await listed(client, "/templates")).toEqual([id]);
    expect(client.emulator.requests.map(({ status }) => status)).toEqual([201, 200, 200]);
  });

  test("is met by single reads and by GraphQL as well", async () => {
    const client = await emulate();
    client.emulator.faults.add(fault(LAG));
    client.emulator.faults.add({ ...fault(LAG), match: { operation: "myself" } });
    const { id } = await createPod(client, { gpu: GPU });
    expect((await client.rest("GET", `/pods/${id}`)).status).toBe(404);
    const query = "{ myself { pods { id } } }";
    expect((await client.graphql(query)).body).toEqual({ data: { myself: { pods: [] } } });
    expect((await client.graphql(query)).body).toEqual({ data: { myself: { pods: [{ id }] } } });
  });

  test("looks back to when it was planned, and past what has lagged less before", async () => {
    const client = await emulate();
    const id = await create(client, "/templates", TEMPLATE);
    client.emulator.faults.add(fault(1_000));
    await create(client, "/templates", { ...TEMPLATE, name: "u" });
    client.clock.advance(60_000);
    await create(client, "/templates", { ...TEMPLATE, name: "v" });
    client.clock.advance(60_000);
    client.emulator.faults.add(fault(150_000));
    expect(await listed(client, "/templates")).toHaveLength(3);
    expect(await listed(client, "/templates")).toEqual([id]);
  });

  test("leaves writes alone", async () => {
    const client = await emulate({ faults: [{ ...fault(LAG), match: {}, times: 0 }] });
    const id = await create(client, "/templates", TEMPLATE);
    expect((await client.rest("PATCH", `/templates/${id}`, { name: "u" })).body.name).toBe("u");
    expect((await client.rest("DELETE", `/templates/${id}`)).status).toBe(204);
  });

  test("costs nothing as long as there is none", async () => {
    const client = await emulate();
    const looked = jest.spyOn(client.emulator.service, "snapshot");
    const write = (name: string) => create(client, "/templates", { ...TEMPLATE, name });
    await write("a");
    expect(looked).not.toHaveBeenCalled();
    client.emulator.faults.add(fault(LAG));
    await write("b");
    expect(looked).toHaveBeenCalledTimes(1);
    expect(await listed(client, "/templates")).toHaveLength(1);
    await write("c");
    expect(looked).toHaveBeenCalledTimes(1);
  });
});
