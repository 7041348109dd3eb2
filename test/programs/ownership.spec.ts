import type { Match, What } from "../../sdk/emulator/service";
import { emulatedAccount, emulator, newProject } from "../harness/emulated";
import { typeOfKind } from "../harness/face";
import { testLong } from "../harness/long";
import type { Project } from "../harness/project";

// One account with several projects. Each project has its own backend and machines.

emulatedAccount();

const volume = 'const data = new podlumi.NetworkVolume("data", { size: 20, dataCenter: "EU-RO-1" });';
const pod = 'const web = new podlumi.Pod("web", { image: "org/app:1", gpu: { id: "NVIDIA L4" } });';
const template = 'const worker = new podlumi.Template("worker", { image: "org/app:1" });';
const secret = 'const token = new podlumi.Secret("token", { value: "hunter22" });';
const everything = [volume, pod, template, secret];

const volumes = () => emulator.service.volumes.list();
const pods = () => emulator.service.pods.list();
const account = () =>
  Object.values(emulator.service.snapshot())
    .flatMap((kind) => kind.map(({ id }) => id))
    .sort();

const makesVolume: Match = { method: "POST", path: "/network-volumes" };
const makesPod: Match = { method: "POST", path: "/pods" };

/** Runs an up, and kills all its processes before or after the service acts on the next request that matches, as soon as `is` holds. */
async function killedUp(
  killed: Project,
  point: "before" | "after",
  match: Match,
  is = () => true,
): Promise<void> {
  let armed = true;
  const stop = emulator.on(point, match, () => {
    if (!armed || !is()) return;
    killed.kill("everything");
    armed = false;
  });
  // The kill must not meet this process.
  killed.inline = false;
  await killed.pulumi("up", "--yes", "--skip-preview");
  killed.inline = true;
  stop();
  expect(armed).toBe(false);
}

const up = (of: Project, ...more: string[]) => of.pulumi("up", "--yes", "--skip-preview", ...more);
const destroy = (of: Project) => of.pulumi("destroy", "--yes", "--skip-preview");
const plan = (what: What, match: Match, times = 1) =>
  emulator.faults.add({ match, when: "before", what, times });

/** A preview finds no changes, and a destroy succeeds. */
async function endsWell(of: Project): Promise<void> {
  expect(await of.pulumi("preview", "--expect-no-changes")).toMatchObject({ ok: true });
  expect(await destroy(of)).toMatchObject({ ok: true });
}

describe("an up that was killed while its request was open", () => {
  const others: [string, boolean][] = [
    ["of another backend, with the same name", false],
    ["of the same backend", true],
  ];
  testLong.each(others)(
    "costs no other stack anything, and is cost nothing by another stack %s",
    async (_title, shared) => {
      const first = await newProject();
      first.declare(...everything);
      // An up waits half a minute for what a killed one was making and nothing shows.
      await killedUp(first, "after", {}, () => account().length === everything.length);
      const left = account();

      const second = shared ? first : await newProject();
      if (shared) await first.pulumi("stack", "init", "prod");
      second.declare(...everything);
      expect(await up(second)).toMatchObject({ ok: true });
      expect(account()).toEqual(expect.arrayContaining(left));
      await endsWell(second);
      expect(account()).toEqual(left);

      await first.elsewhere();
      expect(await up(first)).toMatchObject({ ok: true });
      expect(account()).toEqual(left);
      await endsWell(first);
      expect(account()).toEqual([]);
    },
  );

  testLong("is found by a stack that was renamed since", async () => {
    const dev = await newProject();
    dev.declare(pod);
    await killedUp(dev, "after", makesPod);
    const [{ id } = { id: "" }] = pods();
    await dev.elsewhere();
    await dev.pulumi("stack", "rename", "prod");
    expect(await up(dev)).toMatchObject({ ok: true, printed: expect.stringContaining(`takes over the pod`) });
    expect(pods()).toMatchObject([{ id, status: "RUNNING" }]);
    await endsWell(dev);
    expect(account()).toEqual([]);
  });

  testLong(
    "and waited for a pod to boot, leaves it to the next up, on another machine, which says so",
    async () => {
      emulator.service.timings.starting = 2_000;
      const dev = await newProject();
      dev.declare(pod);
      await killedUp(dev, "after", { method: "GET", path: "/pods/*" });
      const [{ id } = { id: "" }] = pods();
      await dev.elsewhere();
      const preview = await dev.pulumi("preview");
      expect(preview.printed).toContain(`takes over the pod "${pods()[0]?.name}" (${id}) as it is`);
      expect(await up(dev)).toMatchObject({ ok: true, printed: expect.stringContaining(`(${id}) as it is`) });
      expect(pods()).toMatchObject([{ id, status: "RUNNING" }]);
      await endsWell(dev);
      expect(account()).toEqual([]);
    },
  );
});

testLong("two providers of one program, with equal names under them, are two", async () => {
  const dev = await newProject();
  const under = (name: string) => [
    `class In${name} extends pulumi.ComponentResource { constructor() { super("my:index:Env", "${name}", {}, { providers: [${name}] }); } }`,
    `new podlumi.NetworkVolume("data-${name}", { size: 20, dataCenter: "EU-RO-1" }, { parent: new In${name}() });`,
  ];
  const imports = [
    'const pulumi = require("@pulumi/pulumi");',
    'const one = new podlumi.Provider("one"), two = new podlumi.Provider("two");',
  ].join("\n");
  dev.declare(imports, ...under("one"));
  await killedUp(dev, "after", makesVolume);
  const [{ id } = { id: "" }] = volumes();
  await dev.elsewhere();
  dev.declare(imports, ...under("two"));
  expect(await up(dev)).toMatchObject({ ok: true });
  expect(volumes().map((one) => one.id)).toContain(id);
  dev.declare(imports, ...under("one"), ...under("two"));
  expect(await up(dev)).toMatchObject({ ok: true });
  expect(volumes()).toHaveLength(2);
  expect(await destroy(dev)).toMatchObject({ ok: true });
  expect(account()).toEqual([]);
});

describe("a request without an answer", () => {
  testLong("whose effect comes seconds later creates one pod, and a destroy leaves none", async () => {
    const dev = await newProject();
    dev.declare(pod);
    plan({ later: 3_000 }, makesPod);
    expect(await up(dev)).toMatchObject({ ok: true });
    expect(pods()).toHaveLength(1);
    expect(
      emulator.requests.filter(({ method, path }) => method === "POST" && path === "/v2/pods"),
    ).toHaveLength(1);
    await endsWell(dev);
    expect(account()).toEqual([]);
  });

  testLong("creates one volume while lists lag behind", async () => {
    emulator.service.timings.listLag = 2_500;
    const dev = await newProject();
    dev.declare(volume);
    emulator.faults.add({ match: makesVolume, when: "after", what: { reset: true } });
    expect(await up(dev)).toMatchObject({ ok: true });
    expect(volumes()).toHaveLength(1);
    await endsWell(dev);
    expect(account()).toEqual([]);
  });

  testLong(
    "that takes effect after the run creates a twin, which the next up deletes, as its preview says",
    async () => {
      const dev = await newProject();
      plan({ later: 45_000, status: 504 }, makesPod);
      dev.declare(pod);
      expect(await up(dev)).toMatchObject({ ok: true });
      while (pods().length < 2) await new Promise((done) => setTimeout(done, 200));
      const held = (await dev.pulumi("stack", "export")).printed;
      const twin = pods().find(({ id }) => !held.includes(id))?.id;
      expect((await dev.pulumi("preview")).printed).toMatch(
        new RegExp(`this update deletes the pod .*\\(${twin}\\)`),
      );
      expect(await up(dev)).toMatchObject({ ok: true, printed: expect.stringContaining("deleted the pod") });
      expect(pods()).toHaveLength(1);
      expect(held).toContain(pods()[0]?.id);
      await endsWell(dev);
      expect(account()).toEqual([]);
    },
  );

  testLong(
    "that did nothing takes no equal pod of somebody else, who creates it in that moment",
    async () => {
      const dev = await newProject();
      dev.declare(pod.replace('"web", {', '"web", { name: "web",'));
      plan({ status: 502 }, makesPod);
      let theirs = "";
      emulator.on("before", makesPod, () => {
        if (theirs !== "") return;
        theirs = emulator.service.pods.create({
          name: "web",
          image: "org/app:1",
          gpu: { id: "NVIDIA L4", count: 1 },
        }).id;
      });
      expect(await up(dev)).toMatchObject({ ok: true });
      expect(pods()).toHaveLength(2);
      await endsWell(dev);
      expect(account()).toEqual([theirs]);
    },
  );
});

testLong("a rotated key changes nothing, and neither does a stack's new name", async () => {
  const dev = await newProject();
  await dev.pulumi("config", "set", "--secret", "podlumi:apiKey", "first-key");
  await dev.up(...everything);
  await dev.pulumi("config", "set", "--secret", "podlumi:apiKey", "second-key");
  expect(await dev.pulumi("preview", "--expect-no-changes")).toMatchObject({ ok: true });
  await dev.pulumi("stack", "rename", "prod");
  await endsWell(dev);
  expect(account()).toEqual([]);
});

testLong(
  "what has left the state by hand is taken over by its resource, and a replacement by hand replaces",
  async () => {
    const dev = await newProject();
    await dev.up(...everything);
    const before = account();
    const urns = (
      [
        ["NetworkVolume", "data"],
        ["Pod", "web"],
        ["Template", "worker"],
        ["Secret", "token"],
      ] as const
    ).map(([kind, name]) => `urn:pulumi:dev::specification::${typeOfKind(kind)}::${name}`);
    for (const urn of urns) await dev.pulumi("state", "delete", urn, "--yes");
    expect(await up(dev)).toMatchObject({ ok: true });
    expect(account()).toEqual(before);
    expect(await up(dev, ...urns.flatMap((urn) => ["--replace", urn]))).toMatchObject({ ok: true });
    expect(account()).toHaveLength(4);
    expect(account().filter((id) => before.includes(id))).toEqual([]);
    await endsWell(dev);
    expect(account()).toEqual([]);
  },
);

describe("what carries the mark of a stack and is not in its state", () => {
  /** A stack with a volume, and an orphan: a killed run made a pod whose resource has since left the program. */
  async function strayPod(): Promise<Project> {
    const dev = await newProject();
    await dev.up(volume);
    dev.declare(volume, pod);
    await killedUp(dev, "after", makesPod);
    await dev.elsewhere();
    dev.declare(volume);
    return dev;
  }

  testLong("is left alone by an up, a refresh and a destroy, after which ls lists it", async () => {
    const dev = await strayPod();
    const stray = pods()[0]?.id;
    await up(dev);
    await dev.pulumi("refresh", "--yes", "--skip-preview");
    await destroy(dev);
    expect(account()).toEqual([stray]);
    expect((await dev.podlumi("ls", "--stack", "specification/dev")).printed).toContain(String(stray));
  });

  test("is listed and swept by the name of the stack, and nothing else is: not the state's, not another stack's", async () => {
    const dev = await strayPod();
    const other = await newProject("other");
    await other.up(pod);
    const [stray, theirs] = pods();

    const listed = await dev.podlumi("ls", "--stack", "specification/dev", "--json");
    expect(JSON.parse(listed.printed)).toEqual([
      expect.objectContaining({ kind: "Pod", id: stray?.id, resource: "Pod::web", inState: false }),
      expect.objectContaining({
        kind: "NetworkVolume",
        id: volumes()[0]?.id,
        resource: "NetworkVolume::data",
        inState: true,
      }),
    ]);
    const misspelt = await dev.podlumi("sweep", "--stack", "specification/dve", "--yes");
    expect(misspelt.printed).toContain(
      'Pulumi has no stack specification/dve here; did you mean "specification/dev"?',
    );
    const swept = await dev.podlumi("sweep", "--stack", "dev", "--yes");
    expect(swept).toMatchObject({
      ok: true,
      printed: expect.stringMatching(`deleted  Pod \\S+ \\(${stray?.id}\\)`),
    });
    expect(swept.printed).toContain(
      "or somebody kept it on purpose (retainOnDelete, deletedWith, `pulumi state delete`)",
    );
    expect(account()).toEqual([theirs?.id, volumes()[0]?.id].sort());
    await endsWell(dev);
  });

  testLong(
    "is swept when the state is gone, too, and then all of it, by the mark that the state had",
    async () => {
      const dev = await strayPod();
      const { printed } = await dev.podlumi("ls", "--stack", "specification/dev", "--marks");
      await dev.pulumi("stack", "rm", "dev", "--yes", "--force");
      const sweep = ["sweep", "--stack", "specification/dev", "--yes"];
      const before = account();
      // The same mark may be that of a live stack in another backend.
      expect(await dev.podlumi(...sweep)).toMatchObject({
        ok: false,
        printed: expect.stringContaining("PODLUMI-WHICH-STACK"),
      });
      expect(account()).toEqual(before);
      const swept = await dev.podlumi(...sweep, "--mark", printed.trim());
      expect(swept).toMatchObject({
        ok: true,
        printed: expect.stringContaining("no state of specification/dev"),
      });
      expect(account()).toEqual([]);
    },
  );

  testLong(
    "is told apart where two stacks have one name: a sweep deletes what has the mark of this one's state",
    async () => {
      const dev = await strayPod();
      const twin = await newProject();
      await twin.up(volume, pod);
      const stray = pods()[0]?.id;
      const theirs = account().filter((id) => id !== stray && id !== volumes()[0]?.id);
      expect(await dev.podlumi("sweep", "--stack", "specification/dev", "--yes")).toMatchObject({
        ok: true,
        printed: expect.stringMatching(/keeps what has another mark and the name specification\/dev/),
      });
      expect(account()).toEqual([...theirs, volumes()[0]?.id].sort());
      await endsWell(dev);
      expect(account()).toEqual(theirs);
      await endsWell(twin);
    },
  );
});
