import { confirmDataLoss } from "../../provider/config";
import { markVariable } from "../../provider/core/mark/mark";
import type { Properties } from "../../provider/value";
import { interrupted } from "./lost-answers";
import {
  begin,
  create,
  declared,
  emulator,
  existing,
  haveInState,
  heard,
  inputs,
  type Kind,
  kinds,
  provider,
  stacks,
  urnOf,
} from "./process";

// By its mark, a resource takes over what a killed run of it has left.

describe("a process that died", () => {
  test.each(kinds)(
    "after a %s was created leaves nothing behind: the next run takes it over, on any machine, and says so",
    async (kind) => {
      const lost = await interrupted(kind);
      const { result, said } = await heard(() => begin(kind));
      expect(result.id).toBe(lost);
      expect(existing()).toEqual([lost]);
      expect(said).toMatch(
        new RegExp(`takes over the .* \\(${lost}\\) .* is in no state, as a killed run leaves it`),
      );
    },
  );

  test.each(kinds)(
    "before its response about a %s reached the engine leaves nothing behind",
    async (kind) => {
      const lost = await begin(kind);
      const { id } = await begin(kind);
      expect(id).toBe(lost.id);
      expect(existing()).toEqual([id]);
    },
  );
});

describe("what a killed run created is changed into what the program says by now", () => {
  test.each<[Kind, Properties, (id: string) => unknown]>([
    ["secret", { value: "another" }, (id) => ({ value: emulator.service.secrets.valueOf(id) })],
    ["registryAuth", { password: "another" }, (id) => emulator.service.registries.valueOf(id)],
    ["template", { image: "org/worker:2" }, (id) => emulator.service.templates.get(id)],
    ["pod", { image: "org/pod:2" }, (id) => emulator.service.pods.get(id)],
    ["networkVolume", { size: 30 }, (id) => emulator.service.volumes.get(id)],
    ["serverlessEndpoint", { timeout: 60_000 }, (id) => emulator.service.endpoints.get(id)],
  ])("a %s: %j", async (kind, edit, held) => {
    const left = await interrupted(kind);
    const { id, outs } = await begin(kind, edit);
    expect(id).toBe(left);
    expect(held(id)).toMatchObject(edit);
    const olds = { ...outs, __provider: "p" };
    const { inputs: news } = (await provider()[kind].check?.(olds, declared(kind, edit))) ?? {};
    expect(await provider()[kind].diff?.(id, olds, news)).toMatchObject({ changes: false, replaces: [] });
    expect(existing()).toEqual([id]);
  });

  test.each<[Kind, Properties]>([
    ["pod", { startSsh: true }],
    ["pod", { gpu: { id: "NVIDIA A40" } }],
    ["networkVolume", { dataCenter: "US-KS-2" }],
    ["serverlessEndpoint", { type: "LOAD_BALANCER", scaling: { type: "REQUEST_COUNT", requestCount: 1 } }],
  ])(
    "or, where it cannot be, stays and is told of, and creates another one: a %s, %j",
    async (kind, edit) => {
      const left = await interrupted(kind);
      const { result, said } = await heard(() => begin(kind, edit));
      expect(result.id).not.toBe(left);
      expect(existing().sort()).toEqual([left, result.id].sort());
      expect(said).toMatch(
        new RegExp(`\\(${left}\\) carries the mark of this resource.*sweep --stack.*PODLUMI-ORPHAN`),
      );
    },
  );

  test("a cluster from another template than the program says stays, too, since the service tells from which it is", async () => {
    const { templates } = emulator.service;
    const [one, other] = ["one", "other"].map((name) => templates.create({ name, image: "org/pod:1" }).id);
    const settings = { name: undefined, image: undefined, env: undefined };
    const left = await interrupted("cluster", { ...settings, templateId: one });
    const same = await heard(() => begin("cluster", { ...settings, templateId: one }));
    expect([same.result.id, same.said]).toEqual([left, expect.not.stringContaining("never answers")]);
    const { id } = await begin("cluster", { ...settings, templateId: other });
    expect(id).not.toBe(left);
    expect(emulator.service.clusters.get(id)).toMatchObject({ template: other });
  });

  test("a cluster whose pods have other settings than the program says stays, too", async () => {
    const left = await interrupted("cluster", { name: undefined, image: "org/app:1" });
    const { result, said } = await heard(() => begin("cluster", { name: undefined, image: "org/app:2" }));
    expect(result.id).not.toBe(left);
    expect(said).toMatch(new RegExp(`\\(${left}\\) carries the mark of this resource.*PODLUMI-ORPHAN`));
    const again = await begin("cluster", { name: undefined, image: "org/app:1" });
    expect(again.id).toBe(left);
  });

  test("one of two is taken over, and a warning names the other", async () => {
    const first = await interrupted("pod");
    const { name, env } = emulator.service.pods.get(first);
    const gpu = { id: "NVIDIA L4", count: 1 };
    const { id: second } = emulator.service.pods.create({ name, image: "org/pod:1", gpu, env });
    const { result, said } = await heard(() => begin("pod"));
    const other = result.id === first ? second : first;
    expect(existing().sort()).toEqual([first, second].sort());
    expect(said).toMatch(
      new RegExp(
        `takes over the pod "\\S+" \\(${result.id}\\) [^\n]*\n[^\n]* \\(${other}\\) carries the mark .*, and it stays`,
      ),
    );
    expect(said).not.toContain("creates another one");
  });

  test("what has left the program since costs nothing more, also beside a template and within a setting that stays", async () => {
    const { endpoints, templates } = emulator.service;
    const cuda = { allowedCudaVersions: ["12.8"] };
    const { id: templateId } = templates.create({
      name: "t",
      image: "org/t:1",
      args: "-v",
      serverless: true,
      ...cuda,
    });
    const pools = ["ADA_24"];
    const older = { gpu: { pools, count: 2 }, workers: { min: 2, max: 4 }, flashboot: "FLASHBOOT" };
    const left = await interrupted("serverlessEndpoint", { templateId, ...older });
    const edit = { templateId, gpu: { pools }, workers: { max: 4 } };
    const { result, said } = await heard(() => begin("serverlessEndpoint", edit));
    expect(result.id).toBe(left);
    expect(said).toContain("and changes gpu, workers, flashboot");
    const workers = { min: 0, max: 4, idleTimeout: 10 };
    const held = { args: "-v", gpu: { pools, count: 1, ...cuda }, workers, flashboot: "OFF" };
    expect(endpoints.get(left)).toMatchObject(held);
  });

  test("a command in either form is cleared, and one in the other form takes its place", async () => {
    const left = await interrupted("pod", { entrypoint: ["sh"], cmd: ["-c", "serve"] });
    expect((await begin("pod", { args: "serve" })).id).toBe(left);
    expect(emulator.service.pods.get(left)).toMatchObject({ args: "serve", entrypoint: [] });
    const again = await interrupted("template", { args: "-v" });
    expect((await begin("template", { cmd: ["-w"] })).id).toBe(again);
    expect(emulator.service.templates.get(again)).toMatchObject({ entrypoint: [], cmd: ["-w"] });
    const last = await interrupted("serverlessEndpoint", { cmd: ["-v"] });
    expect((await begin("serverlessEndpoint")).id).toBe(last);
    expect(emulator.service.endpoints.get(last)).toMatchObject({ args: "", entrypoint: [], cmd: [] });
  });

  test("a pod with more GPUs than the program asks for by now is not taken over", async () => {
    const { id: templateId } = emulator.service.templates.create({
      name: "t",
      image: "org/t:1",
      mounts: { persistent: { size: 20, path: "/data" } },
    });
    const left = await interrupted("pod", { templateId, gpu: { id: "NVIDIA L4", count: 2 } });
    const { id } = await begin("pod", { templateId });
    expect(id).not.toBe(left);
    expect((await begin("pod", { templateId })).id).toBe(id);
  });

  test("a variable that the program does not have any more is no obstacle, and the mark stays", async () => {
    const left = await interrupted("pod", { env: { A: "1", B: "2" } });
    const { id } = await begin("pod", { env: { A: "2" } });
    expect(id).toBe(left);
    expect(emulator.service.pods.get(id).env).toMatchObject({
      A: "2",
      [markVariable]: expect.stringContaining("project/dev Pod::it "),
    });
  });
});

describe("nothing is taken over", () => {
  test.each(kinds)("that another stack of the same program created: a %s", async (kind) => {
    const theirs = await interrupted(kind, { __providerId: stacks.theirs });
    const { id } = await begin(kind);
    expect(id).not.toBe(theirs);
    expect(existing().sort()).toEqual([id, theirs].sort());
  });

  test.each(kinds)("that another resource of the same stack left: a %s", async (kind) => {
    const other = await interrupted(kind, { __urn: urnOf(kind, "other") });
    const { id } = await begin(kind);
    expect(id).not.toBe(other);
  });

  test.each<[Kind, (name: string) => { id: string }]>([
    ["networkVolume", (name) => emulator.service.volumes.create({ name, size: 20, dataCenter: "EU-RO-1" })],
    [
      "pod",
      (name) =>
        emulator.service.pods.create({ name, image: "org/pod:1", gpu: { id: "NVIDIA L4", count: 1 } }),
    ],
  ])("that somebody created by hand, under a name of the program: a %s", async (kind, make) => {
    const { id: theirs } = make(String(inputs[kind].name));
    const { id } = await begin(kind, { name: inputs[kind].name });
    expect(id).not.toBe(theirs);
    expect(existing().sort()).toEqual([id, theirs].sort());
  });

  test("that another stack has adopted since the check", async () => {
    const left = await interrupted("pod");
    const { pod } = provider();
    const { inputs: checked = {} } = await pod.check({}, declared("pod"));
    const theirs = { __providerId: stacks.theirs, __urn: urnOf("pod", "theirs", "prod") };
    await begin("pod", { ...theirs, adopt: left });
    expect((await pod.create(checked)).id).not.toBe(left);
  });

  test("that a call of this run has shown, whatever the state says", async () => {
    const first = await begin("pod");
    const next = provider();
    await next.pod.diff?.(first.id, { ...first.outs, __provider: "p" }, declared("pod", { name: "it" }));
    const { id } = await begin(next.pod, "pod");
    expect(id).not.toBe(first.id);
  });
});

test("a replacement gets another name, and the run after a kill finds what the killed one had begun", async () => {
  const { id: old, outs } = await begin("networkVolume");
  const olds = { ...outs, __provider: "p" };
  /** Replaces like the engine, which checks the resource a second time, without its old inputs. */
  const replace = async () => {
    const { run, networkVolume } = provider();
    run.configure((key) => (key === confirmDataLoss ? "all" : undefined));
    const news = declared("networkVolume", { dataCenter: "US-KS-2" });
    const { inputs: checked } = (await networkVolume.check?.(olds, news)) ?? {};
    expect(await networkVolume.diff?.(old, olds, checked)).toMatchObject({ replaces: ["dataCenter"] });
    const { inputs: fresh } = (await networkVolume.check?.({}, news)) ?? {};
    return networkVolume.create(fresh);
  };
  haveInState(old);
  const first = await replace();
  const again = await replace();
  expect(again.id).toBe(first.id);
  expect(again.outs?.name).not.toBe(outs?.name);
  expect(existing().sort()).toEqual([old, first.id].sort());
});

test.each(kinds)(
  "a replacement that the user orders finds what a killed one had begun: a %s",
  async (kind) => {
    const { id: old } = await begin(kind);
    haveInState(old);
    const { id: left } = await begin(kind);
    expect((await begin(kind)).id).toBe(left);
    expect(existing().sort()).toEqual([old, left].sort());
  },
);

test("a warning names what a killed replacement created under a name of the program, and not the object in the state", async () => {
  const { id: old, outs } = await begin("networkVolume", { name: "data" });
  const { id: left } = emulator.service.volumes.create({ name: "data", size: 20, dataCenter: "US-KS-2" });
  const { run, networkVolume } = provider();
  run.configure((key) => (key === confirmDataLoss ? "all" : undefined));
  const olds = { ...outs, __provider: "p" };
  const news = declared("networkVolume", { name: "data", dataCenter: "US-KS-2" });
  const { said } = await heard(async () => {
    const { inputs: checked } = (await networkVolume.check?.(olds, news)) ?? {};
    await networkVolume.diff?.(old, olds, checked);
    await networkVolume.check?.({}, news);
  });
  expect(said).toContain(`To use the existing one, write adopt: "${left}" [PODLUMI-NAME-TAKEN]`);
});

test("a rotated key is no change, and finds what a run with the old key had begun", async () => {
  const left = await interrupted("registryAuth");
  const { registryAuth } = provider({ RUNPOD_API_KEY: "rotated" });
  const { id, outs } = await begin(registryAuth, "registryAuth");
  expect(id).toBe(left);
  const olds = { ...outs, __provider: "p" };
  const next = provider({ RUNPOD_API_KEY: "rotated-again" }).registryAuth;
  const { inputs: news } = (await next.check?.(olds, declared("registryAuth"))) ?? {};
  expect(await next.diff?.(id, olds, news)).toMatchObject({ changes: false });
});

test("a renamed stack finds what it had begun under its old name", async () => {
  const left = await interrupted("pod");
  const { id } = await begin("pod", { __urn: urnOf("pod", "it", "prod") });
  expect(id).toBe(left);
});

test("an object created under a name of the program carries its mark where the kind has room for it", async () => {
  const { id: pod } = await create("pod");
  const { id: secret } = await create("secret");
  expect(emulator.service.pods.get(pod).env[markVariable]).toMatch(
    /^project\/dev Pod::it [0-9a-f]{6}-[0-9a-f]{12}-/,
  );
  expect(emulator.service.secrets.get(secret).description).toMatch(/^podlumi: project\/dev Secret::it /);
  expect((await create("pod")).id).toBe(pod);
});

test("neither the variable of the mark nor the description that holds it is an output", async () => {
  const pod = await create("pod");
  const secret = await create("secret");
  expect(pod.outs?.env).toEqual(inputs.pod.env);
  expect(secret.outs?.description).toBeNull();
  expect((await provider().secret.read?.(secret.id, secret.outs))?.props.description).toBeNull();
});
