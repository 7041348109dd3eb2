import type { Pod } from "../../sdk/emulator/service/state/pod";
import { createPod, emulate, POD, runningPod } from "./client";

describe("updating a pod", () => {
  test("touches only what the body has, and clears what it empties", async () => {
    const client = await emulate({ injectEnv: false });
    const registry = client.emulator.service.registries.create({ name: "r", username: "u", password: "p" });
    const full = {
      args: "serve",
      env: { A: "1", B: "2" },
      ports: ["80/http"],
      registry: registry.id,
      disk: 30,
    };
    const pod = await runningPod(client, full);
    expect((await client.rest("PATCH", pod, {})).body).toMatchObject(full);
    expect((await client.rest("PATCH", pod, { env: { C: "3" } })).body).toMatchObject({
      ...full,
      env: { C: "3" },
    });
    const cleared = { args: "", env: {}, ports: [], registry: null };
    const { body } = await client.rest("PATCH", pod, cleared);
    expect(body).toMatchObject({ ...cleared, disk: 30 });
    expect(body.env).toEqual({});
  });

  test("restarts the container when a container field is there, and only then", async () => {
    const client = await emulate();
    const pod = await runningPod(client);
    expect((await client.rest("PATCH", pod, { name: "new" })).body).toMatchObject({
      name: "new",
      status: "RUNNING",
    });
    expect((await client.rest("PATCH", pod, { image: "app:2" })).body.status).toBe("STARTING");
    client.clock.advance(2_000);
    await client.rest("POST", `${pod}/action`, { action: "stop" });
    expect((await client.rest("PATCH", pod, { image: "app:3" })).body.status).toBe("EXITED");
  });

  test.each(["gpu", "cpu", "cloud", "dataCenterIds", "startSsh", "startJupyter"])(
    "cannot change %s",
    async (key) => {
      const client = await emulate();
      const pod = await runningPod(client);
      const { status, body } = await client.rest("PATCH", pod, { [key]: true });
      expect({ status, errors: body.errors }).toEqual({
        status: 422,
        errors: [`$: additional properties '${key}' not allowed`],
      });
    },
  );

  test("applies global networking at the next boot", async () => {
    const client = await emulate();
    const pod = await runningPod(client);
    const patched = await client.rest("PATCH", pod, { globalNetworking: true });
    expect(patched.body.globalNetworking).toEqual({ enabled: false });
    const { body } = await client.rest("POST", `${pod}/action`, { action: "restart" });
    expect(body.globalNetworking).toEqual({
      enabled: true,
      ip: "10.1.0.3",
      internalDns: `${body.id}.runpod.internal`,
    });
  });

  test("moves and grows a mount, but never changes its kind or removes it", async () => {
    const client = await emulate();
    const pod = await runningPod(client, { mounts: { persistent: { size: 20, path: "/a" } } });
    const status = async (mounts: object) => (await client.rest("PATCH", pod, { mounts })).status;
    expect(await status({ persistent: { size: 40, path: "/b" } })).toBe(200);
    expect(await status({})).toBe(200);
    expect((await client.rest("GET", pod)).body.mounts).toEqual({ persistent: { size: 40, path: "/b" } });
    expect(await status({ persistent: { size: 30, path: "/b" } })).toBe(400);
    expect(await status({ persistent: { path: "/b" } })).toBe(422);
    expect(await status({ network: [{ volumeId: "v", path: "/b" }] })).toBe(400);
    expect(await status({ network: [] })).toBe(400);
    const bare = await runningPod(client);
    const given = { mounts: { persistent: { size: 20, path: "/a" } } };
    expect((await client.rest("PATCH", bare, given)).status).toBe(400);
  });

  test("keeps the volume of a network mount", async () => {
    const client = await emulate();
    const { id: volumeId } = client.emulator.service.volumes.create({
      name: "v",
      size: 10,
      dataCenter: "US-KS-2",
    });
    const pod = await runningPod(client, { mounts: { network: [{ volumeId, path: "/a" }] } });
    const status = async (network: object[]) =>
      (await client.rest("PATCH", pod, { mounts: { network } })).status;
    expect(await status([{ volumeId, path: "/b" }])).toBe(200);
    expect(await status([{ volumeId: "other", path: "/b" }])).toBe(400);
    expect(await status([])).toBe(400);
  });
});

describe("the environment of a pod", () => {
  test("holds what the platform adds, which a PATCH loses in part", async () => {
    const client = await emulate();
    client.emulator.service.sshKeys.replace(["ssh-ed25519 AAAA me"]);
    const pod = await runningPod(client, { env: { A: "1" }, startSsh: true, startJupyter: true });
    const { env } = (await client.rest<Pod>("GET", pod)).body;
    expect(Object.keys(env).sort()).toEqual([
      "A",
      "JUPYTER_PASSWORD",
      "PUBLIC_KEY",
      "RUNPOD_DC_ID",
      "RUNPOD_POD_ID",
    ]);
    const patched = (await client.rest<Pod>("PATCH", pod, { env: {} })).body;
    expect(Object.keys(patched.env).sort()).toEqual(["RUNPOD_DC_ID", "RUNPOD_POD_ID"]);
  });

  test("has no key of SSH unless one is registered", async () => {
    const client = await emulate();
    expect((await createPod(client, { startSsh: true })).env).not.toHaveProperty("PUBLIC_KEY");
  });

  test("shows secrets as written, and the container their values as of its boot", async () => {
    const client = await emulate();
    const { service } = client.emulator;
    const secret = service.secrets.create({ name: "token", value: "old" });
    const env = { TOKEN: "{{ RUNPOD_SECRET_token }}" };
    const { id, env: shown } = await createPod(client, { env });
    expect(shown).toMatchObject(env);
    service.secrets.update(secret.id, { value: "new" });
    expect(service.pods.environmentOf(id).TOKEN).toBe("old");
    client.clock.advance(3_000);
    await client.rest("POST", `/pods/${id}/action`, { action: "restart" });
    expect(service.pods.environmentOf(id).TOKEN).toBe("new");
    service.secrets.delete(secret.id);
    client.clock.advance(3_000);
    await client.rest("POST", `/pods/${id}/action`, { action: "restart" });
    expect(service.pods.environmentOf(id)).toMatchObject(env);
  });

  test("has at most 50 variables", async () => {
    const { rest } = await emulate();
    const env = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`K${index}`, "v"]));
    expect((await rest("POST", "/pods", { ...POD, env })).status).toBe(400);
  });
});
