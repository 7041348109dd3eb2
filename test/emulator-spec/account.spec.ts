import { emulate } from "./client";

describe("ECR delegations", () => {
  test("take an ARN with a tag apart", async () => {
    const { rest } = await emulate();
    const resource = "arn:aws:ecr:eu-west-1:123456789012:repository/team/app:v1";
    const { status, body } = await rest("POST", "/registries/delegations", { resource });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      name: null,
      awsUser: "123456789012",
      awsRegion: "eu-west-1",
      repository: "team/app",
      tag: "v1",
      dockerRegistryUri: "123456789012.dkr.ecr.eu-west-1.amazonaws.com",
    });
    expect((await rest("POST", "/registries/delegations", { resource: "arn:bogus" })).status).toBe(400);
    expect((await rest("DELETE", `/registries/delegations/${body.id}`)).status).toBe(204);
    expect((await rest("DELETE", `/registries/delegations/${body.id}`)).status).toBe(404);
  });
});

describe("the account", () => {
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
