import { createEndpoint, createPod, emulate } from "./client";

const VOLUME = { name: "v", size: 50, dataCenter: "US-KS-2" };
const tag = { key: "team", value: "ml" };

test("a tag is attached to pods and network volumes, which show it, and to endpoints", async () => {
  const client = await emulate();
  const { rest } = client;
  const pod = await createPod(client);
  const endpoint = await createEndpoint(client);
  const { body: volume } = await rest("POST", "/network-volumes", VOLUME);
  const created = await rest("POST", "/tags", { ...tag, resources: [{ type: "POD", id: pod.id }] });
  const { id } = created.body;
  expect(created).toMatchObject({ status: 201, body: tag });
  expect((await rest("GET", "/tags")).body).toEqual({ tags: [created.body] });
  expect((await rest("GET", `/tags/${id}`)).body).toEqual(created.body);
  const address = (type: string, one: { id: string }) => `/tags/${id}/resources/${type}/${one.id}`;
  for (const place of [address("NETWORK_VOLUME", volume), address("SERVERLESS_ENDPOINT", endpoint)])
    for (const _ of ["attached", "attached already"]) expect((await rest("PUT", place)).status).toBe(204);
  expect((await rest("GET", `/pods/${pod.id}`)).body.tags).toEqual([{ id, ...tag }]);
  expect((await rest("GET", "/network-volumes")).body.networkVolumes).toMatchObject([
    { tags: [{ id, ...tag }] },
  ]);
  for (const _ of ["detached", "detached already"])
    expect((await rest("DELETE", address("POD", pod))).status).toBe(204);
  expect((await rest("GET", `/pods/${pod.id}`)).body.tags).toEqual([]);
  expect((await rest("DELETE", `/tags/${id}`)).status).toBe(204);
  expect((await rest("GET", `/network-volumes/${volume.id}`)).body.tags).toEqual([]);
});

test.each([
  [{ key: "", value: "" }, 422],
  [{ key: " \t", value: "" }, 422],
  [{ key: "k".repeat(192), value: "" }, 422],
  [{ key: "RunPod:team", value: "" }, 422],
  [{ key: "team", value: "v".repeat(192) }, 422],
  [{ key: "team" }, 422],
  [{ ...tag, color: "red" }, 422],
  [{ ...tag, resources: [{ type: "TEMPLATE", id: "x" }] }, 422],
  [{ ...tag, resources: [{ type: "POD", id: "nobody" }] }, 404],
  [{ key: ` ${"k".repeat(189)} `, value: "" }, 201],
])("a tag of %j is answered %i", async (body, status) => {
  const { rest } = await emulate();
  expect((await rest("POST", "/tags", body)).status).toBe(status);
});

test("a tag is there once, and belongs to what exists", async () => {
  const { rest } = await emulate();
  const { id } = (await rest("POST", "/tags", tag)).body;
  expect((await rest("POST", "/tags", { ...tag, key: " team " })).status).toBe(409);
  expect((await rest("PUT", `/tags/${id}/resources/POD/nobody`)).status).toBe(404);
  expect((await rest("PUT", `/tags/${id}/resources/TEMPLATE/nobody`)).status).toBe(422);
  expect((await rest("DELETE", `/tags/nobody/resources/POD/nobody`)).status).toBe(404);
});

test("a resource is in one cost center", async () => {
  const client = await emulate();
  const { rest } = client;
  const pod = await createPod(client);
  const [one, two] = await Promise.all(
    [" research ", "sales"].map(async (value) => (await rest("POST", "/cost-centers", { value })).body),
  );
  expect(one?.value).toBe("research");
  expect((await rest("GET", "/cost-centers")).body.costCenters).toEqual([one, two]);
  const place = (center = one) => `/cost-centers/${center?.id}/resources/POD/${pod.id}`;
  expect((await rest("PUT", place(one))).status).toBe(204);
  expect((await rest("PUT", place(two))).status).toBe(409);
  expect((await rest("GET", `/cost-centers/${one?.id}/resources`)).body).toEqual({
    resources: [{ type: "POD", id: pod.id }],
  });
  expect((await rest("DELETE", place(one))).status).toBe(204);
  expect((await rest("PUT", place(two))).status).toBe(204);
  expect((await rest("POST", "/cost-centers", { value: "c".repeat(51) })).status).toBe(422);
  expect((await rest("POST", "/cost-centers", { value: " " })).status).toBe(422);
});

test("a key needs a scope for tags, and older versions have neither tags nor cost centers", async () => {
  const reader = await emulate({ scopes: ["tags:read"] });
  expect((await reader.rest("GET", "/tags")).status).toBe(200);
  expect((await reader.rest("POST", "/tags", tag)).status).toBe(403);
  const older = await emulate({ features: { labels: false } });
  for (const path of ["/tags", "/cost-centers"]) expect((await older.rest("GET", path)).status).toBe(404);
});
