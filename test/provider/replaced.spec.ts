import { States } from "../../provider/core/owner/states";
import { type Properties, unknownValue } from "../../provider/core/value";
import { secretKey } from "../../provider/identity";
import {
  backend,
  create,
  declared,
  emulator,
  loseState,
  provider,
  runs,
  stacks,
  stated,
  urnOf,
} from "./process";

// What the engine replaces by itself. It tells podlumi neither which object that is nor why.

const data = urnOf("NetworkVolume", "data");
const store = urnOf("NetworkVolume", "store");
const web = urnOf("Pod", "web");
const volume = { name: "data", size: 20, dataCenter: "EU-RO-1" };
const mounts = { persistent: { size: 20, path: "/data" } };
const encrypted = { [secretKey]: "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:x" };

const madeVolume = () => emulator.service.volumes.create(volume).id;
/** A pod whose inputs do not tell that it holds data: its template does. */
const madePod = () =>
  emulator.service.pods.create({
    name: "web",
    image: "org/app:1",
    gpu: { id: "NVIDIA L4", count: 1 },
    mounts,
  }).id;
const news = (urn: string) => declared("networkVolume", { ...volume, __urn: urn });
const podNews = (urn: string) => declared("pod", { name: "web", __urn: urn });

/** A provider of a run for which the user has confirmed these losses. */
function begun(confirmed = "") {
  const begun = provider();
  begun.run.configure((key) => (key === "podlumi:confirmDataLoss" ? confirmed : undefined));
  return begun;
}

describe("replaceWith something that is deleted first", () => {
  let id: string;
  beforeEach(() => {
    id = madeVolume();
    backend.objects = [pod, stated(data, id, { replacedWith: [{ urn: web, isNear: true }] })];
  });
  const pod = stated(web, "w", { inputs: { name: "web" }, outputs: { name: "web" } });
  const refusal = (act: string) =>
    new RegExp(
      `will not ${act} network volume "data" \\(${id}\\): the data on it would be lost with it\\. Its option replaceWith names ` +
        `${web}, which is replaced\\. .*podlumi:confirmDataLoss ${id}`,
    );
  /** The engine replaces the pod: it checks it without old inputs. */
  const replacing = async ({ pod }: ReturnType<typeof begun>) => {
    await pod.check(podNews(web), podNews(web));
    await pod.check(undefined, podNews(web));
  };

  test("needs the confirmation in the preview, where the engine checks the volume as if it were new", async () => {
    const preview = begun();
    await replacing(preview);
    await expect(preview.networkVolume.check(undefined, news(data))).rejects.toThrow(refusal("replace"));
    const confirmed = begun(id);
    await replacing(confirmed);
    await confirmed.networkVolume.check(undefined, news(data));
  });

  test("needs it in an up without a preview, where the engine deletes the volume before it checks it", async () => {
    const up = begun();
    await replacing(up);
    await expect(up.networkVolume.delete(id, news(data))).rejects.toThrow(refusal("delete"));
    expect(emulator.service.volumes.list()).toMatchObject([{ id }]);
    const confirmed = begun(id);
    await replacing(confirmed);
    await confirmed.networkVolume.delete(id, news(data));
    expect(emulator.service.volumes.list()).toEqual([]);
  });

  test("needs it after a rename, too, where another resource has got the former name since, which the outputs keep", async () => {
    backend.objects = [
      pod,
      stated(store, id, { outputs: news(data), replacedWith: [{ urn: web, isNear: true }] }),
    ];
    const up = begun();
    await replacing(up);
    await up.networkVolume.check(undefined, news(data));
    await expect(up.networkVolume.delete(id, news(data))).rejects.toThrow(refusal("delete"));
    expect(emulator.service.volumes.list()).toMatchObject([{ id }]);
  });

  test("and with what podlumi does not see needs it, too", async () => {
    const command = "urn:pulumi:dev::project::command:local:Command::x";
    backend.objects = [stated(data, id, { replacedWith: [{ urn: command, isNear: false }] })];
    const says = /names .*::x, of which podlumi cannot tell whether it is replaced/;
    await expect(begun().networkVolume.check(undefined, news(data))).rejects.toThrow(says);
    const up = begun();
    await up.pod.check(podNews(web), podNews(web));
    await expect(up.networkVolume.delete(id, news(data))).rejects.toThrow(says);
  });

  test("that stays needs none: what the user names (--replace), or takes out of the program", async () => {
    for (const act of ["check", "delete"] as const) {
      const run = begun();
      await run.pod.check(podNews(web), podNews(web));
      if (act === "check") await run.networkVolume.check(undefined, news(data));
      else await run.networkVolume.delete(id, news(data));
    }
    expect(emulator.service.volumes.list()).toEqual([]);
  });

  test("needs none for what is tainted, and none in a destroy", async () => {
    backend.objects = [
      pod,
      stated(data, id, { isTainted: true, replacedWith: [{ urn: web, isNear: true }] }),
    ];
    const run = begun();
    await replacing(run);
    await run.networkVolume.check(undefined, news(data));
    await begun().networkVolume.delete(id, news(data));
    expect(emulator.service.volumes.list()).toEqual([]);
  });

  test("keeps the volume where the state cannot be read", async () => {
    loseState();
    const run = begun();
    await run.pod.check(podNews(web), podNews(web));
    const says = new RegExp(`does not show whether it leaves the program .*podlumi:confirmDataLoss ${id}`);
    await expect(run.networkVolume.delete(id, news(data))).rejects.toThrow(says);
    runs("up --yes");
    await expect(begun().networkVolume.delete(id, news(data))).rejects.toThrow(says);
  });

  test("keeps it where the engine writes the state only at its end, which then shows nothing that this run has done", async () => {
    backend.objects = [stated(data, id)];
    runs("up --yes", { PULUMI_SKIP_CHECKPOINTS: "true" });
    await expect(begun().networkVolume.delete(id, news(data))).rejects.toThrow(
      new RegExp(`, since PULUMI_SKIP_CHECKPOINTS is set.*podlumi:confirmDataLoss ${id}`),
    );
    await begun(id).networkVolume.delete(id, news(data));
    expect(emulator.service.volumes.list()).toEqual([]);
  });

  test("keeps it where the engine continues after a failure: it deletes what is declared in an `apply` of what has failed", async () => {
    backend.objects = [stated(data, id)];
    runs("up --yes --continue-on-error");
    await expect(begun().networkVolume.delete(id, news(data))).rejects.toThrow(
      new RegExp(
        `will not delete network volume .* With --continue-on-error, .* To delete it anyway, run .*podlumi:confirmDataLoss ${id}`,
      ),
    );
    await begun(id).networkVolume.delete(id, news(data));
    expect(emulator.service.volumes.list()).toEqual([]);
  });
});

describe("a change of what a volume's inputs come from, which is deleted first", () => {
  let id: string;
  const isReplacedOnChanges = true;
  beforeEach(() => {
    id = madeVolume();
  });
  const refusal = (why: string, act = "replace") =>
    new RegExp(
      `will not ${act} network volume.* \\(${id}\\): the data on it would be lost with it\\. ${why}.*podlumi:confirmDataLoss ${id}`,
    );
  const unknownName = () => ({ ...news(data), name: unknownValue });
  /** The engine asks what of the volume would change, before it checks anything of it. */
  const comparing = async (run: ReturnType<typeof begun>) => {
    await run.networkVolume.diff(id, news(data), unknownName());
  };

  test("needs the confirmation in the preview already: the engine replaces the volume before the value is known", async () => {
    const preview = begun();
    await comparing(preview);
    await expect(preview.networkVolume.check(undefined, unknownName())).rejects.toThrow(
      refusal(
        "name: its value is not known yet, and an option of the resource replaces the network volume for that",
      ),
    );
    const confirmed = begun(id);
    await comparing(confirmed);
    await confirmed.networkVolume.check(undefined, unknownName());
  });

  test("needs it in an up before the volume is deleted", async () => {
    backend.objects = [stated(data, id, { isReplacedOnChanges })];
    const up = begun();
    await comparing(up);
    await expect(up.networkVolume.delete(id, news(data))).rejects.toThrow(
      refusal("Its option replaceOnChanges", "delete"),
    );
    const confirmed = begun(id);
    await comparing(confirmed);
    await confirmed.networkVolume.delete(id, news(data));
    await confirmed.networkVolume.check(undefined, news(data));
    expect(emulator.service.volumes.list()).toEqual([]);
  });

  test.each(["nothing else", "another resource"])(
    "needs it after a rename and a refresh, which leaves the former name in the inputs, where %s has that by now",
    async (what) => {
      const other = { ...news(data), name: "other" };
      const more = what === "nothing else" ? [] : [stated(data, "other", { outputs: other })];
      backend.objects = [...more, stated(store, id, { outputs: news(data), isReplacedOnChanges })];
      const begin = async () => {
        const run = begun();
        if (more.length > 0) await run.networkVolume.check(other, other);
        await comparing(run);
        return run;
      };
      const replaced = { ...unknownName(), __urn: store };
      await expect((await begin()).networkVolume.check(undefined, replaced)).rejects.toThrow(
        refusal("name: its value is not known yet"),
      );
      await expect((await begin()).networkVolume.delete(id, news(data))).rejects.toThrow(
        refusal("Its option replaceOnChanges", "delete"),
      );
      expect(emulator.service.volumes.list()).toMatchObject([{ id }]);
    },
  );

  test("needs none for what the user names, although the engine compared it (--replace, a taint)", async () => {
    for (const options of [{}, { isTainted: true, isReplacedOnChanges }]) {
      backend.objects = [stated(data, id, options)];
      const preview = begun();
      await comparing(preview);
      await preview.networkVolume.check(undefined, unknownName());
    }
    backend.objects = [stated(data, id, { replacedWith: [{ urn: "elsewhere", isNear: false }] })];
    const preview = begun();
    await comparing(preview);
    await expect(preview.networkVolume.check(undefined, unknownName())).rejects.toThrow(
      refusal("Its option replaceWith names elsewhere"),
    );
  });

  test("counts for nothing once the engine compares the volume with known values", async () => {
    const up = begun("all");
    const grown = { ...news(data), __asked: volume };
    const shrunk = { ...news(data), size: 10 };
    await up.networkVolume.diff(id, grown, unknownName());
    await up.networkVolume.check(news(data), shrunk);
    expect((await up.networkVolume.diff(id, grown, shrunk)).replaces).toEqual(["size"]);
    await up.networkVolume.check(undefined, shrunk);
    // As by replacementTrigger: the state tells which object it is.
    backend.objects = [stated(data, id, { outputs: news(data) })];
    const triggered = begun();
    await comparing(triggered);
    await triggered.networkVolume.check(news(data), news(data));
    await expect(triggered.networkVolume.check(undefined, news(data))).rejects.toThrow(
      refusal("An option of the resource replaces it"),
    );
  });

  test("needs none where the volume has no such option, or only a refresh compared it", async () => {
    backend.objects = [stated(data, id)];
    const up = begun();
    await comparing(up);
    await up.networkVolume.delete(id, news(data));
    id = madeVolume();
    backend.objects = [stated(data, id, { isReplacedOnChanges })];
    const refreshed = begun();
    await refreshed.networkVolume.diff(id, news(data), news(data));
    await refreshed.networkVolume.check(undefined, news(data));
    const left = begun();
    await left.networkVolume.diff(id, news(data), news(data));
    await left.networkVolume.delete(id, news(data));
    expect(emulator.service.volumes.list()).toEqual([]);
  });
});

describe("a deletion in a process that has checked nothing", () => {
  const command = "urn:pulumi:dev::project::command:local:Command::x";
  const lab = "urn:pulumi:dev::project::pulumi:providers:podlumi::lab";
  const under = (mayBeReplaced: boolean) => ({ provider: { urn: lab, id: "former", mayBeReplaced } });
  const far = { replacedWith: [{ urn: command, isNear: false }] };

  test.each([
    [far, "Its option replaceWith names .*::x, of which podlumi cannot tell"],
    [under(true), "podlumi cannot tell whether its provider .*::lab is replaced"],
  ])("is no destroy: with %j it needs the confirmation", async (options, says) => {
    const id = madeVolume();
    backend.objects = [stated(data, id, options)];
    for (const shown of ["up", undefined]) {
      runs(shown);
      await expect(begun().networkVolume.delete(id, news(data))).rejects.toThrow(
        new RegExp(`${says}.*podlumi:confirmDataLoss ${id}`),
      );
    }
    // The provider has the configuration of an earlier run.
    backend.confirmed = `x, ${id}`;
    await begun().networkVolume.delete(id, news(data));
    expect(emulator.service.volumes.list()).toEqual([]);
  });

  test("finds the confirmation of a renamed stack, and says that an argument of the provider is none", async () => {
    const id = madeVolume();
    backend.objects = [stated(data, id, under(true))];
    runs("up");
    backend.renamed = "organization/project/test";
    await expect(begun().networkVolume.delete(id, news(data))).rejects.toThrow(
      /the current arguments of a Provider, so only the stack's configuration can confirm this\. .*`pulumi config set/,
    );
    backend.confirmed = id;
    await begun().networkVolume.delete(id, news(data));
    expect(emulator.service.volumes.list()).toEqual([]);
  });

  test("needs none in a destroy, or where nothing can replace the volume", async () => {
    for (const [command, options] of [
      ["destroy", { ...far, ...under(true) }],
      ["up", under(false)],
      ["up", {}],
    ] as const) {
      const id = madeVolume();
      backend.objects = [stated(data, id, options)];
      runs(command);
      await begun().networkVolume.delete(id, news(data));
    }
    expect(emulator.service.volumes.list()).toEqual([]);
  });

  test("is refused in the preview, where a new provider checks what the state has under the former one", async () => {
    const id = madeVolume();
    backend.objects = [stated(data, id, under(true))];
    for (const __stack of [undefined, unknownValue, stacks.ours])
      await expect(begun().networkVolume.check(undefined, { ...news(data), __stack })).rejects.toThrow(
        /Its provider .*::lab is replaced/,
      );
    await begun(id).networkVolume.check(undefined, news(data));
    // What the user names stays under its provider.
    await begun().networkVolume.check(undefined, { ...news(data), __stack: "former" });
  });
});

describe("another object for a resource that has one", () => {
  test("needs the confirmation, to import as to read: the engine deletes the former object in the end", async () => {
    const [id, other] = [madeVolume(), madeVolume()];
    const whose = { __urn: data, __stack: stacks.ours };
    backend.objects = [stated(data, id, { outputs: { name: "data" } })];
    const says = new RegExp(
      `will not replace network volume "data" \\(${id}\\): .* gives this resource another network volume, ${other}\\.`,
    );
    await expect(begun().networkVolume.import(other, whose)).rejects.toThrow(says);
    await expect(begun().networkVolume.read(other, whose)).rejects.toThrow(says);
    expect((await begun(id).networkVolume.import(other, whose)).id).toBe(other);
    expect((await begun(id).networkVolume.read(other, whose)).id).toBe(other);
    // Its own object, and one for a resource that has none.
    expect((await begun().networkVolume.read(id, whose)).id).toBe(id);
    expect((await begun().networkVolume.read(other, { __urn: urnOf("NetworkVolume", "new") })).id).toBe(
      other,
    );
    loseState();
    expect((await begun().networkVolume.read(other, whose)).id).toBe(other);
  });

  test("needs it where the other face had the former one, whose URN podlumi itself names as an alias", async () => {
    const [id, other] = [madeVolume(), madeVolume()];
    const moved = data.replace("pulumi-nodejs:dynamic/podlumi:", "podlumi:index:");
    backend.objects = [stated(store, "x"), stated(data, id, { outputs: { name: "data" } })];
    const says = `will not replace network volume "data" (${id}): the data on it would be lost with it. The program gives this resource another`;
    const whose = { __urn: moved, __stack: stacks.ours };
    await expect(begun().networkVolume.import(other, whose)).rejects.toThrow(says);
    expect((await begun(id).networkVolume.import(other, whose)).id).toBe(other);
  });

  test("matters to no command that replaces nothing, as a destroy and pulumi do: they ask for no state", async () => {
    const [id, other] = [madeVolume(), madeVolume()];
    backend.objects = [stated(data, id)];
    const asked = jest.spyOn(States.prototype, "ownIfTold");
    runs("destroy");
    expect((await begun().networkVolume.read(other, { __urn: data })).id).toBe(other);
    expect(asked).not.toHaveBeenCalled();
  });

  test("needs none when the former object does not exist any more, by two responses", async () => {
    const [id, other] = [madeVolume(), madeVolume()];
    madeVolume();
    const whose = { __urn: data, __stack: stacks.ours };
    backend.objects = [stated(data, id, { outputs: { name: "data" } })];
    emulator.service.volumes.delete(id);
    expect((await begun().networkVolume.import(other, whose)).id).toBe(other);
    expect((await begun().networkVolume.read(other, whose)).id).toBe(other);
    const up = begun();
    backend.supplanted = [id];
    await up.networkVolume.delete(id, news(data));
    emulator.faults.add({
      match: { method: "GET", path: `/network-volumes/${id}` },
      when: "before",
      what: { status: 503 },
      times: 0,
    });
    await expect(begun().networkVolume.import(other, whose)).rejects.toThrow(/gives this resource another/);
  });

  test("needs it under another URN, too: with aliases, only the state tells once the engine has taken the other", async () => {
    const [id, other] = [madeVolume(), madeVolume()];
    backend.objects = [stated(data, id)];
    const up = async (confirmed?: string) => {
      const run = begun(confirmed);
      await run.networkVolume.import(other, { __urn: store, __stack: stacks.ours });
      backend.supplanted = [id];
      await run.networkVolume.delete(id, news(data));
    };
    const says = new RegExp(`Another object.* has its place\\. .*podlumi:confirmDataLoss ${id}`);
    await expect(up()).rejects.toThrow(says);
    // Each later up tries the deletion again.
    const later = begun();
    await later.networkVolume.check(news(data), news(data));
    await expect(later.networkVolume.delete(id, news(data))).rejects.toThrow(says);
    await up(id);
    expect(emulator.service.volumes.list()).toMatchObject([{ id: other }]);
  });

  test.each(["import", "read"] as const)("needs none for what leaves the program: %s", async (verb) => {
    const [id, other] = [madeVolume(), madeVolume()];
    backend.objects = [stated(data, id)];
    const { networkVolume } = begun();
    await networkVolume[verb](other, { __urn: store, __stack: stacks.ours });
    await networkVolume.delete(id, news(data));
    expect(emulator.service.volumes.list()).toMatchObject([{ id: other }]);
  });
});

describe("a replacement without a comparison, as by replacementTrigger", () => {
  const inputs = { templateId: "t1", gpu: { id: "NVIDIA L4" }, name: "web" };
  /** The engine checks what is called "app" by now with the old inputs, and then without. */
  const replacing = async (run: ReturnType<typeof begun>, olds: object, urn = urnOf("Pod", "app")) => {
    const props = declared("pod", {
      ...inputs,
      image: undefined,
      ports: undefined,
      env: undefined,
      __urn: urn,
    });
    await run.pod.check({ ...olds }, props);
    await run.pod.check(undefined, props);
  };
  const refusal = (id: string, confirmed = id) =>
    new RegExp(
      `\\(${id}\\): the data of mounts\\.persistent would be lost .*podlumi:confirmDataLoss ${confirmed}\``,
    );

  test("of a renamed resource finds its object by the old inputs, secrets aside", async () => {
    const id = madePod();
    const outputs = { ...inputs, mounts };
    backend.objects = [
      stated(urnOf("Pod", "app"), "x", { inputs: { ...inputs, name: "app" } }),
      stated(web, id, { inputs: { ...inputs, env: { A: encrypted } }, outputs }),
    ];
    const olds = { ...inputs, env: { A: "hunter22" }, __urn: urnOf("Pod", "app") };
    await expect(replacing(begun(), olds)).rejects.toThrow(refusal(id));
    await replacing(begun(id), olds);
  });

  test("of a renamed resource in a renamed stack finds its object among others that are alike", async () => {
    const id = madePod();
    const outputs = { ...inputs, mounts };
    backend.objects = [
      stated(urnOf("Pod", "other"), "x", { inputs, outputs }),
      stated(web, id, { inputs, outputs }),
    ];
    const olds = { ...inputs, __urn: urnOf("Pod", "web", "former") };
    await expect(replacing(begun(), olds)).rejects.toThrow(refusal(id));
  });

  test("asks about each object that may be the one", async () => {
    const outputs = { ...inputs, mounts };
    backend.objects = [
      stated(urnOf("Pod", "one"), "x", { inputs, outputs }),
      stated(urnOf("Pod", "two"), "y", { inputs, outputs }),
    ];
    await expect(replacing(begun("x"), inputs)).rejects.toThrow(refusal("y", "x,y"));
    await replacing(begun("x,y"), inputs);
  });

  test("goes by the state, although the service does not answer", async () => {
    const id = madePod();
    backend.objects = [stated(web, id, { inputs, outputs: { ...inputs, mounts } })];
    emulator.faults.add({
      match: { method: "GET", path: `/pods/${id}` },
      when: "before",
      what: { status: 503 },
      times: 0,
    });
    await expect(replacing(begun(), inputs, web)).rejects.toThrow(refusal(id));
  });

  test("goes by the service where the state shows no data", async () => {
    const id = madePod();
    backend.objects = [stated(web, id, { inputs, outputs: inputs })];
    await expect(replacing(begun(), inputs, web)).rejects.toThrow(refusal(id));
  });

  test("of what an interrupted run has deleted already needs no confirmation", async () => {
    backend.objects = [stated(web, "x", { inputs, outputs: { ...inputs, mounts }, isGone: true })];
    await replacing(begun(), inputs, web);
  });

  test("fails where nothing tells which object it is, unless every loss is confirmed", async () => {
    madePod();
    const says = /does not show which object is replaced.*PODLUMI-STATE-UNKNOWN/;
    await expect(replacing(begun(), inputs, web)).rejects.toThrow(says);
    loseState();
    await expect(replacing(begun(), inputs, web)).rejects.toThrow(says);
    await replacing(begun("all"), inputs, web);
  });

  test("needs no state where the object can hold no data", async () => {
    loseState();
    const { templateId, ...plain } = inputs;
    await replacing(begun(), { ...plain, image: "org/app:1" }, web);
  });
});

describe("what a replacement has deleted, and has yet to create again, as after a create that failed", () => {
  const urn = urnOf("pod");

  /** A pod of the state that is deleted, and what the program says of it. */
  async function deleted(more: Properties, asks: Properties) {
    const { id, outs = {} } = await create(provider().pod, "pod", { mounts });
    emulator.service.pods.delete(id);
    const state: Properties = { ...outs, ...more };
    backend.objects = [stated(urn, id, { outputs: state, isGone: true })];
    const { pod } = provider();
    const inputs = declared("pod", { name: "trainer", mounts, ...asks });
    await pod.check(declared("pod", { name: "trainer", mounts }), inputs);
    // The engine compares it, and then checks it as a new one.
    const compare = () => pod.diff(id, state, inputs);
    return { id, state, compare, check: () => pod.check({}, inputs) };
  }

  const expiresAfter = "1h";
  test.each<[string, Properties, Properties]>([
    ["the data that it held, where the program replaces it", {}, { gpu: { id: "NVIDIA A40" } }],
    ["the data that it held, where the program says what it said before", {}, {}],
    ["the end of its time limit", { expiresAfter, expiresAt: "2026-01-01T00:00:00Z" }, { expiresAfter }],
    ["another provider, as after the replacement of its own", {}, { __stack: stacks.theirs }],
  ])("is not stopped by %s", async (_title, more, asks) => {
    const { compare, check } = await deleted(more, asks);
    await compare();
    expect((await check()).failures).toEqual([]);
    // What the state has otherwise is guarded.
    const there = await deleted(more, asks);
    backend.objects = [stated(urn, there.id, { outputs: there.state })];
    await expect(there.compare().then(there.check)).rejects.toThrow(/\[PODLUMI-[A-Z-]+\]$/);
  });
});
