import * as podlumi from "podlumi";
import type { JobHandler } from "../../sdk/emulator/service";
import { emulatedStack, emulator, stack } from "../harness/emulated";
import { testLong } from "../harness/long";
import type { Run } from "../harness/stack";

const timings = { jobTime: 0 };

const endpoint = (args: Partial<podlumi.ServerlessEndpointArgs>, name = "llm") =>
  new podlumi.ServerlessEndpoint(name, {
    type: "QUEUE",
    image: "org/worker:1",
    gpu: { pools: ["ADA_24"] },
    scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
    ...args,
  });

const llm = (args: Partial<podlumi.ServerlessEndpointArgs>) => () => {
  const { id, verifiedRelease } = endpoint(args);
  return { id, release: verifiedRelease.apply((version) => version ?? "not verified") };
};

const work = (handler: JobHandler) => emulator.setHandler("*", handler);
const only = () => emulator.service.endpoints.list()[0]?.id ?? "";
/** Writes a line into the log of every worker. */
const say = (id: string, line: string) => {
  for (const worker of emulator.service.endpoints.workers(id).workers)
    emulator.service.logs.write(worker.id, "container", line);
};
const ops = ({ steps }: Run) => Object.fromEntries(steps.map(({ name, op }) => [name, op]));

describe("an endpoint with verify", () => {
  emulatedStack("each", { timings });

  const verify: podlumi.VerifyArgs = { input: { prompt: "hi", n: 1 }, expect: { echo: { prompt: "hi" } } };

  test("runs a job on each new release and each new verify, and at no other time", async () => {
    const edited = (edits: Record<string, Partial<podlumi.ServerlessEndpointArgs>>) => () =>
      Object.fromEntries(
        ["kept", "renamed", "released", "reworded", "dropped"].map((name) => {
          const { id, verifiedRelease } = endpoint({ verify, ...edits[name] }, name);
          return [name, [id, verifiedRelease]];
        }),
      );
    const before = edited({});
    const after = edited({
      renamed: { name: "another", workers: { max: 2 } },
      released: { image: "org/worker:2" },
      reworded: { verify: { ...verify, input: { prompt: "hi" } } },
      dropped: { verify: undefined },
    });
    const ids = (await stack.up(before)).outputs as Record<string, [string, number]>;
    await stack.refresh();
    expect((await stack.up(after)).outputs).toMatchObject({
      kept: [expect.anything(), 1],
      renamed: [expect.anything(), 1],
      released: [expect.anything(), 2],
      reworded: [expect.anything(), 1],
    });
    const jobs = Object.entries(ids).map(([name, [id]]) => {
      const { completed } = emulator.service.jobs.health(id).jobs;
      return [name, completed];
    });
    expect(Object.fromEntries(jobs)).toEqual({ kept: 1, renamed: 1, released: 2, reworded: 2, dropped: 1 });
    expect(Object.values(ops(await stack.preview(after)))).toEqual(Array(5).fill("same"));
  });

  testLong(
    "fails with the job's error, the release and the worker's last lines, and is verified again by the next up",
    async () => {
      await stack.up(llm({ verify }));
      work((_input, { endpointId }) => {
        say(endpointId, "loading weights");
        throw new Error("CUDA out of memory");
      });
      const failure = stack.up(llm({ verify, image: "org/worker:2" }));
      await expect(failure).rejects.toThrow(
        /serverless endpoint "llm-[0-9a-f-]+" \(\w+\) exists but is not ready: its verification failed: job \S+ is FAILED: CUDA out of memory, on release 2, which changed template\.imageName\./,
      );
      await expect(failure).rejects.toThrow(
        /The last lines of worker \w+:\n(.*\n)*.*container: loading weights/,
      );
      expect(emulator.service.endpoints.get(only()).image).toBe("org/worker:2");

      expect(ops(await stack.preview(llm({ verify, image: "org/worker:2" })))).toEqual({ llm: "update" });
      work((input) => ({ echo: input }));
      const mended = await stack.up(llm({ verify, image: "org/worker:2", name: "renamed" }));
      expect(mended.outputs.release).toBe(2);
    },
  );

  testLong("that fails at once stays in the state and is verified by the next up", async () => {
    work(() => "something else");
    await expect(stack.up(llm({ verify }))).rejects.toThrow(
      /job \S+ was completed, but output is "something else", which does not match verify\.expect, on release 1\./,
    );
    expect(await stack.resources()).toContainEqual(expect.objectContaining({ id: only() }));
    work((input) => ({ echo: input }));
    expect((await stack.up(llm({ verify }))).outputs).toMatchObject({ id: only(), release: 1 });
  });

  testLong(
    "that fails stays a failure after a refresh, also one in the same up, until it is verified",
    async () => {
      const program = llm({ verify });
      work(() => "something else");
      const failed = /exists but is not ready: its verification failed/;
      await expect(stack.up(program)).rejects.toThrow(failed);
      await expect(stack.up(program, { refresh: true })).rejects.toThrow(failed);
      await stack.refresh();
      const preview = await stack.preview(program);
      expect(ops(preview)).toEqual({ llm: "update" });
      expect(preview.printed).toMatch(
        /has not become ready since podlumi last changed it: this update waits/,
      );
      work((input) => ({ echo: input }));
      expect((await stack.up(program, { refresh: true })).outputs).toMatchObject({ release: 1 });
      expect(ops(await stack.preview(program))).toEqual({ llm: "same" });
    },
  );

  testLong("that takes too long fails, and its job is cancelled", async () => {
    work((_input, { signal }) => new Promise((done) => signal.addEventListener("abort", done)));
    await expect(stack.up(llm({ verify: { ...verify, timeout: 1 } }))).rejects.toThrow(
      /job \S+ is still IN_PROGRESS after 1 s.* Its workers: 1 running\./,
    );
    expect(emulator.service.jobs.health(only()).jobs).toMatchObject({ inProgress: 0, inQueue: 0 });
  });
});

describe("an endpoint with verify and a secret", () => {
  const token = "TOKEN-IN-THE-INPUT";
  emulatedStack("each", { timings, config: { token: { value: token, secret: true } } });

  testLong("keeps the secrets of its input out of the state and of every message", async () => {
    const program = (image: string) => async () => {
      const { Config } = await import("@pulumi/pulumi");
      const secret = new Config().requireSecret("token");
      const input = { open: "plain-input", nested: { token: secret, list: [{ token: secret }] } };
      return llm({ image, verify: { input, expect: { ok: true, nothing: null } } })();
    };
    let got: unknown;
    work((input) => {
      got = input;
      return { ok: true, nothing: null };
    });
    await stack.up(program("org/worker:1"));
    expect(got).toEqual({ open: "plain-input", nested: { token, list: [{ token }] } });
    await stack.refresh();
    expect(ops(await stack.preview(program("org/worker:1")))).toEqual({ llm: "same" });
    work((input, { endpointId }) => {
      say(endpointId, `got ${JSON.stringify(input)}`);
      return { ok: input };
    });
    await expect(stack.up(program("org/worker:2"))).rejects.toThrow(
      /output\.ok is .*\[secret\].*container: got/s,
    );
    const left = stack.leftBehind();
    expect(left).not.toContain(token);
    expect(left).toContain("plain-input");
  });
});

describe("an endpoint that waits", () => {
  emulatedStack("each", { timings });

  const workers = { min: 2 };

  testLong("for its rollout shows how far it is, and ends when no worker runs an older release", async () => {
    emulator.service.timings.starting = 2_000;
    await stack.up(llm({ workers, waitFor: "READY" }));
    const { progress, printed } = await stack.up(
      llm({ workers, waitForRollout: true, image: "org/worker:2" }),
    );
    expect(emulator.service.endpoints.releases(only()).rollout).toMatchObject({ percentOnLatest: 100 });
    expect(progress).toContainEqual(
      expect.stringMatching(
        /^waiting for the rollout, release 2 is on (0|50) % of the workers \([01] of 2\), \d s$/,
      ),
    );
    expect(printed.split("Diagnostics:")[1] ?? "").not.toContain("waiting for");
  });

  testLong(
    "for a healthy worker fails when there is none in time, and continues to wait in the next up",
    async () => {
      emulator.service.timings.starting = 3_000;
      const program = (waitTimeout: number) => llm({ workers, waitFor: "READY", waitTimeout });
      await expect(stack.up(program(1))).rejects.toThrow(
        /no worker of its newest release is healthy after 1 s.* Its workers: 2 initializing\. The last lines of worker/,
      );
      await stack.up(program(30));
      expect(emulator.service.endpoints.workers(only()).summary).toMatchObject({ idle: 2 });
    },
  );
});

describe("an edit of a template", () => {
  emulatedStack("each", { timings });

  interface Settings {
    server?: Partial<podlumi.TemplateArgs>;
    machine?: Partial<podlumi.TemplateArgs>;
  }
  /** Two endpoints and a pod that follow their templates, and one endpoint that does not. */
  const program =
    ({ server, machine }: Settings = {}) =>
    () => {
      const env = { MODEL: "one", OLD: "1" };
      const forEndpoints = new podlumi.Template("server", {
        image: "org/a:1",
        serverless: true,
        env,
        ...server,
      });
      const forPods = new podlumi.Template("machine", { image: "org/p:1", ports: ["80/http"], ...machine });
      const from = { image: undefined, templateId: forEndpoints.id };
      const following = { ...from, templateRevision: forEndpoints.revision };
      const balanced = {
        type: "LOAD_BALANCER",
        scaling: { type: "REQUEST_COUNT", requestCount: 1 },
      } as const;
      return {
        queue: endpoint({ ...following, args: "--own" }, "queue").id,
        balancer: endpoint({ ...following, ...balanced, env: { OWN: "1" } }, "balancer").id,
        fixed: endpoint(from, "fixed").id,
        pod: new podlumi.Pod("pod", {
          templateId: forPods.id,
          templateRevision: forPods.revision,
          gpu: { id: "NVIDIA L4" },
        }).id,
      };
    };

  testLong(
    "rolls out to what has its revision, as the preview says, and a new name or readme does not",
    async () => {
      const { endpoints, pods } = emulator.service;
      const before = (await stack.up(program())).outputs;
      const quiet = {
        server: { name: "renamed" },
        machine: { readme: "# Read me", category: "AMD" },
      } as const;
      const same = { queue: "same", balancer: "same", fixed: "same", pod: "same" };
      expect(ops(await stack.up(program(quiet)))).toEqual({ ...same, server: "update", machine: "update" });

      const edit = program({
        server: { ...quiet.server, image: "org/a:2", env: { MODEL: "two" } },
        machine: { ...quiet.machine, image: "org/p:2" },
      });
      const preview = await stack.preview(edit);
      expect(preview.printed).toContain("rolls out image, env of the template server, which changes");
      const told = Object.fromEntries(preview.steps.map((step) => [step.name, step]));
      expect(told).toMatchObject({
        queue: { op: "update", differs: ["templateRevision"] },
        balancer: { op: "update", differs: ["templateRevision"] },
        fixed: { op: "same" },
      });
      const replaced = preview.steps.find(({ op }) => op === "replace");
      expect(replaced).toMatchObject({ name: "pod", replaces: ["templateRevision"] });

      const after = (await stack.up(edit)).outputs;
      expect(after).toEqual({ ...before, pod: expect.not.stringMatching(String(before.pod)) });
      expect(endpoints.get(String(after.queue))).toMatchObject({ image: "org/a:2", args: "--own" });
      expect(endpoints.get(String(after.fixed))).toMatchObject({ image: "org/a:1" });
      expect(endpoints.get(String(after.balancer)).env).toEqual({
        MODEL: "two",
        OWN: "1",
        PODLUMI_MARK: expect.stringContaining("ServerlessEndpoint::balancer"),
        PORT: "80",
        PORT_HEALTH: "80",
      });
      expect(pods.list()).toMatchObject([{ id: after.pod, image: "org/p:2" }]);

      const refreshed = await stack.refresh();
      expect(new Set(refreshed.results.map(({ op }) => op))).toEqual(new Set(["same"]));
      expect(ops(await stack.preview(edit))).toEqual({ ...same, server: "same", machine: "same" });
    },
  );

  testLong("that is secret has a secret revision", async () => {
    await stack.up(async () => {
      const { secret } = await import("@pulumi/pulumi");
      const env = { TOKEN: secret("hunter22") };
      const template = new podlumi.Template("server", { image: "org/a:1", serverless: true, env });
      return { hidden: template.revision };
    });
    const [main] = (await stack.resources()).filter(({ type }) => type === "pulumi:pulumi:Stack");
    expect(main?.outputs.hidden).toHaveProperty("plaintext");
  });
});
