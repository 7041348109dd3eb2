import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { IssueStep } from "../harness/workflow";
import { contractOf, contractOfDigest, digestText } from "./digest";
import { gaps } from "./gaps";
import { accept, watch } from "./watch";

// biome-ignore lint/suspicious/noExplicitAny: the plants change it anywhere
type Document = any;

/** A contract of two kinds, with what contracts use: references, allOf, alternatives, maps, conditions, streams. */
function contract(): Document {
  const problem = {
    description: "no",
    content: { "application/problem+json": { schema: { type: "object" } } },
  };
  const answer = (schema: object) => ({ description: "ok", content: { "application/json": { schema } } });
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const takes = (name: string) => ({
    requestBody: { content: { "application/json": { schema: ref(name) } } },
  });
  const volume = {
    name: { type: "string", minLength: 1 },
    size: { type: "integer", minimum: 10, maximum: 4096 },
    dataCenter: { type: "string" },
    type: ref("Tier"),
  };
  const list = (key: string, item: string) => ({
    type: "object",
    required: [key],
    properties: { [key]: { type: "array", items: ref(item) } },
  });
  return {
    openapi: "3.1.0",
    info: { version: "1" },
    paths: {
      "/v2/network-volumes": {
        get: { responses: { 200: answer(list("networkVolumes", "Volume")), 401: problem } },
        post: { ...takes("CreateVolume"), responses: { 201: answer(ref("Volume")), 401: problem } },
      },
      "/v2/network-volumes/{id}": {
        parameters: [{ in: "path", name: "id", required: true, schema: { type: "string" } }],
        get: { responses: { 200: answer(ref("Volume")), 404: problem } },
        delete: { responses: { 204: { description: "gone" } } },
      },
      "/v2/serverless/{id}": {
        get: { responses: { 200: answer(ref("Endpoint")) } },
      },
      "/v2/pods/{id}/logs": {
        get: {
          parameters: [{ in: "query", name: "tail", schema: { type: "integer", maximum: 5000 } }],
          responses: { 200: { content: { "text/event-stream": { schema: { type: "string" } } } } },
        },
      },
    },
    components: {
      schemas: {
        Tier: { type: "string", enum: ["STANDARD", "HIGH_PERFORMANCE"] },
        CreateVolume: {
          type: "object",
          additionalProperties: false,
          required: ["name", "size", "dataCenter"],
          properties: volume,
        },
        Volume: {
          allOf: [
            { type: "object", required: ["id"], properties: { id: { type: "string" } } },
            { type: "object", required: ["name", "size"], properties: volume },
          ],
        },
        Endpoint: {
          type: "object",
          properties: {
            id: { type: "string" },
            scaling: { oneOf: [ref("ByDelay"), ref("ByCount")] },
            env: { type: "object", additionalProperties: { type: "string" } },
            gpu: {
              anyOf: [{ type: "object", properties: { count: { type: "integer" } } }, { type: "null" }],
            },
          },
        },
        ByDelay: {
          type: "object",
          required: ["type", "queueDelay"],
          properties: { type: { const: "QUEUE_DELAY" }, queueDelay: { type: "number", minimum: 0.5 } },
        },
        ByCount: {
          type: "object",
          required: ["type", "requestCount"],
          properties: { type: { const: "REQUEST_COUNT" }, requestCount: { type: "integer" } },
        },
      },
    },
  };
}

const told = (document: Document) => watch(accept(JSON.stringify(contract())), JSON.stringify(document));

const text = { type: "string" };

/** Changes that a vendor makes: what the report says of each, and the part of podlumi that it names. */
const plants: [what: string, plant: (document: Document) => void, ...says: string[]][] = [
  [
    "a new operation",
    ({ paths }) => {
      paths["/v2/sandboxes"] = { post: { responses: { 201: { description: "made" } } } };
    },
    "new operation POST /v2/sandboxes, answers 201",
    "- POST /v2/sandboxes: no part of podlumi calls it",
  ],
  [
    "tags, as pages show them",
    ({ paths }) => {
      const tag = { type: "object", properties: { id: text, key: text, value: text, color: text } };
      const content = { "application/json": { schema: tag } };
      paths["/v2/tags/{id}"] = { get: { responses: { 200: { description: "OK", content } } } };
    },
    "new operation GET /v2/tags/{id}, answers 200",
    "provider/resources/labels: the outputs have no color",
  ],
  [
    "an operation that is gone",
    ({ paths }) => {
      delete paths["/v2/network-volumes/{id}"].delete;
    },
    "operation DELETE /v2/network-volumes/{id} is gone",
  ],
  [
    "a new argument",
    ({ components: { schemas } }) => {
      schemas.CreateVolume.properties.labels = { type: "object", additionalProperties: { type: "string" } };
    },
    "new field labels (object)",
    "- provider/resources/network-volume: the field table has no labels, which requests take",
  ],
  [
    "a new field of an answer, deep inside",
    ({ components: { schemas } }) => {
      schemas.Endpoint.properties.gpu.anyOf[0].properties.memory = { type: "integer" };
    },
    "new field gpu.memory (integer)",
    "- provider/resources/serverless-endpoint: the outputs have no gpu.memory",
  ],
  [
    "a field of an answer that is gone",
    ({ components: { schemas } }) => {
      delete schemas.Endpoint.properties.env;
    },
    "field env is gone",
    "provider/resources/serverless-endpoint: the outputs have env as object, required, which stays empty",
  ],
  [
    "a wider limit",
    ({ components: { schemas } }) => {
      schemas.CreateVolume.properties = {
        ...schemas.CreateVolume.properties,
        size: { type: "integer", minimum: 10, maximum: 8192 },
      };
    },
    "field size: maximum is 8192, was 4096",
    "size has maximum 4096 in the field table, 8192 in POST /v2/network-volumes body",
  ],
  [
    "a new value",
    ({ components: { schemas } }) => {
      schemas.Tier.enum.push("ARCHIVE");
    },
    'field type: enum is "ARCHIVE, HIGH_PERFORMANCE, STANDARD", was "HIGH_PERFORMANCE, STANDARD"',
    "type is one of HIGH_PERFORMANCE, STANDARD in the field table, of ARCHIVE, HIGH_PERFORMANCE, STANDARD in POST",
  ],
  [
    "a new status",
    ({ paths }) => {
      paths["/v2/network-volumes"].post.responses[402] = { description: "no money" };
    },
    "new status 402",
    "provider/resources/network-volume: see provider/client/policy.ts",
  ],
  [
    "an argument that is required now",
    ({ components: { schemas } }) => {
      schemas.CreateVolume.required.push("type");
    },
    "field type: required is true, was not said",
    "type is optional in the field table, POST /v2/network-volumes body requires it",
  ],
  [
    "another type in one of the alternatives",
    ({ components: { schemas } }) => {
      schemas.ByDelay.properties.queueDelay = { type: "string" };
    },
    'field scaling.queueDelay: type is "string", was "number"',
    "field scaling.queueDelay: minimum is not said any more, was 0.5",
  ],
  [
    "a limit of a parameter",
    ({ paths }) => {
      paths["/v2/pods/{id}/logs"].get.parameters[0].schema.maximum = 1000;
    },
    "field query tail: maximum is 1000, was 5000",
    "provider/client/logs.ts: see whether it should send query tail",
  ],
];

test("all changes of a contract are found at once, each with the part of podlumi that it concerns", () => {
  const document = contract();
  for (const [, plant] of plants) plant(document);
  const { text, news } = told(document);
  expect(news).toBe(true);
  for (const [, , ...says] of plants) for (const line of says) expect(text).toContain(line);
});

test.each(plants)("%s is found alone, and nothing else", (_what, plant, ...says) => {
  const document = contract();
  plant(document);
  const { text, news } = told(document);
  expect(news).toBe(true);
  for (const line of says) expect(text).toContain(line);
  const found = [...text.matchAll(/^- \*\*(.*)\*\*$/gm)].map(([, what = ""]) => what);
  expect(found.filter((what) => !says.includes(what))).toEqual([]);
});

test("other texts, names of schemas and orders are no change", () => {
  const text = JSON.stringify(contract())
    .replaceAll("/Volume", "/Disk")
    .replace('"Volume":', '"Disk":')
    .replace('"description":"ok"', '"description":"here it is"')
    .replace('["STANDARD","HIGH_PERFORMANCE"]', '["HIGH_PERFORMANCE","STANDARD"]');
  expect(watch(accept(JSON.stringify(contract())), text)).toMatchObject({ news: false });
});

test("what is no contract is refused", () => {
  expect(() => contractOf('{"message":"Not Found"}')).toThrow("this is no OpenAPI file");
});

describe("the digest of the contract that podlumi was built for", () => {
  const text = readFileSync(join(__dirname, "digest.json"), "utf8");
  const kept = JSON.parse(text) as { gaps: string[]; contract: object };
  const accepted = contractOfDigest(JSON.stringify(kept.contract));

  test("has every operation, and loses nothing when it is read and written again", () => {
    expect(accepted.operations.size).toBe(53);
    expect(contractOfDigest(digestText(accepted))).toEqual(accepted);
    expect(accepted.operations.get("POST /v2/network-volumes")?.body?.get("size")).toEqual({
      type: "integer",
      minimum: 10,
      maximum: 4096,
      required: true,
    });
  });

  test("has no gap in podlumi that was not known when it was accepted", () => {
    expect(gaps(accepted)).toEqual(kept.gaps);
  });
});

describe("the program and its workflow", () => {
  const folder = mkdtempSync(join(tmpdir(), "podlumi-contract-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = (name: string) => join(folder, name);
  const run = (...args: string[]) =>
    spawnSync(process.execPath, ["--import", "tsx", resolve("test/contract/main.ts"), ...args], {
      encoding: "utf8",
    });

  test("the program accepts a contract, and tells with its exit code whether another one differs", () => {
    const changed = contract();
    changed.components.schemas.Tier.enum.push("ARCHIVE");
    writeFileSync(file("old.json"), JSON.stringify(contract()));
    writeFileSync(file("new.json"), JSON.stringify(changed));
    expect(run("--accept", "--digest", file("digest.json"), file("old.json"))).toMatchObject({ status: 0 });
    expect(run("--digest", file("digest.json"), file("new.json"))).toMatchObject({
      status: 1,
      stdout: expect.stringContaining("ARCHIVE"),
    });
    expect(run("--digest", file("digest.json"), file("none.json"))).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("ENOENT"),
    });
    expect(run("--digest", file("digest.json"), "http://127.0.0.1:2/openapi.json")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("no answer from http://127.0.0.1:2/openapi.json: ECONNREFUSED"),
    });
  });

  test("the workflow opens one issue when the contract differs, and fails when it cannot be read", () => {
    const step = new IssueStep("contract");
    const asked = "npm run -s contract -- https://api.runpod.io/v2/openapi.json\n";
    expect(step.run("echo found")).toEqual({ status: 0, called: asked });
    expect(step.run("exit 2")).toEqual({ status: 2, called: asked });
    const opened = step.run("echo found; exit 1");
    expect(opened).toMatchObject({
      status: 0,
      called: expect.stringContaining("gh issue create --title The"),
    });
    const edited = step.run("echo found; exit 1", "7");
    expect(edited).toMatchObject({
      status: 0,
      called: expect.stringContaining("gh issue edit 7 --body-file"),
    });
    expect(step.written("issue.md")).toBe("found\n");
    step.end();
  });
});
