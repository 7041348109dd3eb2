import type { Emulator } from "../../sdk/emulator/service";
import { BALANCED, ENDPOINT } from "../emulator/client";
import { testLong } from "../harness/long";
import { apiKey, CommandLine, until } from "./cli";
import { populate } from "./populated";

const cli = new CommandLine();
let emulator: Emulator;
beforeAll(async () => {
  emulator = await cli.emulate();
  populate(emulator);
});
afterAll(() => cli.close());

describe("ls", () => {
  test("shows everything with its status and what it costs, and nothing that may be secret", async () => {
    const { code, out } = await cli.run("ls");
    expect(code).toBe(0);
    const { pods, networkVolumes } = emulator.service.snapshot();
    for (const { id } of [...pods, ...networkVolumes]) expect(out).toContain(id);
    expect(out).toMatch(/^Pod +\w+ +trainer +RUNNING +0\.48 +\d{4}-/m);
    expect(out).toMatch(/^NetworkVolume +\w+ +data +50 GB in EU-RO-1$/m);
    expect(out).toMatch(/^Cluster +\w+ +swarm +2 RUNNING +12\.80/m);
    expect(out).toMatch(/^15\.40 \$\/h/m);
    const ends = [...out.matchAll(/^.* \d+\.\d\d(?= )/gm)].map(([line]) => line.length);
    expect(ends.length).toBeGreaterThan(4);
    expect(new Set(ends).size).toBe(1);
    expect(out).not.toContain(String.fromCharCode(27));
  });

  testLong("as JSON has the same of one kind, whatever way the kind is written", async () => {
    const { out } = await cli.run("ls", "pods", "--json");
    const [pod] = emulator.service.pods.list();
    const { id, name, status, cost, createdAt } = pod ?? {};
    const all = JSON.parse(out);
    expect(all).toHaveLength(4);
    expect(all[0]).toEqual({ kind: "Pod", id, name, status, cost, createdAt });
    expect((await cli.run("ls", "Pod", "--json")).out).toBe(out);
    const [endpoint] = JSON.parse((await cli.run("ls", "endpoints", "--json")).out);
    expect(endpoint).toMatchObject({ kind: "ServerlessEndpoint" });
  });

  test("tells what cannot be listed, shows the rest, and ends with 1", async () => {
    const match = { interface: "rest", path: "/templates" } as const;
    const id = emulator.faults.add({ match, when: "before", what: { status: 403 }, times: 0 });
    const { code, out, err } = await cli.run("ls");
    emulator.faults.remove(id);
    expect(code).toBe(1);
    expect(err).toMatch(/^podlumi: templates cannot be listed: GET \/templates answered 403/);
    expect(out).toMatch(/^Pod /m);
  });

  test("tells once what it waits for when the service is slow", async () => {
    const match = { interface: "rest", method: "GET" } as const;
    const id = emulator.faults.add({ match, when: "before", what: { delay: 3_500 }, times: 0 });
    const { code, err } = await cli.run("ls");
    emulator.faults.remove(id);
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringMatching(/^podlumi: waiting for the response to GET \/\S+\n$/),
    });
  });

  test("tells once what concerns every kind", async () => {
    const id = emulator.faults.add({
      match: { interface: "rest" },
      when: "before",
      what: { status: 401 },
      times: 0,
    });
    const { code, err } = await cli.run("ls");
    emulator.faults.remove(id);
    expect(code).toBe(1);
    expect(err.match(/answered 401/g)).toHaveLength(1);
    // The command line does not read the configuration of a stack.
    expect(err).toContain("Check the API key: the environment variable RUNPOD_API_KEY. [");
  });

  test("tells once that the address is wrong", async () => {
    const { RUNPOD_API_URL = "" } = emulator.env;
    const env = { ...cli.env, RUNPOD_API_URL: RUNPOD_API_URL.replace("/v2", "/v3") };
    const { code, err } = await cli.start(["ls"], env).ended;
    expect(code).toBe(1);
    expect(err.match(/answered 404/g)).toHaveLength(1);
    expect(err).toContain("check RUNPOD_API_URL, which has /v2 at its end");
  });
});

describe("logs", () => {
  test("are those of a pod", async () => {
    const { id } = emulator.service.pods.list()[0] ?? { id: "" };
    emulator.service.logs.write(id, "container", `the key is ${apiKey}`);
    const { code, out } = await cli.run("logs", id, "--source", "container", "--tail", "1");
    expect(code).toBe(0);
    expect(out).toMatch(/^\d{4}-\S+ the key is \[secret\]\n$/);
  });

  testLong("steer no terminal: only colours pass, and only where colours are shown", async () => {
    const { id } = emulator.service.pods.list()[0] ?? { id: "" };
    emulator.service.logs.write(id, "container", "\u001b[2J\u001b[1;35mstep\t\u001b[0m\u009b2K\u202e\r");
    const last = ["logs", id, "--source", "container", "--tail", "1"];
    expect((await cli.run(...last)).out).toMatch(/^\S+ \\u\{1b\}\[2Jstep\t\\u\{9b\}2K\\u\{202e\}\n$/);
    const shown = await cli.spawn(last, { ...cli.env, FORCE_COLOR: "1" }).ended;
    expect(shown.out).toContain(" \\u{1b}[2J\u001b[1;35mstep\t\u001b[0m\\u{9b}2K\\u{202e}\u001b[0m\n");
    const json = await cli.run(...last, "--json");
    expect(json.out).toContain("\\u009b2K\\u202e\\r");
    expect(JSON.parse(json.out).line).toBe("\u001b[2J\u001b[1;35mstep\t\u001b[0m\u009b2K\u202e\r");
  });

  test("of an endpoint are those of all its workers, each behind its worker, by their time", async () => {
    const { id } = emulator.service.endpoints.create({ ...ENDPOINT, workers: { min: 2, max: 2 } });
    const workers = emulator.service.endpoints.workers(id).workers.map((worker) => worker.id);
    const { out } = await cli.run("logs", id, "--json");
    const lines = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(new Set(lines.map(({ worker }) => worker))).toEqual(new Set(workers));
    expect(lines[0]).toEqual({
      ts: expect.any(String),
      source: "system",
      line: "worker is starting",
      worker: expect.any(String),
    });
    const times = lines.map(({ ts }) => Date.parse(ts));
    expect(times).toEqual([...times].sort((a, b) => a - b));
    emulator.service.endpoints.delete(id);
  });

  test("that are followed continue with new lines, until the pod is gone", async () => {
    const { id } = emulator.service.pods.create({
      name: "short",
      image: "i",
      gpu: { id: "NVIDIA L4", count: 1 },
    });
    const followed = cli.spawn(["logs", id, "--follow"]);
    await until(() => followed.printed.out.includes("container started"));
    emulator.service.logs.write(id, "container", "a new line");
    await until(() => followed.printed.out.includes("a new line"));
    emulator.service.pods.delete(id);
    expect((await followed.ended).code).toBe(0);
  });

  test("of an endpoint that are followed are those of new workers too, until the endpoint is gone", async () => {
    const { id } = emulator.service.endpoints.create(ENDPOINT);
    const followed = cli.start(["logs", id, "--follow"]);
    await until(() => followed.printed.err.includes("the endpoint has no workers now"));
    emulator.service.endpoints.update(id, { workers: { min: 1, max: 1 } });
    await until(() => followed.printed.out.includes("worker is ready"));
    const [worker] = emulator.service.endpoints.workers(id).workers;
    expect(followed.printed.out).toContain(` ${worker?.id} worker is ready`);
    emulator.service.endpoints.delete(id);
    expect((await followed.ended).code).toBe(0);
  });

  testLong(
    "of an endpoint that are followed end with an error when the service refuses to tell of new workers",
    async () => {
      const { id } = emulator.service.endpoints.create(ENDPOINT);
      emulator.service.endpoints.update(id, { workers: { min: 1, max: 1 } });
      const followed = cli.start(["logs", id, "--follow"]);
      await until(() => followed.printed.out.includes("worker is ready"));
      const refused = emulator.faults.add({
        match: { method: "GET", path: `/serverless/${id}/workers` },
        when: "before",
        what: { status: 403 },
        times: 0,
      });
      expect(await followed.ended).toMatchObject({ code: 1, err: expect.stringContaining("answered 403") });
      emulator.faults.remove(refused);
      emulator.service.endpoints.delete(id);
    },
  );

  testLong("of many workers are followed without a warning of Node.js", async () => {
    const { id } = emulator.service.endpoints.create({ ...ENDPOINT, workers: { min: 12, max: 12 } });
    const followed = cli.start(["logs", id, "--follow"]);
    await until(() => new Set(followed.printed.out.match(/\S+(?= worker is ready)/g)).size === 12);
    emulator.service.endpoints.delete(id);
    expect(await followed.ended).toMatchObject({ code: 0, err: "" });
  });

  testLong(
    "of an endpoint that are followed end with an error when the log of a worker is refused",
    async () => {
      const { id } = emulator.service.endpoints.create({ ...ENDPOINT, workers: { min: 2, max: 2 } });
      const path = `/serverless/${id}/workers/*/logs`;
      emulator.faults.add({ match: { path }, when: "before", what: { status: 403 }, times: 1 });
      const { code, err } = await cli.run("logs", id, "--follow");
      expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("answered 403") });
      emulator.service.endpoints.delete(id);
    },
  );

  testLong("are found by a name, too, when only one has it", async () => {
    const pod = () =>
      emulator.service.pods.create({ name: "twice", image: "i", gpu: { id: "NVIDIA L4", count: 1 } });
    const first = pod();
    expect(await cli.run("logs", "twice")).toMatchObject({
      code: 0,
      out: expect.stringContaining("container started"),
    });
    const second = pod();
    const several = await cli.run("logs", "twice");
    expect(several.err).toContain(
      `"twice" may be the pod twice (${first.id}), or the pod twice (${second.id}): give the id of the one that is meant`,
    );
    expect((await cli.run("logs", "twic")).err).toContain('"twic" in this account; did you mean "twice"?');
    for (const { id } of [first, second]) emulator.service.pods.delete(id);
  });

  test("of nothing are an error that says where to look", async () => {
    const { code, err } = await cli.run("logs", "nobody");
    expect(code).toBe(1);
    expect(err).toBe(
      'podlumi: there is no pod and no serverless endpoint "nobody" in this account: `npx podlumi ls` lists what there is ' +
        "[PODLUMI-NOT-FOUND]\n",
    );
  });
});

describe("jobs", () => {
  let id: string;
  beforeAll(() => {
    ({ id } = emulator.service.endpoints.create(ENDPOINT));
    emulator.setHandler(id, async function* (input) {
      if ("fail" in Object(input)) throw new Error("no luck");
      yield { text: "a" };
      yield { text: "b" };
    });
  });

  test("are sent, looked at and counted", async () => {
    const sent = await cli.run("jobs", "run", id, '{"prompt":"hi"}');
    const job = JSON.parse(sent.out);
    expect(job).toEqual({ id: expect.any(String), status: "IN_QUEUE" });
    const seen = await cli.run("jobs", "status", id, job.id);
    expect(JSON.parse(seen.out)).toMatchObject({ id: job.id });
    expect(JSON.parse((await cli.run("jobs", "cancel", id, job.id)).out).id).toBe(job.id);
    expect(JSON.parse((await cli.run("jobs", "health", id)).out)).toHaveProperty("workers.idle");
  });

  test("that were sent before are waited for, streamed, run again and removed", async () => {
    const sent = async (input: string) => JSON.parse((await cli.run("jobs", "run", id, input)).out).id;
    const job = await sent('{"prompt":"hi"}');
    expect((await cli.run("jobs", "wait", id, job, "--stream")).out).toBe('{"text":"a"}\n{"text":"b"}\n');
    expect(JSON.parse((await cli.run("jobs", "wait", id, job)).out)).toEqual([{ text: "a" }, { text: "b" }]);
    const failed = await sent('{"fail":true}');
    expect(await cli.run("jobs", "wait", id, failed)).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /no luck\. .*`npx podlumi jobs retry` runs it again\. \[PODLUMI-JOB-FAILED\]$/m,
      ),
    });
    const retried = JSON.parse((await cli.run("jobs", "retry", id, failed)).out);
    expect(retried).toEqual({ id: failed, status: "IN_QUEUE" });

    expect(JSON.parse((await cli.run("jobs", "purge", id)).out)).toEqual({ removed: 0 });
    const idle = emulator.service.endpoints.create({ ...ENDPOINT, name: "idle", workers: { max: 0 } });
    await cli.run("jobs", "run", "idle", '{"prompt":"hi"}');
    expect(await cli.run("jobs", "purge", "idle")).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining("no terminal to ask on: give --yes to remove without asking"),
    });
    expect(JSON.parse((await cli.run("jobs", "purge", "idle", "--yes")).out)).toEqual({ removed: 1 });
    emulator.service.endpoints.delete(idle.id);
  });

  test("of an endpoint that balances load are not sent, and the error has its address", async () => {
    const balanced = emulator.service.endpoints.create({ ...BALANCED, name: "web-api" });
    const before = emulator.requests.length;
    const { code, err } = await cli.run("jobs", "run", "web-api", '{"prompt":"hi"}');
    expect(code).toBe(1);
    expect(err).toContain(
      `web-api (${balanced.id}) is a LOAD_BALANCER endpoint, which has no queue: send HTTP requests to ${balanced.requestUrls.base}`,
    );
    expect(emulator.requests.slice(before).every(({ path }) => !path.startsWith("/queue"))).toBe(true);
    emulator.service.endpoints.delete(balanced.id);
  });

  test("take the name of the endpoint in place of its id; of another name, the error tells what is wrong", async () => {
    const { name } = emulator.service.endpoints.get(id);
    expect(JSON.parse((await cli.run("jobs", "health", name)).out)).toHaveProperty("workers.idle");
    const other = emulator.service.endpoints.create({ ...ENDPOINT, workers: { max: 1 } });
    expect((await cli.run("jobs", "health", name)).err).toContain(
      `"${name}" may be the serverless endpoint ${name} (${id}), or the serverless endpoint ${name} (${other.id})`,
    );
    emulator.service.endpoints.update(other.id, { name: id });
    await cli.run("jobs", "health", id);
    expect(emulator.requests.at(-1)?.path).toMatch(new RegExp(`/v2/${id}/health$`));
    emulator.service.endpoints.delete(other.id);
    const before = emulator.requests.length;
    const { err } = await cli.run("jobs", "run", "nobody", '{"prompt":"hi"}');
    expect(err).toBe(
      'podlumi: there is no serverless endpoint "nobody" in this account: `npx podlumi ls` lists what there is ' +
        "[PODLUMI-NOT-FOUND]\n",
    );
    const asked = emulator.requests.slice(before).filter(({ path }) => path.startsWith("/queue"));
    // A new endpoint's queue would be asked for 15 s, this one is for a second.
    const times = asked.map(({ at }) => at);
    expect(Math.max(...times) - Math.min(...times)).toBeLessThan(4_000);
    expect(asked.every(({ path }) => path.endsWith("/health"))).toBe(true);
    const near = await cli.run("jobs", "health", `${name}x`);
    expect(near.err).toContain(`did you mean "${name}"?`);
  });

  testLong(
    "take the name of the resource, where one endpoint has its mark, and say which one that is",
    async () => {
      const marked = (stack: string) => {
        const mark = `${stack} ServerlessEndpoint::chat 70b3f2-5e6a1b9c0d2f-9f31c2d-04be1a7-8c1f04a-1 2026-11-01T10:00:00Z`;
        const name = `chat-${stack.replace("/", "-")}`;
        return emulator.service.endpoints.create({
          ...ENDPOINT,
          name,
          workers: { max: 1 },
          env: { PODLUMI_MARK: mark },
        });
      };
      const one = marked("shop/dev");
      expect(await cli.run("jobs", "health", "chat")).toMatchObject({
        code: 0,
        err: `podlumi: chat is the serverless endpoint chat-shop-dev (${one.id}) of shop/dev\n`,
      });
      expect(emulator.requests.at(-1)?.path).toMatch(new RegExp(`/v2/${one.id}/health$`));
      // Nobody gets the removed jobs back, and the resource may be that of another stack.
      const purge = await cli.run("jobs", "purge", "chat", "--yes");
      expect(purge).toMatchObject({ code: 1, err: expect.stringContaining('no serverless endpoint "chat"') });
      const other = marked("shop/prod");
      expect((await cli.run("jobs", "health", "chat")).err).toContain(
        `(${one.id}) of shop/dev, or the serverless endpoint chat-shop-prod (${other.id}) of shop/prod: give the id`,
      );
      for (const { id } of [one, other]) emulator.service.endpoints.delete(id);
    },
  );

  test("are waited for, with their input from a pipe, and streamed", async () => {
    const waiting = cli.start(["jobs", "run", id, "-", "--wait"]);
    waiting.input.end('{"prompt":"hi"}');
    expect(JSON.parse((await waiting.ended).out)).toEqual([{ text: "a" }, { text: "b" }]);
    const { out, err } = await cli.run("jobs", "run", id, '{"prompt":"hi"}', "--stream");
    expect(out).toBe('{"text":"a"}\n{"text":"b"}\n');
    expect(err).toMatch(/^podlumi: job \S+\n$/);
  });

  testLong("take no number that would be sent as another one, and name its place", async () => {
    const exact =
      '{"seed":9007199254740992,"least":-0,"part":0.1234567890123456789,"text":"12345678901234567890 \\"1\\" 9"}';
    expect((await cli.run("jobs", "run", id, exact)).code).toBe(0);
    const large = cli.start(["jobs", "run", id, "-"]);
    large.input.end(JSON.stringify({ text: "\n1".repeat(2_500_000) }));
    expect((await large.ended).code).toBe(0);
    const others = '{"seed":12345678901234567890,"a b":[1,{"id":9007199254740993}],"far":1e400,"seed ":"1"}';
    expect(await cli.run("jobs", "run", id, others)).toEqual({
      code: 2,
      out: "",
      err: 'error: the input has numbers that cannot be sent exactly: write them as strings: seed, ["a b"][1].id, far\n(see --help)\n',
    });
  });

  test.each([["--wait"], ["--stream"]])(
    "that take long tell their state, and Ctrl-C with %s says that they continue",
    async (option) => {
      const idle = emulator.service.endpoints.create({ ...ENDPOINT, name: "idle", workers: { max: 0 } });
      const waiting = cli.spawn(["jobs", "run", "idle", '{"prompt":"hi"}', option]);
      await until(() => waiting.printed.err.includes("podlumi: the job is IN_QUEUE. Workers: none\n"));
      waiting.stop("SIGINT");
      const { code, out, err } = await waiting.ended;
      expect({ code, out }).toEqual({ code: 130, out: "" });
      const [, job] = /^podlumi: job (\S+)$/m.exec(err) ?? [];
      expect(err).toContain(
        `podlumi: no longer waiting for job ${job} of endpoint ${idle.id}. It continues: \`npx podlumi jobs wait\``,
      );
      emulator.service.endpoints.delete(idle.id);
    },
  );

  test("that have an input within their input are told of, and sent", async () => {
    const { code, err } = await cli.run("jobs", "run", id, '{"input":{"prompt":"hi"}}');
    expect([code, err]).toEqual([
      0,
      'podlumi: the worker gets {"input": {"input": …}}: give the inner JSON alone, unless the worker takes it so\n',
    ]);
    expect((await cli.run("jobs", "run", id, '{"input":"hi","n":1}')).err).toBe("");
  });

  test("that fail end with 1 and the worker's error, input that is no JSON with 2 and not repeated", async () => {
    const failed = await cli.run("jobs", "run", id, '{"fail":true}', "--wait");
    expect(failed).toMatchObject({ code: 1, out: "", err: expect.stringMatching(/is FAILED: .*no luck/) });
    const { code, err } = await cli.run("jobs", "run", id, "secret: hunter22");
    expect(code).toBe(2);
    expect(err).toMatch(/^error: the input is no JSON/);
    expect(err).not.toContain("hunter22");
  });

  test("of a hostile worker steer no terminal", async () => {
    emulator.setHandler(id, () => {
      throw new Error("\u001b[2J\u001b]0;title\u0007 no\u001b[31m luck");
    });
    const { err } = await cli.run("jobs", "run", id, '{"prompt":"hi"}', "--wait");
    expect(err).toContain("\\u{1b}[2J\\u{1b}]0;title\\u{7} no\\u{1b}[31m luck");
  });
});
