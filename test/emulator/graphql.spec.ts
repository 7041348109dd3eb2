import { GPU, send } from "./client";
import { SAVE, startGraphql, TEMPLATE } from "./graphql-client";

describe("the GraphQL interface", () => {
  test("takes the key as a parameter or as a bearer token", async () => {
    const { emulator } = await startGraphql({ apiKey: "key" });
    const query = { query: "{ myself { pods { id } } }" };
    const json = { "Content-Type": "application/json" };
    const post = async (url: string, headers = {}) =>
      (await send(url, "POST", query, { ...json, ...headers })).status;
    expect(await post(emulator.graphqlUrl)).toBe(401);
    expect(await post(`${emulator.graphqlUrl}?api_key=wrong`)).toBe(401);
    expect(await post(`${emulator.graphqlUrl}?api_key=key`)).toBe(200);
    expect(await post(emulator.graphqlUrl, { Authorization: "Bearer key" })).toBe(200);
  });

  test.each([
    ["{ nope }", "GRAPHQL_VALIDATION_FAILED"],
    ["{ broken", "GRAPHQL_PARSE_FAILED"],
    ["{ __schema { types { name } } }", "GRAPHQL_VALIDATION_FAILED"],
    ['mutation { createSecret(input: { name: "n", value: "v" }) { id } }', "GRAPHQL_VALIDATION_FAILED"],
  ])("refuses %s with 400", async (query, code) => {
    const { run } = await startGraphql();
    const { status, body } = await run(query);
    expect(status).toBe(400);
    expect(body.errors?.[0]?.extensions.code).toBe(code);
    expect(body).not.toHaveProperty("data");
  });

  test("refuses variables that do not fit with 400", async () => {
    const { run } = await startGraphql();
    const { status, body } = await run(SAVE, { input: { ...TEMPLATE, volumeInGb: "none" } });
    expect(status).toBe(400);
    expect(body.errors?.[0]?.extensions.code).toBe("BAD_USER_INPUT");
  });

  test("is gone once it is retired", async () => {
    const { run } = await startGraphql({ features: { graphql: false } });
    expect((await run("{ myself { pods { id } } }")).status).toBe(410);
  });

  test.each([true, false])(
    "counts its quota for itself, and tells the windows where told to: %s",
    async (headers) => {
      const limit = { minute: 1, enforce: true, headers };
      const { emulator } = await startGraphql({ graphqlRateLimit: limit });
      const query = () =>
        fetch(`${emulator.graphqlUrl}?api_key=key`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ query: "{ myself { pods { id } } }" }),
        });
      const first = await query();
      expect([first.status, first.headers.get("ratelimit")?.split(";")[1]]).toEqual([
        200,
        headers ? "r=0" : undefined,
      ]);
      const second = await query();
      expect(second.status).toBe(429);
      expect(Number(second.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(second.headers.has("ratelimit")).toBe(headers);
      const rest = await fetch(`${emulator.apiUrl}/pods`, { headers: { authorization: "Bearer key" } });
      expect(rest.headers.get("ratelimit")).toMatch(/"minute";r=9999/);
    },
  );

  test("has only the operations of the service's guides without the extras", async () => {
    const { run } = await startGraphql({ features: { graphqlExtras: false } });
    expect((await run("{ myself { secrets { id } } }")).status).toBe(400);
    expect((await run('mutation { podTerminate(input: { podId: "x" }) }')).status).toBe(400);
    expect((await run("{ myself { pods { id } } gpuTypes { id } }")).status).toBe(200);
  });

  test("has one name for the container arguments, and refuses the other", async () => {
    const specified = await startGraphql();
    const dockerArgs = { ...TEMPLATE, dockerArgs: "" };
    expect((await specified.run(SAVE, { input: dockerArgs })).status).toBe(400);
    const live = await startGraphql({ features: { templateArgs: "dockerArgs" } });
    expect((await live.run(SAVE, { input: dockerArgs })).status).toBe(200);
    expect((await live.run(SAVE, { input: { ...TEMPLATE, name: "u" } })).status).toBe(400);
  });
});

describe("the rest by GraphQL", () => {
  test("creates, changes, lists and deletes secrets", async () => {
    const { run, emulator } = await startGraphql();
    const create =
      "mutation ($input: SecretCreateInput!) { secretCreate(input: $input) { id name description } }";
    const input = { name: "token", value: "old" };
    const { id } = (await run(create, { input })).body.data?.secretCreate ?? {};
    expect((await run(create, { input })).body.errors?.[0]?.extensions.code).toBe("RUNPOD");
    await run("mutation ($input: SecretValueUpdateInput!) { secretValueUpdate(input: $input) { id } }", {
      input: { id, value: "new" },
    });
    await run(
      "mutation ($input: SecretDescriptionUpdateInput!) { secretDescriptionUpdate(input: $input) { id } }",
      {
        input: { id, description: "d" },
      },
    );
    expect((await run("{ myself { secrets { id name description } } }")).body.data?.myself?.secrets).toEqual([
      { id, name: "token", description: "d" },
    ]);
    expect(emulator.service.secrets.valueOf(String(id))).toBe("new");
    const remove = "mutation ($id: ID!) { secretDelete(id: $id) }";
    expect((await run(remove, { id })).body).toEqual({ data: { secretDelete: null } });
    expect((await run(remove, { id })).body.errors?.[0]?.extensions.code).toBe("RUNPOD");
  });

  test("changes registry credentials in place", async () => {
    const { run, emulator } = await startGraphql();
    const save =
      'mutation { saveRegistryAuth(input: { name: "r", username: "u", password: "p" }) { id name } }';
    const { id } = (await run(save)).body.data?.saveRegistryAuth ?? {};
    const input = { id, username: "u2", password: "p2" };
    await run("mutation ($input: UpdateRegistryAuthInput) { updateRegistryAuth(input: $input) { id } }", {
      input,
    });
    expect(emulator.service.registries.valueOf(String(id))).toEqual({
      name: "r",
      username: "u2",
      password: "p2",
    });
  });

  test("manages network volumes", async () => {
    const { run } = await startGraphql();
    const create = `mutation { createNetworkVolume(input: { name: "v", size: 10, dataCenterId: "US-KS-2" }) { id } }`;
    const { id } = (await run(create)).body.data?.createNetworkVolume ?? {};
    const grow = `mutation { updateNetworkVolume(input: { id: "${id}", size: 20 }) { name size dataCenterId } }`;
    expect((await run(grow)).body.data?.updateNetworkVolume).toEqual({
      name: "v",
      size: 20,
      dataCenterId: "US-KS-2",
    });
    expect(
      (await run(`mutation { deleteNetworkVolume(input: { id: "${id}" }) }`)).body.errors,
    ).toBeUndefined();
  });

  test("tells the stock of GPU types", async () => {
    const { run, emulator } = await startGraphql();
    emulator.service.capacity.set({ gpu: GPU.id, free: 2 });
    const query = `{ gpuTypes(input: { id: "${GPU.id}" }) {
      displayName memoryInGb lowestPrice(input: { gpuCount: 1, secureCloud: true }) { stockStatus uninterruptablePrice availableGpuCounts }
    } }`;
    expect((await run(query)).body.data?.gpuTypes).toEqual([
      {
        displayName: "RTX 4090",
        memoryInGb: 24,
        lowestPrice: { stockStatus: "Low", uninterruptablePrice: 0.24, availableGpuCounts: [1, 2] },
      },
    ]);
  });

  test("hides what went wrong inside", async () => {
    const { run, emulator } = await startGraphql();
    jest.spyOn(emulator.service.pods, "list").mockImplementation(() => {
      throw new Error("inner detail");
    });
    const { status, body } = await run("{ myself { pods { id } } }");
    expect(status).toBe(200);
    expect(body.errors).toMatchObject([{ extensions: { code: "INTERNAL_SERVER_ERROR" } }]);
    expect(JSON.stringify(body)).not.toContain("inner detail");
  });
});
