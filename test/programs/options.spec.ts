import * as pulumi from "@pulumi/pulumi";
import * as podlumi from "podlumi";
import { patch, send } from "../harness/account";
import { emulatedProject, emulatedStack, emulator, project, stack } from "../harness/emulated";
import { onPlugin, typeOfKind } from "../harness/face";
import { testLong } from "../harness/long";
import type { Run } from "../harness/stack";
import { oneCheckpoint } from "../harness/stack";

const base = { size: 10, dataCenter: "EU-RO-1" };

/** Declares a volume whose id is the program's output of the same name. */
function volume(
  name: string,
  args: Partial<podlumi.NetworkVolumeArgs> = {},
  opts?: pulumi.CustomResourceOptions,
) {
  return { [name]: new podlumi.NetworkVolume(name, { ...base, name, ...args }, opts).id };
}

/** The same as a line of a program's text. */
const line = (name: string, opts = "{}") =>
  `new podlumi.NetworkVolume("${name}", ${JSON.stringify({ ...base, name })}, ${opts});`;

class Storage extends pulumi.ComponentResource {
  constructor(name: string) {
    super("specification:index:Storage", name);
  }
}

const volumes = () => emulator.service.volumes.list();
const names = () =>
  volumes()
    .map(({ name }) => name)
    .sort();
/** The number of requests with this method. */
const asked = (method: string) => emulator.requests.filter((request) => request.method === method).length;
const ops = ({ steps }: Run) => Object.fromEntries(steps.map(({ name, op }) => [name, op]));

describe("in a program", () => {
  emulatedStack("each", { env: oneCheckpoint });

  test("ignoreChanges leaves a property, or one variable of env, to others, in edits and after drift", async () => {
    const program = (size: number, level: string) => () => {
      volume("data", { size, name: `data-${size}` }, { ignoreChanges: ["size"] });
      const env = { MODE: level, LEVEL: level };
      new podlumi.Template("worker", { image: "org/worker:1", env }, { ignoreChanges: ["env.MODE"] });
    };
    await stack.up(program(20, "low"));
    await stack.up(program(40, "high"));
    expect(volumes()).toMatchObject([{ size: 20, name: "data-40" }]);
    expect(emulator.service.templates.list()).toMatchObject([{ env: { MODE: "low", LEVEL: "high" } }]);
    await patch(emulator, `network-volumes/${volumes()[0]?.id}`, { size: 50 });
    await stack.refresh();
    const { steps } = await stack.up(program(40, "high"));
    expect(new Set(steps.map(({ op }) => op))).toEqual(new Set(["same"]));
    expect(volumes()).toMatchObject([{ size: 50 }]);
  });

  test("a path in ignoreChanges that begins with no argument is warned of, since Pulumi says nothing", async () => {
    const ignoreChanges = ["sise", 'env["A"]', "size", "adopt"];
    const { warnings } = await stack.preview(() => void volume("data", {}, { ignoreChanges }));
    expect(warnings).toEqual([
      expect.stringMatching(
        /^data ignoreChanges: "sise" is no argument.*; did you mean "size"\? \[PODLUMI-ODD\]$/,
      ),
      expect.stringMatching(/^data ignoreChanges: "env\["A"\]" is no argument/),
    ]);
  });

  testLong(
    "ignoreChanges of everything leaves what podlumi itself gives, such as the name by which it knows the resource",
    async () => {
      const everything = { ignoreChanges: ["*"] };
      const place = { gpu: { id: "NVIDIA GeForce RTX 4090" } };
      const pod = (args: podlumi.PodArgs, ignoreChanges = ["*"]) =>
        new podlumi.Pod("tool", { image: "org/tool:1", ...args }, { ignoreChanges });
      await stack.up(() => {
        pod({ placements: [place], waitTimeout: 60, env: { MODE: "old" } });
        return volume("data", { name: "one" }, everything);
      });
      const aliases = [{ name: "data" }];
      await stack.up(() => {
        pod({ placements: [place], waitTimeout: 60 });
        volume("kept", { name: "other" }, { ...everything, aliases });
      });
      const program = () => {
        // Takes out arguments that are no outputs.
        pod({ ...place, name: "other" }, ["*", "env.MODE"]);
        const kept = new podlumi.NetworkVolume("kept", { ...base, name: "other", size: 40 }, everything);
        volume("data", { name: "two", dataCenter: "US-KS-2" }, { dependsOn: [kept] });
      };
      const taken = await stack.up(program);
      expect(ops(taken)).toMatchObject({ tool: "same", kept: "same", data: "create" });
      expect(taken.printed).not.toContain("cannot ignore changes");
      expect(names()).toEqual(["one", "two"]);
      expect(new Set((await stack.up(program)).steps.map(({ op }) => op))).toEqual(new Set(["same"]));
    },
  );

  test("an error stands at its resource alone, and the host of dynamic providers prints nothing of it", async () => {
    await stack.up(() => volume("data", { size: 20 }));
    const printed = await stack.preview(() => volume("data")).catch((error) => String(error.printed));
    expect(printed).toMatch(/^(error: )?will not replace network volume "data" .* \[PODLUMI-DATA-LOSS\]$/m);
    expect(printed).not.toContain("podlumi: ");
  });

  test("aliases keep an object whose resource is renamed or moved into a component", async () => {
    const before = await stack.up(() => ({
      ...volume("old", { name: "data" }),
      ...volume("moved", { name: "models" }),
    }));
    const larger = () => volume("new", { name: "data", size: 20 }, { aliases: [{ name: "old" }] });
    const { printed } = await stack.preview(larger);
    expect(printed).toMatch(/~ size\s*: 10 => 20/);
    expect(printed).not.toContain("__");
    const { outputs } = await stack.up(() => ({
      ...volume("new", { name: "data" }, { aliases: [{ name: "old" }] }),
      ...volume(
        "moved",
        { name: "models" },
        { parent: new Storage("store"), aliases: [{ parent: pulumi.rootStackResource }] },
      ),
    }));
    expect(outputs).toEqual({ new: before.outputs.old, moved: before.outputs.moved });
    expect([asked("POST"), asked("PATCH"), asked("DELETE")]).toEqual([2, 0, 0]);
    await patch(emulator, `network-volumes/${outputs.new}`, { size: 30 });
    const { results } = await stack.refresh();
    expect(results.find(({ name }) => name === "new")).toMatchObject({ op: "update" });
  });

  test("--target changes nothing but its target", async () => {
    const program = (size: number) => () => ({ ...volume("one", { size }), ...volume("other", { size }) });
    await stack.up(program(20));
    const run = await stack.up(program(30), { target: ["**::one"] });
    expect(ops(run)).toEqual({ one: "update", other: "same" });
    const sizes = volumes().map(({ name, size }) => [name, size]);
    expect(Object.fromEntries(sizes)).toEqual({ one: 30, other: 20 });
  });

  testLong("transforms, of a resource or of the whole stack, reach what is sent", async () => {
    await stack.up(() => {
      pulumi.runtime.registerResourceTransform(({ type, props, opts }) =>
        type === typeOfKind("NetworkVolume")
          ? { props: { ...props, name: `team-${props.name}` }, opts }
          : undefined,
      );
      const larger: pulumi.ResourceTransformation = ({ props, opts }) => ({
        props: { ...props, size: 30 },
        opts,
      });
      volume("one", {}, { transformations: [larger] });
      volume(
        "two",
        {},
        { transforms: [async ({ props, opts }) => ({ props: { ...props, size: 40 }, opts })] },
      );
    });
    const sizes = volumes().map(({ name, size }) => [name, size]);
    expect(Object.fromEntries(sizes)).toEqual({ "team-one": 30, "team-two": 40 });
  });

  testLong("replaceOnChanges: what would change in place creates another", async () => {
    const program = (name: string) => () => volume("data", { name }, { replaceOnChanges: ["name"] });
    const before = await stack.up(program("one"));
    await stack.configure({ "podlumi:confirmDataLoss": { value: String(before.outputs.data) } });
    const after = await stack.up(program("two"));
    expect(ops(after).data).toMatch("replace");
    expect(after.outputs.data).not.toBe(before.outputs.data);
    expect(emulator.service.volumes.list()).toMatchObject([{ name: "two" }]);
  });

  testLong(
    "deleteBeforeReplace: false creates the next one first, under a name that podlumi makes up",
    async () => {
      const program = (mounts: podlumi.TemplateArgs["mounts"]) => () => {
        new podlumi.Template("worker", { image: "org/worker:1", mounts }, { deleteBeforeReplace: false });
      };
      await stack.up(program({ persistent: { size: 20, path: "/data" } }));
      await stack.up(program({}));
      const asked = emulator.requests.map(({ method }) => method).filter((one) => one !== "GET");
      expect(asked).toEqual(["POST", "POST", "DELETE"]);
    },
  );

  testLong(
    "what has a unique name is deleted first where podlumi replaces it, and is warned of where the user does",
    async () => {
      const program =
        (trigger: string, path: string | undefined, opts: pulumi.CustomResourceOptions = {}) =>
        () => {
          const mounts = path === undefined ? undefined : { persistent: { size: 10, path } };
          const args = { name: "worker", image: "org/worker:1", mounts };
          new podlumi.Template("worker", args, { replacementTrigger: trigger, ...opts });
        };
      await stack.up(program("1", "/data"));
      expect((await stack.preview(program("1", undefined))).warnings).toEqual([]);
      await stack.up(program("1", undefined));
      expect((await stack.preview(program("2", undefined))).warnings).toEqual([
        expect.stringMatching(
          /^worker name: the name is that of the template "worker" .* \[PODLUMI-NAME-TAKEN\]$/,
        ),
      ]);
      await stack.up(program("2", undefined, { deleteBeforeReplace: true }));
      const asked = emulator.requests.map(({ method }) => method).filter((one) => one !== "GET");
      expect(asked).toEqual(["POST", "DELETE", "POST", "DELETE", "POST"]);
    },
  );

  testLong(
    "what retainOnDelete keeps stays as it is beside the replacement that the user asks for, also where that deletes first",
    async () => {
      const program = (image: string) => () => {
        const args = { image, gpu: { id: "NVIDIA L4" } } as const;
        new podlumi.Pod("trainer", args, { retainOnDelete: true, deleteBeforeReplace: true });
      };
      const images = () => new Map(emulator.service.pods.list().map(({ id, image }) => [id, image]));
      await stack.up(program("org/pod:1"));
      const [[kept] = []] = images();
      const urn = `urn:pulumi:test::specification::${typeOfKind("Pod")}::trainer`;
      await stack.up(program("org/pod:2"), { replace: [urn] });
      expect([images().size, images().get(String(kept))]).toEqual([2, "org/pod:1"]);
      expect((await stack.preview(program("org/pod:2"))).steps.map(({ op }) => op)).toEqual(["same"]);
    },
  );

  testLong("deletedWith is warned of in the preview, since the object would stay", async () => {
    const { warnings } = await stack.preview(() => {
      const data = new podlumi.NetworkVolume("data", base);
      new podlumi.NetworkVolume("within", base, { deletedWith: data });
    });
    expect(warnings).toEqual([expect.stringMatching(/^within deletedWith: .* stays .* \[PODLUMI-ODD\]$/)]);
  });
});

// The order of deletions and the dependencies need a program that runs and ends in its own process.
describe("on the command line", () => {
  emulatedProject("each");

  testLong("protect and retainOnDelete keep an object when its resource goes", async () => {
    await project.up(line("protected", "{ protect: true }"));
    project.declare();
    for (const command of ["up", "destroy"]) {
      const { ok, printed } = await project.pulumi(command, "--yes", "--skip-preview");
      expect([ok, printed]).toEqual([false, expect.stringMatching(/because it is protected/)]);
    }
    expect(names()).toEqual(["protected"]);
    await project.up(line("protected"), line("retained", "{ retainOnDelete: true }"));
    expect(await project.pulumi("destroy", "--yes", "--skip-preview")).toMatchObject({ ok: true });
    expect(names()).toEqual(["retained"]);
  });

  testLong("--replace keeps what the program adopts, in either order of deletion and creation", async () => {
    await send(emulator, "POST", "network-volumes", { ...base, name: "data" });
    const kept = volumes();
    const adopting = `{ ...${JSON.stringify(base)}, adopt: "${kept[0]?.id}" }`;
    for (const order of ["{}", "{ deleteBeforeReplace: true }"]) {
      await project.up(`new podlumi.NetworkVolume("data", ${adopting}, ${order});`);
      const replaced = await project.pulumi("up", "--yes", "--skip-preview", "--replace", "**::data");
      expect(replaced).toMatchObject({
        ok: true,
        printed: expect.stringMatching(/keeps the network volume/),
      });
      expect(volumes().map(({ id }) => id)).toEqual(kept.map(({ id }) => id));
    }
    expect(await project.pulumi("destroy", "--yes", "--skip-preview")).toMatchObject({ ok: true });
    expect(volumes()).toEqual([]);
  });

  testLong("a plan of a preview holds in the up: both tell the same dependencies", async () => {
    for (const value of ["one", "two"]) {
      project.declare(
        `const token = new podlumi.Secret("token", { value: "${value}" });`,
        `const env = { TOKEN: token, VALUE: "${value}" };`,
        'const template = new podlumi.Template("worker", { image: "org/worker:1", env, serverless: true });',
        'const scaling = { type: "QUEUE_DELAY", queueDelay: 4 };',
        "const of = { templateId: template, templateRevision: template.revision };",
        'new podlumi.ServerlessEndpoint("llm", { type: "QUEUE", gpu: { pools: ["ADA_24"] }, scaling, ...of });',
      );
      expect(await project.pulumi("preview", "--save-plan", "plan.json")).toMatchObject({ ok: true });
      const { ok, printed } = await project.pulumi("up", "--yes", "--skip-preview", "--plan", "plan.json");
      expect([ok, printed]).toEqual([true, expect.not.stringContaining("violates plan")]);
      expect(emulator.service.endpoints.list()).toMatchObject([{ env: { VALUE: value } }]);
    }
  });

  testLong(
    "dependsOn orders creations and deletions, and deletedWith spares the deletion of what goes along",
    async () => {
      /** Whether a volume existed when the template was made, and a template when the volume was deleted. */
      const seen: boolean[] = [];
      const { templates } = emulator.service;
      const slow = { what: { delay: 300 }, when: "before", times: 0 } as const;
      emulator.faults.add({ ...slow, match: { method: "POST", path: "/network-volumes" } });
      emulator.faults.add({ ...slow, match: { method: "DELETE", path: "/templates/*" } });
      emulator.on(
        "before",
        { method: "POST", path: "/templates" },
        () => void seen.push(volumes().length > 0),
      );
      emulator.on("before", { method: "DELETE", path: "/network-volumes/*" }, () => {
        seen.push(templates.list().length > 0);
      });
      await project.up(
        `const data = ${line("data")}`,
        'new podlumi.Template("worker", { image: "org/worker:1" }, { dependsOn: [data] });',
        line("within", "{ deletedWith: data }"),
      );
      expect(await project.pulumi("destroy", "--yes", "--skip-preview")).toMatchObject({ ok: true });
      expect(seen).toEqual([true, false]);
      expect(names()).toEqual(["within"]);
    },
  );

  testLong("a stack reference gives another stack its outputs", async () => {
    project.declare(
      'const pulumi = require("@pulumi/pulumi");',
      'if (pulumi.getStack() === "storage") {',
      `  exports.volume = ${line("data").replace(";", ".id;")}`,
      "} else {",
      '  const storage = new pulumi.StackReference("organization/specification/storage");',
      '  const network = [{ volumeId: storage.requireOutput("volume"), path: "/workspace" }];',
      '  new podlumi.Pod("pod", { image: "org/pod:1", gpu: { id: "NVIDIA L4" }, mounts: { network } });',
      "}",
    );
    for (const name of ["storage", "compute"]) {
      await project.pulumi("stack", "init", name);
      expect(await project.pulumi("up", "--yes", "--skip-preview")).toMatchObject({ ok: true });
    }
    const network = [{ volumeId: volumes()[0]?.id, path: "/workspace" }];
    expect(emulator.service.pods.list()).toMatchObject([{ mounts: { network } }]);
  });
});

/** A dynamic resource of somebody else, as Pulumi serializes one. Its output has the keys of the configuration that its provider gets. */
class Theirs extends pulumi.CustomResource {
  declare readonly keys: pulumi.Output<string[]>;
  constructor(name: string, opts: pulumi.CustomResourceOptions) {
    const __provider = `exports.handler = () => ({
      configure({ config }) { this.keys = ["specification:theirs", "podlumi:apiKey"].filter((key) => config.get(key)); },
      async create() { return { id: "theirs", outs: { keys: this.keys } }; },
    })`;
    super("pulumi-nodejs:dynamic:Resource", name, { keys: undefined, __provider }, opts);
  }
}

(onPlugin ? describe.skip : describe)("what Pulumi does not hand on to dynamic providers", () => {
  emulatedStack("each");

  testLong.each<[string, (research: podlumi.Provider) => pulumi.ComponentResourceOptions]>([
    ["provider", (provider) => ({ provider })],
    ["a list of providers", (provider) => ({ providers: [provider] })],
    ["a map of providers", (provider) => ({ providers: { research: provider } })],
  ])(
    "%s of a component: it is for podlumi's resources, and leaves the dynamic resources of others their configuration",
    async (_what, opts) => {
      await stack.configure({ "specification:theirs": { value: "theirs" } });
      const program = () => {
        const research = new podlumi.Provider("research", { apiKey: String(emulator.env.RUNPOD_API_KEY) });
        const outer = new pulumi.ComponentResource("specification:index:Lab", "lab", {}, opts(research));
        const parent = new pulumi.ComponentResource(
          "specification:index:Storage",
          "inner",
          {},
          { parent: outer },
        );
        volume("data", {}, { parent });
        return { keys: new Theirs("theirs", { parent }).keys };
      };
      const { outputs } = await stack.up(program);
      expect(outputs).toEqual({ keys: ["specification:theirs"] });
      const data = (await stack.resources()).find(({ urn }) => urn.endsWith("::data"));
      expect(data).toMatchObject({ provider: expect.stringContaining("::research::") });
      expect(new Set((await stack.preview(program)).steps.map(({ op }) => op))).toEqual(new Set(["same"]));
    },
  );

  test("import: it fails in the preview, and nothing is touched", async () => {
    const { id } = emulator.service.volumes.create({ ...base, name: "theirs" });
    const program = () => volume("theirs", {}, { import: id });
    await expect(stack.preview(program)).rejects.toThrow(/Cannot read properties of undefined/);
    await expect(stack.up(program)).rejects.toThrow(/importing failed/);
    expect(emulator.requests).toEqual([]);
  });

  testLong("customTimeouts: only podlumi's own time-outs count", async () => {
    emulator.service.timings.starting = 2_500;
    await stack.up(() => {
      const args = { image: "org/pod:1", gpu: { id: "NVIDIA L4" } };
      new podlumi.Pod("trainer", args, { customTimeouts: { create: "1s" } });
    });
    expect(emulator.service.pods.list()).toMatchObject([{ status: "RUNNING" }]);
  });
});
