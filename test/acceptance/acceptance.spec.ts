import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type HttpResponse, type Send, transport } from "../../provider/client/transport";
import { settings } from "../../provider/config";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../sdk/emulator/service";
import { fast } from "../harness/account";
import { testLong } from "../harness/long";
import { IssueStep } from "../harness/workflow";
import { accept, type Finding, type Result } from "./acceptance";
import { assumptions } from "./assumptions";
import { SharedClock } from "./clock";
import { type Aspect, compare } from "./compare";
import { page } from "./page";
import { replay } from "./replay";

// biome-ignore lint/suspicious/noExplicitAny: the plants change any answer
type Body = any;

/** Runs the acceptance against an emulated account. `spoil` changes answers on their way. */
async function run(
  options: EmulatorOptions,
  spoil: (method: string, path: string, body: Body) => void = () => {},
  { budget = 1, speed = 100 } = {},
): Promise<{ result: Result; told: string[]; emulator: Emulator }> {
  const clock = new SharedClock(speed);
  const emulator = await startEmulator({ ...options, clock });
  const real = clock.stopped(transport());
  const wire: Send = async (request): Promise<HttpResponse> => {
    const answer = await real(request);
    const path = request.url.pathname.replace(/^\/v2/, "");
    if (!path.startsWith("/") || answer.body === "" || request.streamed) return answer;
    const body = JSON.parse(answer.body);
    spoil(request.method, path, body);
    return { ...answer, body: JSON.stringify(body) };
  };
  const told: string[] = [];
  const account = settings(() => undefined, emulator.env);
  const { signal } = new AbortController();
  const tell = (line: string) => told.push(line);
  const running = accept({ settings: account, clock, wire, budget, tell, signal });
  const result = await running.catch(async (error) => {
    await emulator.close();
    throw error;
  });
  return { result, told, emulator };
}

describe("against an emulator that differs from the one that podlumi assumes", () => {
  let findings: readonly Finding[];
  let result: Result;
  let emulator: Emulator;
  beforeAll(async () => {
    const every = { times: Number.POSITIVE_INFINITY };
    const problem = (status: number, detail: string) => ({
      answer: { status, body: { title: "No", status, detail }, type: "application/problem+json" },
    });
    ({ result, emulator } = await run(
      {
        timings: { provisioning: 30_000, listLag: 3_000 },
        injectEnv: false,
        faults: [
          {
            match: { method: "DELETE", path: "/network-volumes/acceptance-missing" },
            when: "before",
            what: problem(400, "no such volume"),
            ...every,
          },
          {
            match: { method: "GET", path: "/pods/acceptance-missing" },
            when: "before",
            what: problem(404, "pod not found"),
            ...every,
          },
        ],
      },
      (method, path, body) => {
        if (/^\/pods/.test(path) && body.id) body.labels = {};
        if (/^\/serverless/.test(path) && body.id) body.timeout = 0;
        if (/^\/network-volumes\/\w+$/.test(path) && body.id) body.size = String(body.size);
        if (method === "GET" && path === "/templates") body.templates.reverse();
        if (method === "GET" && path === "/catalog/gpus") for (const gpu of body.gpus) delete gpu.pool;
        if (method === "GET" && path === "/serverless") body.pagination = { nextCursor: null };
        if (body.status === "STARTING" && body.cpu) body.status = "PULLING";
      },
    ));
    findings = result.findings;
  });
  afterAll(() => emulator.close());

  const planted: [
    what: string,
    Aspect,
    operation: string,
    path: string,
    says: [string, string],
    line: RegExp,
  ][] = [
    [
      "another status",
      "status",
      "DELETE /network-volumes/{id}",
      "",
      ["400", "404"],
      /state\/problem\.ts:\d+ export const notFound/,
    ],
    [
      "another text of a 404",
      "value",
      "GET /pods/{id}",
      "detail",
      ['"pod not found"', '"resource not found"'],
      /state\/problem\.ts:\d+ export const notFound/,
    ],
    [
      "a new field",
      "field",
      "POST /pods",
      "labels",
      ["{}", "nothing"],
      /state\/pod\.ts:\d+ export function podView/,
    ],
    [
      "another default",
      "value",
      "POST /serverless",
      "timeout",
      ["0", "300000"],
      /endpoint-settings\.ts:\d+ timeout: .*\n.*serverless-endpoint\/index\.ts:\d+ timeout: update/,
    ],
    [
      "another type",
      "field",
      "GET /network-volumes/{id}",
      "size",
      ['string: "10"', "number: 10"],
      /state\/volumes\.ts:\d+ return \{ id, name, size/,
    ],
    [
      "another order",
      "order",
      "GET /templates",
      "templates",
      ["newest first", "oldest first"],
      /state\/templates\.ts:\d+ return \[\.\.\.this\.records\.values/,
    ],
    [
      "a field that the catalog has not",
      "field",
      "GET /catalog/gpus",
      "gpus[].pool",
      ["nothing", '"<string>"'],
      /catalog-views\.ts:\d+ export function gpuView/,
    ],
    [
      "pages",
      "field",
      "GET /serverless",
      "pagination",
      ['{"nextCursor":null}', "nothing"],
      /pagination\.ts:\d+ return \{ \.\.\.\(answer/,
    ],
    [
      "a list that lags",
      "lag",
      "GET /registries",
      "",
      [expect.stringMatching(/^does not list what was made \d s ago$/), "lists what was made"],
      /service\/index\.ts:\d+ listLag: 0/,
    ],
    [
      "a state of its own",
      "state",
      "POST /pods",
      "status",
      ["PROVISIONING, PULLING, RUNNING", "PROVISIONING, STARTING, RUNNING"],
      /service\/index\.ts:\d+ provisioning: 5_000.*\n.*life-cycle\.ts:\d+ const starting/,
    ],
    [
      "times of its own",
      "time",
      "POST /pods",
      "RUNNING",
      [expect.stringMatching(/^after [3-6]\d s$/), expect.stringMatching(/^after [12]\d s$/)],
      /service\/index\.ts:\d+ provisioning: 5_000.*\n.*starting: 10_000/,
    ],
    [
      "a variable that the platform does not add",
      "variable",
      "POST /pods",
      "RUNPOD_POD_ID",
      ["nothing", expect.stringMatching(/^"<id-\d+>"$/)],
      /state\/pods\.ts:\d+ const platformEnv.*\n.*core\/state\/platform\.ts:\d+ const added/,
    ],
  ];

  test.each(planted)(
    "finds %s, and the lines that assume otherwise",
    (_what, aspect, operation, path, says, line) => {
      const found = findings.filter(
        (one) => one.aspect === aspect && one.operation === operation && one.path === path,
      );
      expect(found.map(({ service, emulator }) => [service, emulator])).toContainEqual(says);
      const lines = found[0]?.lines.map(({ file, number, text }) => `${file}:${number} ${text}`).join("\n");
      expect(lines).toMatch(line);
    },
  );

  test("every finding names a line that there is", () => {
    expect(findings.filter(({ lines }) => lines.length === 0)).toEqual([]);
    for (const { file, number, text } of findings.flatMap(({ lines }) => lines))
      expect(readFileSync(file, "utf8").split("\n")[number - 1]?.trim()).toBe(text);
  });
});

testLong("a pod that does not start fails its step, stays nowhere, and ends nothing else", async () => {
  const { result, emulator } = await run({ timings: { provisioning: 1_200_000 } }, undefined, { speed: 300 });
  await emulator.close();
  const failed = result.outcomes.filter((outcome) => outcome.failed !== undefined);
  expect(failed.map(({ step }) => step)).toEqual(["CPU pod", "GPU pod"]);
  expect(failed[0]?.failed).toMatch(/exists but is not ready: it is PROVISIONING after 300 s/);
  expect(emulator.service.isEmpty()).toBe(true);
  expect(result.after.left).toEqual([]);
});

testLong("without a key, the program asks the emulator, and finds nothing", async () => {
  const out = mkdtempSync(join(tmpdir(), "podlumi-acceptance-"));
  const { RUNPOD_API_KEY, ...env } = process.env;
  const child = spawn(
    process.execPath,
    ["--import", "tsx", resolve("test/acceptance/main.ts"), "--out", out],
    {
      env,
      stdio: "ignore",
    },
  );
  const [code] = await once(child, "close");
  expect(code).toBe(0);
  expect(readFileSync(join(out, "first-contact.md"), "utf8")).toMatch(
    /^# First contact: the emulator\n\n\d+ requests, 0 diff/,
  );
  rmSync(out, { recursive: true });
});

test("the workflow asks no account without a key, and opens one issue when the service differs", () => {
  const step = new IssueStep("acceptance");
  const env = { RUNPOD_API_KEY: "key", BUDGET: "0.50" };
  const asked = "npm run -s acceptance -- --yes --budget 0.50\n";
  expect(step.run("exit 0", "", { ...env, RUNPOD_API_KEY: "" })).toEqual({ status: 0, called: "" });
  expect(step.run("exit 0", "", env)).toEqual({ status: 0, called: asked });
  expect(step.run("exit 2", "", env)).toEqual({ status: 2, called: asked });
  const differs = "mkdir -p acceptance; echo page > acceptance/first-contact.md; exit 1";
  const opened = step.run(differs, "", env);
  expect(opened).toMatchObject({ status: 0, called: expect.stringContaining("gh issue create --title The") });
  const edited = step.run(differs, "7", env);
  expect(edited).toMatchObject({ status: 0, called: expect.stringContaining("gh issue edit 7 --body-file") });
  expect(step.written("issue.md")).toBe("page\n");
  step.end();
});

test("every comment that begins as an assumption is one that can be read", () => {
  const files = ["sdk/emulator/service", "provider"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
  );
  const sources = files.filter((file) => file.endsWith(".ts")).map((file) => readFileSync(file, "utf8"));
  const written = sources.flatMap((text) => text.match(/\/\/ assumes:/g) ?? []);
  expect(written.length).toBeGreaterThan(50);
  expect(assumptions().length).toBe(written.length);
});

describe("against an emulator as podlumi assumes it", () => {
  let plain: Awaited<ReturnType<typeof run>>;
  beforeAll(async () => {
    plain = await run({});
  });
  afterAll(() => plain.emulator.close());

  test("finds nothing, leaves nothing, and announces each step with its price", () => {
    const { result, told, emulator } = plain;
    expect(result.findings).toEqual([]);
    expect(result.outcomes.map(({ step, failed }) => [step, failed])).toEqual(
      [
        "registry credential",
        "template",
        "secret",
        "network volume",
        "tags and cost center",
        "CPU pod",
        "endpoint",
        "GPU pod",
      ].map((step) => [step, undefined]),
    );
    expect(emulator.service.isEmpty()).toBe(true);
    expect(told).toContainEqual("1 of 8, registry credential: costs nothing");
    expect(told).toContainEqual(
      expect.stringMatching(/^6 of 8, CPU pod: at most 0\.0102 USD, for 15 minutes at /),
    );
    expect(result.usd).toBeGreaterThan(0);
    expect(result.usd).toBeLessThan(0.05);
  });

  test("its recording is replayed without a difference, and one of another service with its difference", async () => {
    const { exchanges } = plain.result;
    const kept = JSON.parse(JSON.stringify(exchanges)) as typeof exchanges;
    expect(compare(kept, await replay(kept))).toEqual([]);
    const other = kept.map((one) => (one.path === "/acceptance-nowhere" ? { ...one, status: 400 } : one));
    expect(compare(other, await replay(other))).toMatchObject([
      { aspect: "status", service: "400", emulator: "404" },
    ]);
  });

  test("a page shows both responses of each request, and its recording has no ids, keys and addresses", () => {
    const { result, emulator } = plain;
    expect(page(result, "the emulator")).toMatch(
      /\| `POST \/pods` by podlumi \| {2}\| 201 in \d+ ms \| 201, the same body \|/,
    );
    const kept = JSON.stringify(result.exchanges);
    const deleted = emulator.requests.filter(({ method, status }) => method === "DELETE" && status === 204);
    const ids = deleted.map(({ path }) => String(path.split("/").at(-1)));
    expect(new Set(ids).size).toBe(9);
    for (const secret of [
      ...ids,
      "127.0.0.1",
      "203.0.113",
      "ssh.runpod.io",
      "api_key",
      "Bearer",
      emulator.service.userId,
    ])
      expect(kept).not.toContain(secret);
  });
});

test("ends at the budget, before what would not fit", async () => {
  const { result, told, emulator } = await run({}, undefined, { budget: 0.0015 });
  await emulator.close();
  expect(result.outcomes.map(({ step }) => step)).toEqual(["registry credential", "template", "secret"]);
  expect(result.ended).toMatch(
    /^network volume and what comes after it: up to 0\.0019 USD more would not fit/,
  );
  expect(told.join()).not.toContain("4 of 8");
  const billed = emulator.requests.filter(
    ({ method, path }) => method === "POST" && /volumes|pods/.test(path),
  );
  expect(billed).toEqual([]);
});

testLong(
  "a killed run leaves what the next one sweeps, Ctrl-C sweeps at once, and what is not its own stays",
  async () => {
    const emulator = await startEmulator({ ...fast, apiKey: "key" });
    const out = mkdtempSync(join(tmpdir(), "podlumi-acceptance-"));
    // A volume without a mark, and one with the mark of another stack of the same name.
    const foreign = ["acceptance", "acceptance-89b77d8f-0123abcd-ddf3200"];
    for (const name of foreign) emulator.service.volumes.create({ name, size: 10, dataCenter: "US-KS-2" });
    const start = async (killedBy: NodeJS.Signals, path: string, ...args: string[]) => {
      const main = resolve("test/acceptance/main.ts");
      const child = spawn(process.execPath, ["--import", "tsx", main, "--yes", "--out", out, ...args], {
        env: { ...process.env, ...emulator.env },
      });
      let printed = "";
      for (const stream of [child.stdout, child.stderr])
        stream.on("data", (text) => {
          printed += text;
        });
      const off = emulator.on("after", { method: "POST", path }, () => void child.kill(killedBy));
      const [code, signal] = await once(child, "close");
      off();
      return { code, signal, printed };
    };
    const left = () =>
      Object.values(emulator.service.snapshot()).flatMap((all) => all.map(({ name }) => name));
    expect(await start("SIGKILL", "/templates")).toMatchObject({ signal: "SIGKILL" });
    expect(left().length).toBe(3);
    const second = await start("SIGINT", "/pods");
    expect(second.printed).toMatch(/deleted: template acceptance-/);
    expect(second.printed).toMatch(/left out: endpoint and what comes after it: it was interrupted/);
    expect(second.code).toBe(130);
    expect(left()).toEqual(foreign);
    expect(existsSync(join(out, "first-contact.md"))).toBe(true);
    // The same once more, as a killed run would leave it.
    const [, name = ""] = /deleted: template (\S+)/.exec(second.printed) ?? [];
    emulator.service.templates.create({ name, image: "org/app:1" });
    expect(await start("SIGKILL", "/nothing", "--sweep")).toMatchObject({ code: 0 });
    expect(left()).toEqual(foreign);
    await emulator.close();
    rmSync(out, { recursive: true });
  },
);
