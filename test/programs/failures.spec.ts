import * as pulumi from "@pulumi/pulumi";
import * as podlumi from "podlumi";
import { emulatedStack, emulator, stack } from "../harness/emulated";
import { testLong } from "../harness/long";
import { oneCheckpoint } from "../harness/stack";

const pod = (args: Partial<podlumi.PodArgs>, opts?: pulumi.CustomResourceOptions) => () => ({
  id: new podlumi.Pod("trainer", { image: "org/pod:1", gpu: { id: "NVIDIA L4" }, ...args }, opts).id,
});

const asked = (method: string) => emulator.requests.filter((request) => request.method === method).length;

describe("a mistake in a program", () => {
  emulatedStack("all", { env: oneCheckpoint });

  test.each<[string, () => unknown, RegExp]>([
    [
      "a misspelt name",
      pod({ gpu: { id: "NVIDIA L4", counts: 2 } as podlumi.PodGpuArgs }),
      /has a problem: gpu\.counts: unknown property "counts"; did you mean "count"\?/,
    ],
    [
      "a number out of its range",
      () => new podlumi.NetworkVolume("data", { size: 5, dataCenter: "EU-RO-1" }),
      /has a problem: size: must be at least 10 GB, not 5/,
    ],
    [
      "a number inside of an argument",
      pod({ gpu: { id: "NVIDIA L4", count: 0 } }),
      /'trainer' has a problem: gpu\.count: must be at least 1, not 0/,
    ],
    [
      "two things that exclude each other",
      pod({ cpu: { id: "cpu3c", vcpuCount: 2 } }),
      /has a problem: cpu: give gpu or cpu, not both/,
    ],
  ])(
    "%s fails in the preview, at the property's path, before the service is asked",
    async (_title, program, message) => {
      await expect(stack.preview(program)).rejects.toThrow(message);
      expect(emulator.requests).toEqual([]);
    },
  );
});

describe("without the right key", () => {
  emulatedStack("all", { apiKey: "the-key" });
  const program = (size: number) => () => ({
    id: new podlumi.NetworkVolume("data", { size, dataCenter: "EU-RO-1" }).id,
    token: new podlumi.Secret("token", { value: `value of ${size}` }).id,
  });
  let id: unknown;
  beforeAll(async () => {
    id = (await stack.up(program(10))).outputs.id;
  });

  test("a preview without a key tells what is unchanged, and what would change", async () => {
    const keyless = await stack.with({ RUNPOD_API_KEY: "" });
    const ops = async (size: number) => (await keyless.preview(program(size))).steps.map(({ op }) => op);
    expect(await ops(10)).toEqual(["same", "same"]);
    expect(await ops(20)).toEqual(["update", "update"]);
  });

  test("a refresh that may not look keeps everything and fails", async () => {
    const wrong = await stack.with({ RUNPOD_API_KEY: "another-key" });
    // The resource that is read first has the whole answer.
    await expect(wrong.refresh()).rejects.toThrow(
      /could not read (network volume "data|secret "token)-[0-9a-f-]+" .* answered 401/,
    );
    expect(await stack.resources()).toContainEqual(expect.objectContaining({ id }));
  });

  test("a destroy without a key fails before anything is lost, and says both ways to set one", async () => {
    const keyless = await stack.with({ RUNPOD_API_KEY: "" });
    await expect(keyless.destroy()).rejects.toThrow(
      /pulumi config set --secret podlumi:apiKey`, or in the environment variable RUNPOD_API_KEY \[PODLUMI-CONFIGURATION\]/,
    );
    expect(emulator.service.volumes.list()).toHaveLength(1);
  });
});

describe("what goes wrong on the way", () => {
  emulatedStack("each");

  testLong(
    "a pod that does not run in time stays in the state, and the next up continues to wait for it",
    async () => {
      emulator.service.timings.starting = 5_000;
      await expect(stack.up(pod({ waitTimeout: 1 }))).rejects.toThrow(
        /pod "trainer-[0-9a-f-]+" \(\w+\) exists but is not ready: it is STARTING after 1 s instead of RUNNING\. Run `pulumi up` again/,
      );
      const [made] = emulator.service.pods.list();
      expect(await stack.resources()).toContainEqual(expect.objectContaining({ id: made?.id }));

      const { outputs } = await stack.up(pod({ waitTimeout: 20 }));
      expect(outputs.id).toBe(made?.id);
      expect(emulator.service.pods.list()).toMatchObject([{ id: made?.id, status: "RUNNING" }]);
    },
  );

  testLong("a hook that has its create retried creates no second pod", async () => {
    emulator.service.timings.starting = 3_000;
    const program = () => {
      const again = new pulumi.ErrorHook("again", () => true);
      return pod({ waitTimeout: 1 }, { hooks: { onError: [again] } })();
    };
    const { outputs, warnings } = await stack.up(program);
    expect(warnings).toContainEqual(expect.stringMatching(/retrying create due to on-error hook/));
    expect(emulator.service.pods.list()).toMatchObject([{ id: outputs.id, status: "RUNNING" }]);
    // Pulumi keeps the error of the first try in its state, and updates the pod once.
    await stack.up(program);
    expect((await stack.preview(program)).steps).toMatchObject([{ op: "same" }]);
    expect(asked("POST")).toBe(1);
  });

  testLong("a hook that never gives up leaves a stack that every command can read", async () => {
    const program = (again: () => boolean) => () => {
      const onError = [new pulumi.ErrorHook("again", again)];
      const args = { image: "org/pod:1", public: true, startSsh: false, readme: "# One" };
      new podlumi.Template("worker", args, { hooks: { onError } });
    };
    const refused = { match: { method: "PATCH", path: "/templates/*" }, when: "before" } as const;
    emulator.faults.add({ ...refused, what: { status: 400 }, times: 0 });
    const { warnings } = await stack.up(program(() => true));
    expect(warnings.at(-1)).toMatch(/a hook has had this tried 100 times, .*\[PODLUMI-NOT-READY\]/);
    emulator.faults.clear();
    await stack.up(program(() => false));
    expect(emulator.service.templates.list()).toMatchObject([{ public: true, startSsh: false }]);
    expect((await stack.preview(program(() => false))).steps).toMatchObject([{ op: "same" }]);
    await stack.destroy();
    expect(emulator.service.isEmpty()).toBe(true);
  });

  testLong("a pod whose container fails is started once more by each next up", async () => {
    const { service } = emulator;
    const failing = async (id?: string) => {
      const up = stack.up(pod({ waitTimeout: 30 }));
      const starting = () =>
        service.pods.list().find((each) => each.status === "STARTING" && (id ?? each.id) === each.id);
      while (starting() === undefined) await new Promise((resolve) => setTimeout(resolve, 20));
      const { id: made = "" } = starting() ?? {};
      service.pods.fail(made, "CUDA out of memory");
      await expect(up).rejects.toThrow(/exists but is not ready: its container failed/);
      await expect(up).rejects.toThrow(/Its last lines:\n(.*\n)*.*CUDA out of memory/);
      return made;
    };
    service.timings.starting = 5_000;
    const id = await failing();
    expect(await stack.resources()).toContainEqual(expect.objectContaining({ id }));
    expect(await failing(id)).toBe(id);

    service.timings.starting = 0;
    const { steps, outputs } = await stack.up(pod({ waitTimeout: 30 }));
    expect(steps.map(({ op }) => op)).not.toContain("replace");
    expect(service.pods.list()).toMatchObject([{ id, status: "RUNNING" }]);
    expect(outputs.id).toBe(id);
  });

  testLong(
    "a pod with a mended image is changed in place; one that holds data is never replaced unasked",
    async () => {
      const { service } = emulator;
      service.timings.starting = 5_000;
      const mounts = { persistent: { size: 20, path: "/data" } };
      const failing = async (args: Partial<podlumi.PodArgs>) => {
        const up = stack.up(pod({ waitTimeout: 30, ...args }));
        const starting = () => service.pods.list().find(({ status }) => status === "STARTING");
        while (starting() === undefined) await new Promise((resolve) => setTimeout(resolve, 20));
        service.pods.fail(String(starting()?.id));
        await expect(up).rejects.toThrow(
          /its container failed: the status is ERROR\. Fix its settings, .* only `--replace` makes another one\./,
        );
      };
      for (const _attempt of [1, 2, 3]) await failing({ image: "org/misspelt:1", mounts });
      const [broken] = service.pods.list();

      service.timings.starting = 0;
      const { results } = await stack.up(pod({ image: "org/pod:1", mounts, waitTimeout: 30 }));
      expect(results).toContainEqual(expect.objectContaining({ name: "trainer", op: "update" }));
      expect(service.pods.list()).toMatchObject([{ id: broken?.id, status: "RUNNING", image: "org/pod:1" }]);
    },
  );

  testLong.each([
    ["EXITED", /exists but is not ready: it stopped while podlumi waited/],
    [
      "TERMINATED",
      /exists but is not ready: it is gone: somebody deleted it\. Run `pulumi refresh`, then `pulumi up` creates it again \[PODLUMI-GONE\]/,
    ],
  ])("a pod that is %s while podlumi waits for it is told at once", async (status, says) => {
    emulator.service.timings.starting = 60_000;
    const up = stack.up(pod({}));
    const began = Date.now();
    while (emulator.service.pods.list().length === 0) await new Promise((tick) => setTimeout(tick, 20));
    const [made] = emulator.service.pods.list();
    emulator.faults.add({
      match: { method: "GET", path: `/pods/${made?.id}` },
      when: "before",
      what: { answer: { status: 200, body: { ...made, status } } },
    });
    await expect(up).rejects.toThrow(says);
    expect(Date.now() - began).toBeLessThan(20_000);
    emulator.faults.clear();
    expect(await stack.resources()).toContainEqual(expect.objectContaining({ id: made?.id }));
  });

  testLong("what is waited for shows in the status line, and is gone afterwards", async () => {
    emulator.service.timings.starting = 4_000;
    const run = await stack.up(pod({ waitTimeout: 30 }));
    expect(run.progress).toContainEqual(expect.stringMatching(/^waiting for RUNNING, it is STARTING, \d s$/));
    expect(run.printed.split("Diagnostics:")[1] ?? "").not.toContain("waiting for");
  });

  testLong("what a request is answered that is retried shows in the status line", async () => {
    const template = (args: string) => () => new podlumi.Template("worker", { image: "org/worker:1", args });
    await stack.up(template("--a"));
    emulator.faults.add({ match: { method: "PATCH" }, when: "before", what: { status: 502 }, times: 8 });
    const run = await stack.up(template("--b"));
    const says = /^PATCH \/templates\/\w+ answered 502: retrying for up to 120 s, \d+ s so far$/;
    expect(run.progress).toContainEqual(expect.stringMatching(says));
  });

  testLong("a template that is still in use is deleted when it is free", async () => {
    emulator.service.timings.templateRelease = 1500;
    await stack.up(() => {
      const template = new podlumi.Template("worker", { image: "org/pod:1" });
      pod({ image: undefined, templateId: template.id })();
    });
    await stack.destroy();
    expect(emulator.service.isEmpty()).toBe(true);
    const refused = emulator.requests.filter(({ method, status }) => method === "DELETE" && status === 400);
    expect(refused.length).toBeGreaterThan(0);
  });

  testLong(
    "a template that is replaced, and from which an endpoint was created, stays in use until that is replaced, too",
    async () => {
      const program = (disk: number) => () => {
        const args = { image: "org/one:1", serverless: true, disk, deleteTimeout: 1 };
        const templateId = new podlumi.Template("one", args, { replaceOnChanges: ["disk"] }).id;
        const scaling = { type: "QUEUE_DELAY", queueDelay: 4 } as const;
        const gpu = { pools: ["ADA_24" as const] };
        new podlumi.ServerlessEndpoint("chat", { templateId, type: "QUEUE", scaling, gpu });
      };
      await stack.up(program(5));
      await expect(stack.up(program(6))).rejects.toThrow(
        /endpoint "chat-.* may use it: if so, .*\[PODLUMI-IN-USE\]/,
      );
      const chat = (await stack.resources()).find(({ urn }) => urn.endsWith("::chat"));
      await stack.up(program(6), { replace: [String(chat?.urn)] });
      expect(emulator.service.templates.list()).toMatchObject([{ disk: 6 }]);
    },
  );

  testLong(
    "a template that is deleted before it is replaced, and from which an endpoint that leaves the program was created: the error says to delete that",
    async () => {
      const program = (hasEndpoint: boolean) => () => {
        const args = { image: "org/one:1", serverless: true, deleteTimeout: 1 };
        const template = new podlumi.Template("one", args, { deleteBeforeReplace: true });
        const scaling = { type: "QUEUE_DELAY", queueDelay: 4 } as const;
        const gpu = { pools: ["ADA_24" as const] };
        if (hasEndpoint)
          new podlumi.ServerlessEndpoint("chat", { templateId: template.id, type: "QUEUE", scaling, gpu });
      };
      await stack.up(program(true));
      const one = (await stack.resources()).find(({ urn }) => urn.endsWith("::one"));
      const replacing = stack.up(program(false), { replace: [String(one?.urn)] });
      await expect(replacing).rejects.toThrow(
        /endpoint "chat-.* may use it: if so, delete that first.*\[PODLUMI-IN-USE\]/,
      );
    },
  );

  const readme = (text: string) => () =>
    void new podlumi.Template("worker", { image: "org/pod:1", public: true, startSsh: false, readme: text });

  testLong(
    "settings that a saved readme has reset, and whose restoration was refused, are restored by the next up",
    async () => {
      await stack.up(readme("# One"));
      emulator.faults.add({
        match: { method: "PATCH", path: "/templates/*" },
        when: "before",
        what: { status: 400 },
        times: 1,
      });
      await expect(stack.up(readme("# Two"))).rejects.toThrow("exists but is not ready");
      expect(emulator.service.templates.list()).toMatchObject([{ public: false, startSsh: true }]);
      await stack.up(readme("# Two"));
      expect(emulator.service.templates.list()).toMatchObject([{ public: true, startSsh: false }]);
      expect((await stack.preview(readme("# Two"))).steps.map(({ op }) => op)).toEqual(["same"]);
    },
  );

  testLong("what has a unique name is deleted before it is replaced, and what uses it follows", async () => {
    const program = (path?: string) => () => {
      const mounts = path === undefined ? undefined : { persistent: { size: 10, path } };
      const template = new podlumi.Template("worker", { image: "org/pod:1", mounts });
      return { template: template.id, ...pod({ templateId: template.id })() };
    };
    const before = await stack.up(program("/data"));
    await stack.configure({ "podlumi:confirmDataLoss": { value: "all" } });
    const after = await stack.up(program());
    const replaced = after.steps.filter(({ op }) => op === "replace").map(({ name }) => name);
    expect(replaced).toEqual(["worker", "trainer"]);
    expect(after.outputs.template).not.toBe(before.outputs.template);
    expect(after.outputs.id).not.toBe(before.outputs.id);
    expect(emulator.service.templates.list()).toHaveLength(1);
    expect(emulator.service.pods.list()).toHaveLength(1);
  });
});
