import * as pulumi from "@pulumi/pulumi";
import * as podlumi from "podlumi";
import { patch } from "../harness/account";
import { emulatedStack, emulator, stack } from "../harness/emulated";
import { describeLong, testLong } from "../harness/long";

/** Fills an account with objects made by hand. */
function filled() {
  const { service } = emulator;
  const volume = service.volumes.create({ name: "data", size: 20, dataCenter: "EU-RO-1" });
  const template = service.templates.create({
    name: "worker",
    image: "org/worker:1",
    env: { A: "1", B: "2" },
  });
  const secret = service.secrets.create({ name: "token", value: "hunter22" });
  const registry = service.registries.create({ name: "ghcr", username: "bot", password: "old-password" });
  const gpu = { id: "NVIDIA L4", count: 1 };
  const pod = service.pods.create({ name: "trainer", image: "org/pod:1", gpu });
  const endpoint = service.endpoints.create({
    name: "llm",
    type: "QUEUE",
    image: "org/worker:1",
    gpu: { pools: ["ADA_24"] },
    networkVolumes: [volume.id],
    scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
  });
  return { volume, template, secret, registry, pod, endpoint };
}

/** The volume of such an account, which no endpoint has any more. */
function freeVolume() {
  const { volume, endpoint } = filled();
  emulator.service.endpoints.delete(endpoint.id);
  return volume;
}

/** The URNs in the state of the resource called data: two where it is there twice. */
const urnsOfData = async () =>
  (await stack.resources()).map(({ urn }) => urn).filter((urn) => urn.endsWith("::data"));

const ids = () =>
  Object.values(emulator.service.snapshot())
    .flatMap((all) => all.map(({ id }) => id))
    .sort();

const declared = ({ volume, registry, endpoint }: ReturnType<typeof filled>, adopt = true) =>
  function program() {
    const take = <T>(what: T) => (adopt ? { adopt: what } : {});
    const data = new podlumi.NetworkVolume("data", {
      size: 30,
      dataCenter: "EU-RO-1",
      ...take(volume.id),
    });
    new podlumi.Template("worker", { image: "org/worker:1", env: { A: "1" }, ...take({ name: "worker" }) });
    new podlumi.Secret("token", { value: "hunter22", ...take({ name: "token" }) });
    new podlumi.RegistryAuth("ghcr", { username: "bot", password: "new-password", ...take(registry.id) });
    new podlumi.Pod("trainer", {
      image: "org/pod:1",
      gpu: { id: "NVIDIA L4", minCudaVersion: "12.8" },
      startSsh: true,
      ...take({ name: "trainer" }),
    });
    new podlumi.ServerlessEndpoint("llm", {
      type: "QUEUE",
      image: "org/worker:2",
      gpu: { pools: ["ADA_24"] },
      networkVolumes: [data.id],
      scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
      ...take(endpoint.id),
    });
  };

describe("what is taken over", () => {
  emulatedStack("each");

  test("everything of an account is taken over, mended in place, and is the stack's from then on", async () => {
    const objects = filled();
    const before = ids();
    const sent = emulator.requests.length;

    const preview = await stack.preview(declared(objects));
    expect(preview.printed).toContain(
      `adopts the network volume "data" (${objects.volume.id}) and changes size from 20 to 30`,
    );
    expect(preview.printed).toContain(`adopts the pod "trainer" (${objects.pod.id}) as it is`);
    // Its volume is adopted, too, so that the preview knows the id, though Pulumi does not.
    expect(preview.printed).toContain(
      `adopts the serverless endpoint "llm" (${objects.endpoint.id}) and changes image from "org/worker:1" to "org/worker:2"\n`,
    );
    expect(
      emulator.requests.slice(sent).filter(({ method }) => method !== "GET" && method !== "POST"),
    ).toEqual([]);

    await stack.up(declared(objects));
    expect(ids()).toEqual(before);
    const { volumes, pods, templates, endpoints, registries } = emulator.service;
    expect(volumes.get(objects.volume.id).size).toBe(30);
    expect(templates.get(objects.template.id).env).toEqual({ A: "1", B: "2" });
    expect(endpoints.get(objects.endpoint.id).image).toBe("org/worker:2");
    expect(registries.valueOf(objects.registry.id)).toMatchObject({ password: "new-password" });
    expect(pods.get(objects.pod.id).status).toBe("RUNNING");
    const mutations = emulator.requests
      .slice(sent)
      .filter(({ method }) => method === "PATCH" || method === "DELETE");
    expect(mutations.map(({ path }) => path).sort()).toEqual(
      [
        `/v2/account/secrets/${objects.secret.id}`,
        `/v2/network-volumes/${objects.volume.id}`,
        `/v2/registries/${objects.registry.id}`,
        `/v2/serverless/${objects.endpoint.id}`,
      ].sort(),
    );

    for (const program of [declared(objects), declared(objects, false)]) {
      const { steps } = await stack.preview(program);
      expect(new Set(steps.map(({ op }) => op))).toEqual(new Set(["same"]));
    }
    await stack.destroy();
    expect(emulator.service.isEmpty()).toBe(true);
  });

  testLong("an adopted object that is replaced later is created anew, whatever adopt says", async () => {
    const { volume, secret, endpoint } = filled();
    // It uses the volume, which then stays.
    emulator.service.endpoints.delete(endpoint.id);
    const program = (size: number, name: string) => () => {
      new podlumi.NetworkVolume("data", { size, dataCenter: "EU-RO-1", adopt: volume.id });
      new podlumi.Secret("token", { name, value: "hunter22", adopt: { name: "token" } });
    };
    await stack.up(program(20, "token"));
    await stack.configure({ "podlumi:confirmDataLoss": { value: volume.id } });
    const { steps } = await stack.up(program(10, "renamed"));
    expect(
      steps
        .filter(({ op }) => op === "replace")
        .map(({ name }) => name)
        .sort(),
    ).toEqual(["data", "token"]);
    expect(ids()).not.toContain(volume.id);
    expect(ids()).not.toContain(secret.id);
    expect(emulator.service.volumes.list()).toMatchObject([
      { name: expect.stringMatching(/^data-/), size: 10 },
    ]);
    expect((await stack.preview(program(10, "renamed"))).steps.map(({ op }) => op)).toEqual(["same", "same"]);
  });

  testLong(
    "an id that the program adds is adopted by a replacement that deletes first, for whatever reason",
    async () => {
      const volume = freeVolume();
      await stack.configure({ "podlumi:confirmDataLoss": { value: "all" } });
      const program = (size: number, adopt?: string) => () => {
        const base = { dataCenter: "EU-RO-1" } as const;
        const first = new podlumi.NetworkVolume("first", { ...base, size }, { deleteBeforeReplace: true });
        const args = { ...base, name: pulumi.interpolate`of-${first.id}`, size: 20, adopt };
        return {
          id: new podlumi.NetworkVolume("data", args, {
            replaceOnChanges: ["name"],
            deleteBeforeReplace: true,
          }).id,
        };
      };
      await stack.up(program(20));
      expect((await stack.up(program(10, volume.id))).outputs.id).toBe(volume.id);
      const another = emulator.service.volumes.create({ name: "other", size: 20, dataCenter: "EU-RO-1" });
      const { outputs } = await stack.up(program(10, another.id), { replace: await urnsOfData() });
      expect(outputs.id).toBe(another.id);
      expect(emulator.service.volumes.list()).toHaveLength(2);
    },
  );

  testLong("an id that a resource has ignored is adopted by its next replacement", async () => {
    const volume = freeVolume();
    await stack.configure({ "podlumi:confirmDataLoss": { value: "all" } });
    const program = (size: number, adopt?: string) => () => ({
      id: new podlumi.NetworkVolume("data", { dataCenter: "EU-RO-1", size, adopt }).id,
    });
    await stack.up(program(30));
    expect((await stack.up(program(30, volume.id))).outputs.id).not.toBe(volume.id);
    expect((await stack.up(program(20, volume.id))).outputs.id).toBe(volume.id);
    expect(emulator.service.volumes.list()).toHaveLength(1);
  });

  testLong("what is adopted is never lost to a replacement by hand: it stays", async () => {
    const { volume, secret } = filled();
    const program = () => {
      new podlumi.NetworkVolume("data", { size: 20, dataCenter: "EU-RO-1", adopt: volume.id });
      new podlumi.Secret("token", { value: "hunter22", adopt: { name: "token" } });
    };
    await stack.up(program);
    const urns = (await stack.resources())
      .filter(({ type }) => /podlumi:(index:)?[A-Z]/.test(type))
      .map(({ urn }) => urn);
    await stack.up(program, { replace: urns });
    const { volumes, secrets } = emulator.service;
    expect(volumes.list()).toMatchObject([{ name: "data", id: volume.id }]);
    expect(secrets.list()).toMatchObject([{ name: "token", id: secret.id }]);
    const { steps } = await stack.preview(program);
    expect(new Set(steps.map(({ op }) => op))).toEqual(new Set(["same"]));
  });

  describeLong(
    "what such a replacement has adopted again, and an interruption left in the state twice,",
    () => {
      const program = (name: string, tag: string) => () => {
        const first = new podlumi.Template("first", { image: `org/a:${tag}` });
        const args = { size: 20, dataCenter: "EU-RO-1", adopt: emulator.service.volumes.list()[0]?.id };
        if (name !== "") new podlumi.NetworkVolume("data", { ...args, name }, { dependsOn: [first] });
      };

      beforeEach(async () => {
        freeVolume();
        await stack.up(program("one", "1"));
        const replace = await urnsOfData();
        emulator.on("after", { method: "PATCH", path: "/network-volumes/*" }, () => stack.interrupt());
        await expect(stack.up(program("two", "1"), { replace })).rejects.toThrow();
        expect(await urnsOfData()).toEqual([...replace, ...replace]);
      });

      test("stays in the next up", async () => {
        await stack.up(program("two", "1"));
        expect(await urnsOfData()).toHaveLength(1);
        expect(emulator.service.volumes.list()).toHaveLength(1);
      });

      test("is deleted where the program has it no more", async () => {
        await stack.up(program("", "1"));
        expect(await urnsOfData()).toEqual([]);
        expect(emulator.service.volumes.list()).toEqual([]);
      });
    },
  );

  testLong("a drift of what was adopted shows alone in a refresh", async () => {
    const { volume } = filled();
    const program = () => {
      new podlumi.NetworkVolume("data", { size: 20, dataCenter: "EU-RO-1", adopt: volume.id });
    };
    await stack.up(program);
    await patch(emulator, `network-volumes/${volume.id}`, { name: "theirs" });
    const { results } = await stack.refresh();
    expect(results.find(({ name }) => name === "data")?.differs).toEqual(["name"]);
  });
});

describe("what cannot be taken over", () => {
  emulatedStack("all");
  let objects: ReturnType<typeof filled>;
  beforeAll(() => {
    objects = filled();
    emulator.service.volumes.create({ name: "data", size: 20, dataCenter: "EU-RO-1" });
  });

  testLong.each<[string, RegExp, (objects: ReturnType<typeof filled>) => unknown]>([
    [
      "an object that differs in what cannot be changed",
      /differs in what cannot be changed: size is 20 there, dataCenter is "EU-RO-1" there/,
      ({ volume }) => new podlumi.NetworkVolume("it", { size: 10, dataCenter: "US-GA-2", adopt: volume.id }),
    ],
    [
      "a name that several objects have",
      /2 network volumes are called "data": adopt one by its id, \w+ or \w+/,
      () => new podlumi.NetworkVolume("it", { size: 20, dataCenter: "EU-RO-1", adopt: { name: "data" } }),
    ],
    [
      "a name that nothing has",
      /there is no template "nobody" in this account/,
      () => new podlumi.Template("it", { image: "org/worker:1", adopt: { name: "nobody" } }),
    ],
    [
      "an id that nothing has",
      /there is no pod with the id "gone" in this account/,
      () => new podlumi.Pod("it", { image: "org/pod:1", gpu: { id: "NVIDIA L4" }, adopt: "gone" }),
    ],
  ])("%s fails in the preview, at adopt", async (_title, reason, declare) => {
    const before = ids();
    const failing = stack.preview(() => void declare(objects));
    await expect(failing).rejects.toThrow(/has a problem: adopt: /);
    await expect(failing).rejects.toThrow(reason);
    expect(ids()).toEqual(before);
  });
});
