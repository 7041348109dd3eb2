import { createEndpoint, createPod, emulate, POD } from "./client";

describe("ECR delegations", () => {
  test.each([
    ["arn:aws:ecr:eu-west-1:123456789012:repository/team/app:v1", "v1"],
    ["arn:aws:ecr:eu-west-1:123456789012:repository/team/app", "latest"],
    ["123456789012.dkr.ecr.eu-west-1.amazonaws.com/team/app:v1", "v1"],
  ])("take %s apart, with the tag %s", async (resource, tag) => {
    const { rest } = await emulate();
    const { status, body } = await rest("POST", "/registries/delegations", { resource });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      name: null,
      awsUser: "123456789012",
      awsRegion: "eu-west-1",
      repository: "team/app",
      tag,
      dockerRegistryUri: "123456789012.dkr.ecr.eu-west-1.amazonaws.com",
    });
    for (const wrong of ["arn:bogus", resource.replace("123456789012", "me"), "docker.io/team/app:v1"])
      expect((await rest("POST", "/registries/delegations", { resource: wrong })).status).toBe(400);
    expect((await rest("DELETE", `/registries/delegations/${body.id}`)).status).toBe(204);
    expect((await rest("DELETE", `/registries/delegations/${body.id}`)).status).toBe(404);
  });
});

describe("the account", () => {
  test("tells whose it is, its limits and its balance, and refuses what goes beyond them", async () => {
    const client = await emulate({ workersQuota: 5, balance: 1, spendLimit: 1 });
    const { rest, emulator } = client;
    expect((await rest("GET", "/account")).body).toMatchObject({ id: emulator.service.userId });
    await createEndpoint(client, { workers: { min: 1, max: 2 } });
    const pod = await createPod(client);
    expect((await rest("GET", "/account/limits")).body).toEqual({
      spendRate: { limit: 1, current: expect.closeTo(pod.cost + 0.36, 6) },
      serverlessWorkers: { limit: 5, current: 2 },
    });
    expect((await rest("GET", "/billing/balance")).body).toEqual({
      balanceAmount: 1,
      billingMode: "PREPAID",
    });
    expect(
      await rest("POST", "/pods", { ...POD, gpu: { id: "NVIDIA A100 80GB PCIe", count: 1 } }),
    ).toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(/^The hourly spend limit of 1 USD would be exceeded/) },
    });
    Object.assign(emulator.service, { spendLimit: 100, balance: 0 });
    expect((await rest("POST", "/pods", POD)).status).toBe(402);
    emulator.service.billingMode = "POSTPAID";
    expect((await rest("POST", "/pods", POD)).status).toBe(201);
  });

  test("is another one at each start, and after a reset", async () => {
    const [one, other] = [await emulate(), await emulate()];
    const ids = async () => [
      (await one.rest("GET", "/account")).body.id,
      (await other.rest("GET", "/account")).body.id,
    ];
    const before = await ids();
    expect(before).toEqual(await ids());
    one.emulator.reset();
    const all = [...before, (await ids())[0]];
    expect(all).toEqual(all.map(() => expect.stringMatching(/^user\d+emulator$/)));
    expect(new Set(all).size).toBe(3);
  });

  test("hides limits and balance from keys without their scopes, and has them in newer versions only", async () => {
    const limited = await emulate({ scopes: ["account:read"] });
    expect((await limited.rest("GET", "/account")).status).toBe(200);
    expect((await limited.rest("GET", "/account/limits")).status).toBe(200);
    expect((await limited.rest("GET", "/billing/balance")).status).toBe(403);
    const older = await emulate({ features: { accountPaths: false } });
    for (const path of ["/account", "/account/limits", "/billing/balance"])
      expect((await older.rest("GET", path)).status).toBe(404);
  });

  test("replaces its SSH keys as a whole", async () => {
    const { rest } = await emulate();
    const key = (comment: string) => `ssh-ed25519 AAAA ${comment}`;
    await rest("PUT", "/account/ssh-keys", { keys: [key("a"), key("b")] });
    await rest("PUT", "/account/ssh-keys", { keys: [key("c")] });
    expect((await rest("GET", "/account/ssh-keys")).body).toEqual({ keys: [key("c")] });
    expect((await rest("PUT", "/account/ssh-keys", { keys: ["rsa AAAA"] })).status).toBe(422);
  });

  test("has no REST secrets when they are switched off", async () => {
    const { rest } = await emulate({ features: { restSecrets: false } });
    expect((await rest("GET", "/account/secrets")).status).toBe(404);
  });

  test("never shows the value of a secret", async () => {
    const { rest, emulator, clock } = await emulate();
    const { status, body } = await rest("POST", "/account/secrets", { name: "token", value: "hush" });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: body.id,
      name: "token",
      description: null,
      createdAt: "2026-06-01T12:00:00Z",
      valueLastUpdatedAt: null,
    });
    clock.advance(1_000);
    const patched = await rest("PATCH", `/account/secrets/${body.id}`, { value: "new", description: "d" });
    expect(patched.body).toMatchObject({ description: "d", valueLastUpdatedAt: "2026-06-01T12:00:01Z" });
    expect(emulator.service.secrets.valueOf(body.id)).toBe("new");
    expect((await rest("PATCH", `/account/secrets/${body.id}`, {})).status).toBe(422);
    expect((await rest("GET", "/account/secrets?name=TOKEN")).body.secrets).toHaveLength(1);
    expect((await rest("GET", "/account/secrets?name=other")).body.secrets).toEqual([]);
  });

  test.each([
    ["token", 409],
    ["TOKEN", 409],
    ["1token", 422],
    ["runpod_token", 422],
    ["a b", 422],
    ["", 422],
    ["a".repeat(192), 422],
    ["_a.b-c/d", 201],
  ])("answers the secret name '%s' with %i", async (name, status) => {
    const { rest, emulator } = await emulate();
    emulator.service.secrets.create({ name: "token", value: "v" });
    expect((await rest("POST", "/account/secrets", { name, value: "v" })).status).toBe(status);
  });
});
