import type * as pulumi from "@pulumi/pulumi";
import * as podlumi from "podlumi";
import { patch } from "../harness/account";
import { emulatedStack, emulator, stack } from "../harness/emulated";
import { onPlugin } from "../harness/face";
import { testLong } from "../harness/long";

emulatedStack("each");

const { persistent } = { persistent: { size: 20, path: "/data" } };
const image = "org/app:1";

interface Options {
  size?: number;
  gpu?: string;
}

const program =
  ({ size = 50, gpu = "NVIDIA L4" }: Options = {}) =>
  () => {
    const data = new podlumi.NetworkVolume("data", { size, dataCenter: "EU-RO-1" });
    const pod = (name: string, mounts?: podlumi.PodArgs["mounts"]) =>
      new podlumi.Pod(name, { image, gpu: { id: gpu }, mounts });
    pod("keeper", { persistent });
    pod("borrower", { network: [{ volumeId: data.id, path: "/data" }] });
    pod("nobody");
  };

const room = { size: 20, dataCenter: "EU-RO-1" };
const made = (name: string, size: pulumi.Input<number>) => new podlumi.NetworkVolume(name, { ...room, size });
/** A volume that somebody else made. */
const theirs = (name: string) => emulator.service.volumes.create({ ...room, name }).id;
const answers = (path: string, body: object) =>
  emulator.faults.add({
    match: { method: "GET", path },
    when: "before",
    what: { answer: { status: 200, body } },
  });
const confirm = (value: string) => stack.configure({ "podlumi:confirmDataLoss": { value } });
const volumes = () => emulator.service.volumes.list();
const pods = () => emulator.service.pods.list();
const podNamed = (name: string) => pods().find((pod) => pod.name.startsWith(`${name}-`));
/** The refusals in the printed text. */
const refusals = (printed: string) => new Set(printed.match(/will not replace .*/g));

describe("a change of the program that replaces what holds data", () => {
  test("fails in the preview for what holds data, until the user confirms it by id", async () => {
    await stack.up(program());
    const [volume] = volumes();
    const keeper = podNamed("keeper");
    const edited = program({ size: 40, gpu: "NVIDIA A40" });
    const refused = await stack.preview(program({ size: 40 })).catch(({ printed }) => refusals(printed));
    expect(refused).toEqual(
      new Set([
        expect.stringMatching(
          /^will not replace network volume "data-\w+-\w+-\w+" \(\w+\): the data on it would be lost with it\. size: the program changes it from 50 to 40, which replaces the network volume\. Write 50 to keep this one\. To replace it anyway, run `pulumi config set podlumi:confirmDataLoss \w+` \[PODLUMI-DATA-LOSS\]$/,
        ),
      ]),
    );
    // An up of the whole edit might replace a pod without data before the volume fails it.
    await expect(stack.up(program({ size: 40 }))).rejects.toThrow(/will not replace/);
    expect(volumes()).toEqual([volume]);

    // The engine stops at the first failure, so the pod's refusal shows only after the volume is confirmed.
    await confirm(String(volume?.id));
    await expect(stack.preview(edited)).rejects.toThrow(
      /will not replace pod "keeper-\w+" \(\w+\): the data of mounts\.persistent would be lost with it\. gpu\.id: the program changes/,
    );
    // The command of the error keeps what is confirmed already, without a word that confirms nothing.
    await confirm(`true ${volume?.id}`);
    await expect(stack.preview(edited)).rejects.toThrow(
      `run \`pulumi config set podlumi:confirmDataLoss ${volume?.id},${keeper?.id}\`, or write this value where the program gives its Provider a confirmDataLoss [PODLUMI-DATA-LOSS]`,
    );
    await confirm(`${volume?.id}, ${keeper?.id}`);
    const { warnings, printed, steps } = await stack.preview(edited);
    expect([...warnings].sort()).toEqual([
      expect.stringMatching(
        /^data a change of size replaces the network volume \w+, and the data on it is lost with it: the state has no retainOnDelete for it \[PODLUMI-DATA-LOSS\]$/,
      ),
      expect.stringMatching(
        /^keeper a change of gpu replaces the pod \w+, and the data of mounts\.persistent/,
      ),
    ]);
    // The preview shows the cause of the replacement, but no outputs that only the service knows.
    expect(printed).toMatch(/~ size *: 50 => 40/);
    expect(printed).not.toMatch(/- (type|status|runtime|cost|actions) *:/);
    await stack.up(edited);
    expect(volumes()).toMatchObject([{ size: 40 }]);
    expect(steps.filter(({ op }) => op === "replace")).toHaveLength(4);

    // The confirmation names the old objects, so it does not cover their replacements.
    await expect(stack.preview(program({ size: 30, gpu: "NVIDIA A40" }))).rejects.toThrow(/will not replace/);
    await confirm("all");
    await stack.up(program({ size: 30, gpu: "NVIDIA A40" }));
    expect(volumes()).toMatchObject([{ size: 30 }]);
  });

  testLong("that no preview can know is warned of, and fails in the up before anything is lost", async () => {
    const sized = (other: boolean) => () => {
      const size = other ? made("other", 20).id.apply(() => 40) : 50;
      made("data", size);
    };
    await stack.up(sized(false));
    const [volume] = volumes();
    const { warnings } = await stack.preview(sized(true));
    expect(warnings).toEqual([
      expect.stringMatching(
        /^data size: not known before `pulumi up`, which fails if it would replace the network volume \w+, since the data on it would be lost with it\. To allow that, run `pulumi config set podlumi:confirmDataLoss \w+` \[PODLUMI-DATA-LOSS\]$/,
      ),
    ]);
    await expect(stack.up(sized(true))).rejects.toThrow(/will not replace network volume "data-/);
    expect(volumes()).toContainEqual(volume);
  });

  test("needs no confirmation where the state has retainOnDelete, by which Pulumi goes, but where the option comes with it", async () => {
    const sized = (size: number, options?: pulumi.CustomResourceOptions) => () =>
      void new podlumi.NetworkVolume("data", { ...room, size }, options);
    await stack.up(sized(20));
    await expect(stack.preview(sized(10, { retainOnDelete: true }))).rejects.toThrow(/will not replace/);
    await stack.up(sized(20, { retainOnDelete: true }));
    expect((await stack.preview(sized(10, { retainOnDelete: true }))).warnings).toEqual([]);
    await stack.up(sized(10));
    expect(volumes()).toMatchObject([{ size: 20 }, { size: 10 }]);
  });

  testLong("with what it depends on: a pod whose template is deleted first", async () => {
    const from = (path?: string) => () => {
      const mounts = path === undefined ? undefined : { persistent: { size: 20, path } };
      const { id } = new podlumi.Template("base", { name: "base", image, mounts });
      new podlumi.Pod("keeper", { templateId: id, gpu: { id: "NVIDIA L4" }, mounts: { persistent } });
    };
    await stack.up(from("/data"));
    const [keeper] = pods();
    await expect(stack.preview(from())).rejects.toThrow(/will not replace pod "keeper-\w+"/);
    await expect(stack.up(from())).rejects.toThrow(/will not replace pod "keeper-\w+"/);
    expect(pods()).toMatchObject([{ id: keeper?.id }]);
    expect(emulator.service.templates.list()).toHaveLength(1);
    await confirm("all");
    await stack.up(from());
    expect(pods()).toHaveLength(1);
    expect(pods()[0]?.id).not.toBe(keeper?.id);
  });
});

test("storage of its template that the program takes from a pod is the program's change, which `all` confirms", async () => {
  const from = (more: object) => () => {
    const { id } = new podlumi.Template("base", { image, mounts: { persistent } });
    new podlumi.Pod("keeper", { templateId: id, gpu: { id: "NVIDIA L4" }, ...more });
  };
  await stack.up(from({}));
  const bare = from({ mounts: {} });
  await expect(stack.preview(bare)).rejects.toThrow(
    /mounts\.persistent: the program takes it out, which replaces the pod\. Write \{.*"size":20.*\} to keep this one/,
  );
  await confirm("all");
  await stack.up(bare);
  expect(pods().map(({ mounts }) => mounts)).toEqual([{}]);
});

testLong("a cluster is not replaced without the user's word, whatever it is replaced for", async () => {
  const cluster = (tag: string) => () =>
    new podlumi.Cluster("swarm", {
      type: "TRAINING",
      compute: { gpuTypeId: "NVIDIA H200", gpuCountPerPod: 8, podCount: 2 },
      image: `org/train:${tag}`,
    });
  await stack.up(cluster("1"));
  const says =
    /will not replace cluster "swarm-\S+" \(\w+\): what its pods hold would be lost with it\. image: the program changes/;
  await expect(stack.preview(cluster("2"))).rejects.toThrow(says);
});

testLong("a word that is spent is told, since it would cover a later change", async () => {
  await stack.up(program());
  await confirm(String(volumes()[0]?.id));
  const { warnings } = await stack.preview(program());
  expect(warnings).toEqual([
    expect.stringMatching(/^data podlumi:confirmDataLoss has \w+, which nothing replaces/),
  ]);
});

describe("a replacement that the engine decides on", () => {
  const kept =
    (opts: pulumi.CustomResourceOptions, name = "kept", size = 20) =>
    () =>
      new podlumi.NetworkVolume("data", { name, size, dataCenter: "EU-RO-1" }, opts);

  test("waits for the user's word, too: replaceOnChanges", async () => {
    const opts = { replaceOnChanges: ["*"] };
    await stack.up(kept(opts));
    const [volume] = volumes();
    await patch(emulator, `network-volumes/${volume?.id}`, { name: "renamed" });
    await expect(stack.up(kept(opts), { refresh: true })).rejects.toThrow(
      /will not replace network volume "renamed" \(\w+\): .* name: the program still says "kept", and by now it is "renamed"/,
    );
    await expect(stack.preview(kept(opts, "renamed", 30))).rejects.toThrow(
      /will not replace .* size: the program changes it from 20 to 30, and an option of the resource replaces the network volume for that\. Write 20 to keep this one\. To replace it anyway/,
    );
    expect(volumes()).toMatchObject([{ id: volume?.id }]);
    await confirm("all");
    const { warnings } = await stack.up(kept(opts, "renamed", 30));
    expect(warnings).toContainEqual(
      expect.stringMatching(/^data a change of size replaces the network volume/),
    );
    expect(volumes()).toMatchObject([{ size: 30 }]);
  });

  testLong(
    "waits for it with replaceWith something that is deleted first, also without a preview",
    async () => {
      const program = (gpu: string) => () => {
        const web = new podlumi.Pod("web", { image, gpu: { id: gpu } }, { deleteBeforeReplace: true });
        kept({ replaceWith: [web] })();
      };
      const volume = async () => (await stack.resources()).find(({ id }) => id === volumes()[0]?.id);
      await stack.up(program("NVIDIA L4"));
      const before = await volume();
      const says = (act: string) =>
        new RegExp(
          `will not ${act} network volume "kept" \\(\\w+\\): .* replaceWith names urn:\\S+::web, which is replaced`,
        );
      await expect(stack.preview(program("NVIDIA A40"))).rejects.toThrow(says("replace"));
      await expect(stack.up(program("NVIDIA A40"))).rejects.toThrow(says("delete"));
      expect((await volume())?.id).toBe(before?.id);
      await stack.up(program("NVIDIA L4"), { replace: [String(before?.urn)] });
      const after = await volume();
      expect(after?.id).not.toBe(before?.id);
      await confirm(String(after?.id));
      await stack.up(program("NVIDIA A40"));
      expect(volumes()).toHaveLength(1);
      expect((await volume())?.id).not.toBe(after?.id);
    },
  );

  testLong(
    "waits for it with replaceOnChanges of what comes from something that is deleted first",
    async () => {
      const program = (path?: string) => () => {
        const mounts = path === undefined ? undefined : { persistent: { size: 20, path } };
        const { id } = new podlumi.Template("base", { name: "base", image, mounts });
        const name = id.apply(() => "fixed");
        const opts = { replaceOnChanges: ["name"] };
        new podlumi.NetworkVolume("data", { name, size: 20, dataCenter: "EU-RO-1" }, opts);
      };
      await stack.up(program("/data"));
      const [volume] = volumes();
      const says = (act: string) =>
        new RegExp(`will not ${act} network volume.* \\(\\w+\\): the data on it would be lost with it\\. `);
      await expect(stack.preview(program())).rejects.toThrow(says("replace"));
      await expect(stack.up(program())).rejects.toThrow(says("delete"));
      expect(volumes()).toEqual([volume]);
      await confirm(String(volume?.id));
      await stack.up(program());
      expect(volumes()).toHaveLength(1);
      expect(volumes()[0]?.id).not.toBe(volume?.id);
    },
  );

  testLong("waits for it with a provider that is replaced, and with everything under it", async () => {
    const program = (replacementTrigger: string) => () => {
      const opts = { deleteBeforeReplace: true, replacementTrigger };
      kept({ provider: new podlumi.Provider("lab", {}, opts) })();
    };
    await stack.up(program("1"));
    const [volume] = volumes();
    await expect(stack.preview(program("2"))).rejects.toThrow(/Its provider urn:\S+::lab is replaced/);
    await expect(stack.up(program("2"))).rejects.toThrow(/its provider urn:\S+::lab is replaced/);
    expect(volumes()).toEqual([volume]);
    // The engine deletes the volume with the former provider, which has the configuration of the last run.
    await confirm(String(volume?.id));
    await stack.up(program("2"));
    expect(volumes()).toHaveLength(1);
    expect(volumes()[0]?.id).not.toBe(volume?.id);
    await stack.destroy();
    expect(volumes()).toEqual([]);
  });

  testLong(
    "finds what it would lose by the state: after a rename, and while the service does not answer",
    async () => {
      const program = (name: string, trigger: string) => () => {
        const { id } = new podlumi.Template("base", { image, mounts: { persistent } });
        const opts = { replacementTrigger: trigger, aliases: [{ name: "web" }] };
        new podlumi.Pod(name, { templateId: id, gpu: { id: "NVIDIA L4" } }, opts);
      };
      await stack.up(program("web", "1"));
      const [{ id = "" } = {}] = pods();
      const match = { method: "GET", path: `/pods/${id}` } as const;
      emulator.faults.add({ match, when: "before", what: { status: 503 }, times: 0 });
      const says = new RegExp(`will not replace pod "web-\\w+" \\(${id}\\): the data of mounts.persistent`);
      await expect(stack.preview(program("app", "2"))).rejects.toThrow(says);
    },
  );

  testLong("waits for it with another object: a resource that the program only reads by now", async () => {
    const id = emulator.service.volumes.create({ name: "other", size: 20, dataCenter: "EU-RO-1" }).id;
    await stack.up(kept({}));
    const says = new RegExp(
      `will not replace network volume "kept" .* gives this resource another network volume, ${id}`,
    );
    const reads = () => podlumi.NetworkVolume.get("data", id);
    await expect(stack.preview(reads)).rejects.toThrow(says);
    await expect(stack.up(reads)).rejects.toThrow(says);
    expect(volumes()).toHaveLength(2);
  });

  testLong("is none for what leaves the program beside an object that it begins to read", async () => {
    const id = theirs("read");
    await stack.up(kept({}));
    await stack.up(() => podlumi.NetworkVolume.get("read", id));
    expect(volumes()).toMatchObject([{ id }]);
  });

  (onPlugin ? testLong : test.skip)(
    "waits for it with an import under an alias, and under no other name",
    async () => {
      const imports =
        (name: string, id: string, opts: pulumi.CustomResourceOptions = {}) =>
        () =>
          new podlumi.NetworkVolume(name, { ...room, name }, { import: id, ...opts });
      const [taking, other] = [theirs("taking"), theirs("other")];
      await stack.up(kept({}));
      const former = volumes().find(({ name }) => name === "kept")?.id;
      const takes = imports("taking", taking, { aliases: [{ name: "data" }] });
      const says = new RegExp(
        `\\(${former}\\): .* Another object, which was imported or read, has its place`,
      );
      await expect(stack.up(takes)).rejects.toThrow(says);
      await expect(stack.up(takes)).rejects.toThrow(says);
      await confirm(String(former));
      await stack.up(takes);
      expect(volumes()).toHaveLength(2);
      await stack.up(imports("other", other));
      expect(volumes()).toMatchObject([{ id: other }]);
    },
  );

  testLong("has it when the command names the resource: --replace", async () => {
    await stack.up(kept({}));
    const [volume] = volumes();
    const [data] = (await stack.resources()).filter(({ id }) => id === volume?.id);
    await stack.up(kept({}), { replace: [String(data?.urn)] });
    expect(volumes()).toHaveLength(1);
    expect(volumes()[0]?.id).not.toBe(volume?.id);
  });
});

describe("a change of the service's side", () => {
  test("replaces no volume: the up says what to write, or how to ask for it", async () => {
    await stack.up(program());
    const [volume] = volumes();
    await patch(emulator, `network-volumes/${volume?.id}`, { size: 80 });
    const { results, warnings } = await stack.refresh();
    expect(results.find(({ name }) => name === "data")?.differs).toEqual(["size"]);
    expect(warnings).toEqual([]);

    const says =
      /will not replace network volume "data-\S+" \(\w+\): the data on it would be lost with it\. size: the program still says 50, and by now it is 80\. Write 80 to keep it\. To replace it anyway/;
    // The program did not change the size itself, so even the confirmation "all" does not cover this.
    await confirm("all");
    await expect(stack.preview(program())).rejects.toThrow(says);
    await expect(stack.up(program(), { refresh: true })).rejects.toThrow(says);
    // The same holds for a change of the program for which the volume need not be replaced.
    await expect(stack.preview(program({ size: 60 }))).rejects.toThrow(/Write 80 to keep it/);
    expect(volumes()).toMatchObject([{ id: volume?.id, size: 80 }]);

    expect((await stack.up(program({ size: 80 }))).results.map(({ op }) => op)).not.toContain("replace");
    expect((await stack.up(program({ size: 90 }))).results).toContainEqual(
      expect.objectContaining({ name: "data", op: "update" }),
    );
    await patch(emulator, `network-volumes/${volume?.id}`, { size: 95 });
    await confirm(String(volume?.id));
    await stack.up(program({ size: 90 }), { refresh: true });
    expect(volumes()).toMatchObject([{ size: 90 }]);
  });

  testLong.each([{}, { network: [] }])(
    "that shows %j for mounts for a moment replaces no pod",
    async (mounts) => {
      await stack.up(program());
      const keeper = podNamed("keeper");
      answers(`/pods/${keeper?.id}`, { ...keeper, mounts });
      emulator.faults.add({
        match: { method: "GET", path: "/pods" },
        when: "before",
        what: { answer: { status: 200, body: { pods: pods().map((pod) => ({ ...pod, mounts })) } } },
      });
      await stack.up(program(), { refresh: true });
      expect(podNamed("keeper")?.id).toBe(keeper?.id);
    },
  );

  testLong(
    "is told from the program's in a state of 0.1.0 by nothing, so that no standing word covers it",
    async () => {
      await stack.up(program());
      const [volume] = volumes();
      await stack.edit((resource) => delete resource.outputs.__asked);
      await patch(emulator, `network-volumes/${volume?.id}`, { size: 80 });
      await confirm("all");
      await expect(stack.up(program(), { refresh: true })).rejects.toThrow(
        /will not replace .* size: the program says 50, and it is 80: write 80 to keep it/,
      );
      expect(volumes()).toMatchObject([{ id: volume?.id }]);
    },
  );

  testLong("that leaves out what cannot change, or writes a number as text, is none", async () => {
    await stack.up(program());
    const [volume] = volumes();
    const keeper = podNamed("keeper");
    answers(`/network-volumes/${volume?.id}`, { ...volume, size: "50", dataCenter: null });
    const { gpu, mounts, cloud, ...rest } = { gpu: undefined, cloud: undefined, ...keeper };
    answers(`/pods/${keeper?.id}`, { ...rest, status: "PAUSED", createdAt: "2026-11-01T10:00:00" });
    const { results, printed } = await stack.up(program(), { refresh: true });
    expect({ printed, ops: new Set(results.map(({ op }) => op)) }).toMatchObject({
      ops: new Set(["same", "refresh"]),
    });
    expect(volumes()).toMatchObject([{ id: volume?.id }]);
  });
});
