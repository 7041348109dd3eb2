import type { Template } from "../../sdk/emulator/service/state/templates";
import { emulate, GPU } from "./client";

const TEMPLATE = { name: "t", image: "app:1" };
const VOLUME = { name: "v", size: 50, dataCenter: "US-KS-2" };
const REGISTRY = { name: "r", username: "me", password: "pw" };

describe("templates", () => {
  test("have the defaults of the console", async () => {
    const { rest } = await emulate();
    expect((await rest("POST", "/templates", TEMPLATE)).body).toMatchObject({
      serverless: false,
      public: false,
      category: "NVIDIA",
      startSsh: true,
      startJupyter: true,
      allowedCudaVersions: [],
      mounts: {},
      env: {},
    });
  });

  test("have names that are unique", async () => {
    const { rest } = await emulate();
    const { body } = await rest("POST", "/templates", TEMPLATE);
    await rest("POST", "/templates", { ...TEMPLATE, name: "other" });
    expect((await rest("POST", "/templates", TEMPLATE)).status).toBe(400);
    expect((await rest("PATCH", `/templates/${body.id}`, { name: "other" })).status).toBe(400);
    expect((await rest("PATCH", `/templates/${body.id}`, { name: "t" })).status).toBe(200);
  });

  test("change in place, all but the removal of a mount", async () => {
    const { rest } = await emulate();
    const mounts = { persistent: { size: 20, path: "/x" } };
    const { body } = await rest<Template>("POST", "/templates", { ...TEMPLATE, mounts, env: { A: "1" } });
    const path = `/templates/${body.id}`;
    expect((await rest("PATCH", path, {})).body).toEqual(body);
    expect((await rest("PATCH", path, { mounts: {} })).body.mounts).toEqual(mounts);
    const changes = { serverless: true, public: true, category: "CPU", env: {}, startSsh: false };
    expect((await rest("PATCH", path, changes)).body).toEqual({ ...body, ...changes });
    expect((await rest("POST", "/templates", { ...TEMPLATE, mounts: { network: [] } })).status).toBe(422);
  });

  test("cannot be deleted while a pod created from them is there, nor for a while after", async () => {
    const { rest, clock } = await emulate({ timings: { templateRelease: 60_000 } });
    const { body: template } = await rest("POST", "/templates", TEMPLATE);
    const { body: pod } = await rest("POST", "/pods", { name: "p", templateId: template.id, gpu: GPU });
    expect(pod.template).toBeNull();
    const remove = async () => (await rest("DELETE", `/templates/${template.id}`)).status;
    expect(await remove()).toBe(400);
    await rest("DELETE", `/pods/${pod.id}`);
    clock.advance(59_999);
    expect(await remove()).toBe(400);
    clock.advance(1);
    expect(await remove()).toBe(204);
    expect(await remove()).toBe(404);
  });

  test("cannot be deleted while an endpoint created from them is there", async () => {
    const { rest } = await emulate({ timings: { templateRelease: 0 } });
    const { body: template } = await rest("POST", "/templates", { ...TEMPLATE, serverless: true });
    const { body: endpoint } = await rest("POST", "/serverless", {
      name: "e",
      type: "QUEUE",
      templateId: template.id,
      gpu: { pools: ["ADA_24"] },
      scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
    });
    expect((await rest("DELETE", `/templates/${template.id}`)).status).toBe(400);
    await rest("DELETE", `/serverless/${endpoint.id}`);
    expect((await rest("DELETE", `/templates/${template.id}`)).status).toBe(204);
  });

  test("of others can be read and used, not changed", async () => {
    const { rest } = await emulate();
    const { body } = await rest<{ templates: Template[] }>("GET", "/catalog/templates?source=verified");
    const [template] = body.templates;
    const path = `/templates/${template?.id}`;
    expect((await rest("GET", path)).body).toEqual(template);
    expect((await rest("PATCH", path, { name: "x" })).status).toBe(404);
    expect((await rest("DELETE", path)).status).toBe(404);
    expect((await rest("POST", "/pods", { name: "p", templateId: template?.id, gpu: GPU })).status).toBe(201);
    expect((await rest<{ templates: Template[] }>("GET", "/templates")).body.templates).toEqual([]);
  });
});

describe("network volumes", () => {
  test("take the tier of their data center unless they name one", async () => {
    const { rest } = await emulate();
    const type = async (more: object) =>
      (await rest("POST", "/network-volumes", { ...VOLUME, ...more })).body.type;
    expect(await type({})).toBe("STANDARD");
    expect(await type({ type: "HIGH_PERFORMANCE" })).toBe("HIGH_PERFORMANCE");
    expect(await type({ dataCenter: "EUR-IS-1" })).toBe("HIGH_PERFORMANCE");
  });

  test("name the data centers that would do when one does not", async () => {
    const { rest } = await emulate();
    const { status, body } = await rest("POST", "/network-volumes", { ...VOLUME, dataCenter: "AP-JP-1" });
    expect(status).toBe(400);
    expect(body.detail).toContain("US-KS-2, US-KS-3");
  });

  test("grow and are renamed in place, but never shrink", async () => {
    const { rest } = await emulate();
    const { body } = await rest("POST", "/network-volumes", VOLUME);
    const path = `/network-volumes/${body.id}`;
    expect((await rest("PATCH", path, { size: 60, name: "w" })).body).toMatchObject({ size: 60, name: "w" });
    expect((await rest("PATCH", path, { size: 59 })).status).toBe(400);
    expect((await rest("PATCH", path, {})).body.errors).toEqual(["$: minProperties: got 0, want 1"]);
    expect((await rest("PATCH", path, { dataCenter: "EU-RO-1" })).status).toBe(422);
  });

  test("cannot be deleted while a pod holds them, even a stopped one", async () => {
    const { rest, emulator } = await emulate();
    const { body } = await rest("POST", "/network-volumes", VOLUME);
    const mounts = { network: [{ volumeId: body.id, path: "/x" }] };
    const { body: pod } = await rest("POST", "/pods", { name: "p", image: "i", gpu: GPU, mounts });
    emulator.service.pods.act(pod.id, "stop");
    expect((await rest("DELETE", `/network-volumes/${body.id}`)).status).toBe(400);
    await rest("DELETE", `/pods/${pod.id}`);
    expect((await rest("DELETE", `/network-volumes/${body.id}`)).status).toBe(204);
  });
});

describe("registry credentials", () => {
  test("change their login, and never their name, where REST can", async () => {
    const { rest, emulator } = await emulate();
    const { body } = await rest("POST", "/registries", REGISTRY);
    const path = `/registries/${body.id}`;
    expect(await rest("PATCH", path, { password: "new" })).toMatchObject({
      status: 200,
      body: { name: "r" },
    });
    expect(emulator.service.registries.valueOf(body.id)).toEqual({ ...REGISTRY, password: "new" });
    for (const wrong of [{}, { name: "s" }, { username: "" }])
      expect((await rest("PATCH", path, wrong)).status).toBe(422);
    expect((await rest("PATCH", "/registries/nobody", { password: "new" })).status).toBe(404);
    const older = await emulate({ features: { registryUpdate: false } });
    const { status, headers } = await older.rest("PATCH", path, { password: "new" });
    expect([status, headers.get("allow")]).toEqual([405, "GET, DELETE"]);
  });

  test("show nothing but their name", async () => {
    const { rest, emulator } = await emulate();
    const { body } = await rest("POST", "/registries", REGISTRY);
    expect(body).toEqual({ id: body.id, name: "r" });
    expect((await rest("GET", "/registries")).body).toEqual({ registries: [body] });
    expect(emulator.service.registries.valueOf(body.id)).toEqual(REGISTRY);
    expect((await rest("POST", "/registries", REGISTRY)).status).toBe(400);
  });

  test("cannot be deleted while a pod uses them; templates lose them", async () => {
    const { rest } = await emulate();
    const { body } = await rest("POST", "/registries", REGISTRY);
    const { body: template } = await rest("POST", "/templates", { ...TEMPLATE, registry: body.id });
    const { body: pod } = await rest("POST", "/pods", { name: "p", image: "i", gpu: GPU, registry: body.id });
    expect((await rest("DELETE", `/registries/${body.id}`)).status).toBe(400);
    await rest("PATCH", `/pods/${pod.id}`, { registry: null });
    expect((await rest("DELETE", `/registries/${body.id}`)).status).toBe(204);
    expect((await rest("GET", `/templates/${template.id}`)).body.registry).toBeNull();
  });
});
