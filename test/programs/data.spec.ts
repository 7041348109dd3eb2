import type * as pulumi from "@pulumi/pulumi";
import * as podlumi from "podlumi";
import { patch } from "../harness/account";
import { emulatedStack, emulator, stack } from "../harness/emulated";
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
          /^will not replace network volume "data-\w{12}" \(\w+\): size: the program changes it from 50 to 40, and the data on it would be lost\. Write 50 to keep it, or run `pulumi config set podlumi:confirmDataLoss \w+` \[PODLUMI-DATA-LOSS\]$/,
        ),
      ]),
    );
    // An up of the whole edit might replace a pod without data before the volume fails it.
    await expect(stack.up(program({ size: 40 }))).rejects.toThrow(/will not replace/);
    expect(volumes()).toEqual([volume]);

    // The engine stops at the first failure, so the pod's refusal shows only after the volume is confirmed.
    await confirm(String(volume?.id));
    await expect(stack.preview(edited)).rejects.toThrow(
      /will not replace pod "keeper-\w+" \(\w+\): gpu\.id: the program changes .*, and the data of mounts\.persistent would be lost/,
    );
    // The command of the error keeps what is confirmed already, without a word that confirms nothing.
    await confirm(`true ${volume?.id}`);
    await expect(stack.preview(edited)).rejects.toThrow(
      `run \`pulumi config set podlumi:confirmDataLoss ${volume?.id},${keeper?.id}\` [PODLUMI-DATA-LOSS]`,
    );
    await confirm(`${volume?.id}, ${keeper?.id}`);
    const { warnings, printed, steps } = await stack.preview(edited);
    expect([...warnings].sort()).toEqual([
      expect.stringMatching(
        /^data a change of size replaces the network volume \w+, and the data on it is lost\. To have retainOnDelete keep the object, run an `up` with that option first \[PODLUMI-DATA-LOSS\]$/,
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
        /^data size is not known yet: `pulumi up` fails if it replaces the network volume with the data on it\. To allow that, run `pulumi config set podlumi:confirmDataLoss \w+` \[PODLUMI-DATA-LOSS\]$/,
      ),
    ]);
    await expect(stack.up(sized(true))).rejects.toThrow(/will not replace network volume "data-/);
    expect(volumes()).toContainEqual(volume);
  });

  testLong("is confirmed also with retainOnDelete, of which Pulumi tells no provider", async () => {
    const sized = (size: number) => () =>
      void new podlumi.NetworkVolume("data", { ...room, size }, { retainOnDelete: true });
    await stack.up(sized(20));
    await expect(stack.preview(sized(10))).rejects.toThrow(/will not replace/);
    await confirm(String(volumes()[0]?.id));
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

testLong(
  "storage of its template that the program takes from a pod is the program's change, which `all` confirms",
  async () => {
    const from = (more: object) => () => {
      const { id } = new podlumi.Template("base", { image, mounts: { persistent } });
      new podlumi.Pod("keeper", { templateId: id, gpu: { id: "NVIDIA L4" }, ...more });
    };
    await stack.up(from({}));
    const bare = from({ mounts: {} });
    await expect(stack.preview(bare)).rejects.toThrow(
      /mounts\.persistent: the program takes it out, and the data of .* would be lost\. Write \{.*"size":20.*\} to keep it/,
    );
    await confirm("all");
    await stack.up(bare);
    expect(pods().map(({ mounts }) => mounts)).toEqual([{}]);
  },
);

testLong("a cluster is not replaced without the user's word, whatever it is replaced for", async () => {
  const cluster = (tag: string) => () =>
    new podlumi.Cluster("swarm", {
      type: "TRAINING",
      compute: { gpuTypeId: "NVIDIA H200", gpuCountPerPod: 8, podCount: 2 },
      image: `org/train:${tag}`,
    });
  await stack.up(cluster("1"));
  const says =
    /will not replace cluster "swarm-\S+" \(\w+\): image: the program changes .*, and what its pods hold would be lost/;
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

describe("a replacement that the user orders in Pulumi's own words is shown, and needs no confirmation", () => {
  const data = (opts: pulumi.CustomResourceOptions = {}, name = "kept") =>
    new podlumi.NetworkVolume("data", { ...room, name }, opts);

  testLong("the command names the resource (--replace)", async () => {
    await stack.up(() => data());
    const [volume] = volumes();
    const [{ urn } = { urn: "" }] = (await stack.resources()).filter(({ id }) => id === volume?.id);
    const { steps } = await stack.up(() => data(), { replace: [urn] });
    expect(steps).toContainEqual(expect.objectContaining({ name: "data", op: "replace" }));
    expect(volumes()).toHaveLength(1);
    expect(volumes()[0]?.id).not.toBe(volume?.id);
  });

  const programs: [string, (tag: string) => () => void][] = [
    [
      "replaceOnChanges, for a change of the program",
      (tag) => () => data({ replaceOnChanges: ["*"] }, `kept${tag}`),
    ],
    [
      "replaceWith, of something that is deleted first",
      (tag) => () => {
        const web = new podlumi.Template(
          "t",
          { image },
          { deleteBeforeReplace: true, replacementTrigger: tag },
        );
        data({ replaceWith: [web] });
      },
    ],
    [
      "a provider that is replaced",
      (tag) => () => {
        const opts = { deleteBeforeReplace: true, replacementTrigger: tag };
        data({ provider: new podlumi.Provider("lab", {}, opts) });
      },
    ],
  ];
  testLong.each(programs)("%s", async (_title, program) => {
    await stack.up(program("1"));
    const [volume] = volumes();
    const { steps } = await stack.preview(program("2"));
    expect(steps).toContainEqual(expect.objectContaining({ name: "data", op: "replace" }));
    await stack.up(program("2"));
    expect(volumes()).toHaveLength(1);
    expect(volumes()[0]?.id).not.toBe(volume?.id);
  });

  testLong("an object in place of one that leaves the program: it is imported or read", async () => {
    const id = theirs("read");
    await stack.up(() => data());
    await stack.up(() => podlumi.NetworkVolume.get("read", id));
    expect(volumes()).toMatchObject([{ id }]);
  });
});

describe("a change of the service's side", () => {
  testLong("replaces no volume: the up says what to write, or how to ask for it", async () => {
    await stack.up(program());
    const [volume] = volumes();
    await patch(emulator, `network-volumes/${volume?.id}`, { size: 80 });
    const { results, warnings } = await stack.refresh();
    expect(results.find(({ name }) => name === "data")?.differs).toEqual(["size"]);
    expect(warnings).toEqual([]);

    const says =
      /will not replace network volume "data-\S+" \(\w+\): size: the program still says 50, and by now it is 80, and the data on it would be lost\. Write 80 to keep it, or run `pulumi up --replace` with its URN/;
    // The program did not change the size itself, so no confirmation covers this.
    await confirm(`all,${volume?.id}`);
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
    await stack.refresh();
    const { urn } = (await stack.resources()).find(({ id }) => id === volume?.id) ?? { urn: "" };
    await stack.up(program({ size: 90 }), { replace: [urn] });
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
