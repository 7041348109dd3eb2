import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { type Emulator, type Match, startEmulator } from "../emulator";
import { runsAll } from "../engine/runs-all";
import { fast, PassingClock, patch, send } from "../harness/account";
import { onPlugin, typeOfKind } from "../harness/face";
import { testLong } from "../harness/long";
import { Project } from "../harness/project";

// An object in a state belongs to its resource. No other resource, stack or sweep may take it.

let emulator: Emulator;
let clock: PassingClock;
let dev: Project;

beforeEach(async () => {
  clock = new PassingClock();
  emulator = await startEmulator({ ...fast, clock });
  dev = new Project(emulator);
  dev.inline = true;
  await dev.pulumi("stack", "init", "dev");
});
afterEach(async () => {
  await emulator.close();
  dev.remove();
});

const volume = 'new podlumi.NetworkVolume("data", { size: 20, dataCenter: "EU-RO-1" });';
const pod = 'new podlumi.Pod("web", { image: "org/app:1", gpu: { id: "NVIDIA L4" } });';
const volumes = () => emulator.service.volumes.list();
const pods = () => emulator.service.pods.list();
const idOf = (all: { id: string }[]) => String(all[0]?.id);
const up = () => dev.pulumi("up", "--yes", "--skip-preview");
const sweep = (stack: string) => dev.podlumi("sweep", "--stack", stack, "--yes");

async function killedUp(match: Match): Promise<void> {
  const stop = emulator.on("after", match, () => dev.kill("everything"));
  // The kill must not meet this process.
  dev.inline = false;
  await up();
  dev.inline = true;
  stop();
}

test("a resource adopts nothing that another resource of the stack has: aliases are the way", async () => {
  await dev.up(volume);
  const id = idOf(volumes());
  const adopting = (more: string) =>
    `new podlumi.NetworkVolume("datasets", { size: 20, dataCenter: "EU-RO-1", adopt: "${id}" }${more});`;
  dev.declare(adopting(""));
  const refused =
    /has a problem: adopt: .* it is urn:pulumi:\S+::data already: .* aliases make one resource out of another/;
  expect((await dev.pulumi("preview")).printed).toMatch(refused);
  dev.declare('const lab = new podlumi.Provider("lab");', adopting(", { provider: lab }"));
  const other = await up();
  expect(other).toMatchObject({ ok: false, printed: expect.stringMatching(refused) });
  dev.declare(adopting(', { aliases: [{ name: "data" }] }'));
  expect(await up()).toMatchObject({ ok: true });
  expect(volumes()).toMatchObject([{ id }]);
});

testLong(
  "after a rename of the stack, its old name sweeps nothing, and the new one finds what is lost",
  async () => {
    await dev.up(volume);
    dev.declare(volume, pod);
    await killedUp({ method: "POST", path: "/pods" });
    const lost = idOf(pods());
    await dev.elsewhere();
    await dev.pulumi("stack", "rename", "prod");
    const old = await sweep("specification/dev");
    expect(old.printed).toMatch(/is called organization\/specification\/prod by now/);
    expect(volumes()).toHaveLength(1);
    expect(pods()).toHaveLength(1);
    const found = await sweep("specification/prod");
    expect(found).toMatchObject({ ok: true, printed: expect.stringContaining(`(${lost})`) });
    expect(found.printed).toContain("If an `up` runs now, it may be making what follows");
    expect(volumes()).toHaveLength(1);
    expect(pods()).toEqual([]);
  },
);

test("what the state has is not swept, whatever became of the provider, and nothing is where Pulumi cannot be asked", async () => {
  await dev.up(volume, pod);
  const under = (line: string) => line.replace(" });", " }, { provider: lab });");
  await dev.up('const lab = new podlumi.Provider("lab");', under(volume), under(pod));
  expect((await sweep("dev")).printed).toMatch(/nothing to delete/);
  const odd = join(dev.folder, "odd");
  mkdirSync(odd);
  writeFileSync(join(odd, "pulumi"), "#!/bin/sh\necho 'warning: nothing that can be read'\n", {
    mode: 0o755,
  });
  const blinds: Record<string, string>[] = [
    { PATH: odd },
    { PULUMI_BACKEND_URL: "s3://none?endpoint=127.0.0.1:9&region=x" },
    { PATH: "" },
  ];
  for (const environment of blinds) {
    const blind = await dev.run(
      process.execPath,
      [require.resolve("../../dist/sdk/cli/main.js"), "sweep", "--stack", "specification/dev", "--yes"],
      environment,
    );
    expect(blind).toMatchObject({
      ok: false,
      printed: expect.stringMatching(/`pulumi stack ls --all` failed/),
    });
  }
  expect(volumes()).toHaveLength(1);
  expect(pods()).toHaveLength(1);
});

// An up of the same stack is one that any user may have under way. That of another has to adopt.
test.each(runsAll ? ["dev", "prod"] : ["dev"])(
  "what an up of %s takes into its state while a sweep looks and asks is not swept",
  async (stack) => {
    await dev.up(volume);
    const urn = `urn:pulumi:dev::specification::${typeOfKind("NetworkVolume")}::data`;
    await dev.pulumi("state", "delete", urn, "--yes");
    if (stack === "prod") {
      await dev.pulumi("stack", "init", "prod");
      const [{ id, name } = { id: "", name: "" }] = volumes();
      // Under its name it goes on to carry the mark of dev.
      dev.declare(volume.replace(" })", `, adopt: "${id}", name: "${name}" })`));
    }
    // Stands for the time that the question is open: the second look comes after an up.
    const real = String((await dev.run("sh", ["-c", "command -v pulumi"])).printed).trim();
    const script = [
      "#!/bin/sh",
      `cd ${dev.folder}`,
      `if [ "$1 $2" = "stack ls" ]; then`,
      `  if [ -e looked ]; then "${real}" up --yes --skip-preview --non-interactive >/dev/null 2>&1; else touch looked; fi`,
      "fi",
      `exec "${real}" "$@"`,
    ];
    mkdirSync(join(dev.folder, "bin"));
    writeFileSync(join(dev.folder, "bin", "pulumi"), script.join("\n"), { mode: 0o755 });
    const PATH = [join(dev.folder, "bin"), dev.environment.PATH].join(delimiter);
    const command = [resolve("dist/sdk/cli/main.js"), "sweep", "--stack", "specification/dev", "--yes"];
    const { ok, printed } = await dev.run(process.execPath, command, { PATH });
    expect({ ok, printed }).toMatchObject({
      ok: false,
      printed: expect.stringMatching(/left +NetworkVolume .*: it is in the state of a stack by now/),
    });
    expect(volumes()).toHaveLength(1);
  },
);

testLong("two providers of one program are one stack to the sweep", async () => {
  const lab = 'const lab = new podlumi.Provider("lab");';
  await dev.up(lab, volume, pod.replace(" });", " }, { provider: lab, retainOnDelete: true });"));
  await dev.up(lab, volume);
  expect(await sweep("dev")).toMatchObject({ ok: true });
  expect(pods()).toEqual([]);
  expect(volumes()).toHaveLength(1);
});

testLong(
  "a replacement after a rename, of the stack or of the resource, deletes the object that was replaced",
  async () => {
    await dev.up(pod);
    const other = pod.replace("NVIDIA L4", "NVIDIA A40");
    await dev.pulumi("stack", "rename", "prod");
    await dev.up(other);
    expect(pods()).toHaveLength(1);
    await dev.up(pod.replace('"web"', '"app"').replace(" });", ' }, { aliases: [{ name: "web" }] });'));
    expect(pods()).toHaveLength(1);
    expect(pods()).toMatchObject([{ gpu: { id: "NVIDIA L4" } }]);
  },
);

test("what `pulumi state move` took to another stack is neither taken over nor swept nor called an orphan", async () => {
  await dev.up(volume, pod);
  const id = idOf(volumes());
  await dev.pulumi("stack", "init", "shared");
  const urn = `urn:pulumi:dev::specification::${typeOfKind("NetworkVolume")}::data`;
  const [source, dest] = ["dev", "shared"].map((name) => `organization/specification/${name}`);
  await dev.pulumi("state", "move", "--source", `${source}`, "--dest", `${dest}`, urn, "--yes");
  await dev.pulumi("stack", "select", "dev");
  expect((await sweep("dev")).printed).toMatch(/nothing to delete/);
  const { printed } = await dev.pulumi("refresh", "--yes", "--skip-preview");
  expect(printed).toContain("unchanged");
  expect(printed).not.toContain("PODLUMI-ORPHAN");
  // A state that cannot be read may be the one that has it.
  const states = join(dev.folder, "backend", ".pulumi", "stacks", "specification");
  const shared = readFileSync(join(states, "shared.json"));
  writeFileSync(join(states, "shared.json"), "{");
  dev.declare(pod, volume.replace("20", "30"));
  expect(await up()).toMatchObject({
    ok: false,
    printed: expect.stringMatching(/\[PODLUMI-STATE-UNKNOWN\]/),
  });
  expect(volumes()).toMatchObject([{ id, size: 20 }]);
  writeFileSync(join(states, "shared.json"), shared);
  expect(await up()).toMatchObject({ ok: true });
  expect(volumes()).toHaveLength(2);
  expect(volumes()).toContainEqual(expect.objectContaining({ id, size: 20 }));
});

test("what another stack has adopted since is neither changed nor deleted by the one that made it", async () => {
  await dev.up(volume);
  const id = idOf(volumes());
  const shared = new Project(emulator);
  shared.inline = true;
  await shared.pulumi("stack", "init", "shared");
  await shared.up(
    `new podlumi.NetworkVolume("datasets", { size: 20, dataCenter: "EU-RO-1", adopt: "${id}" });`,
  );
  dev.declare(volume.replace("20", "30"));
  const refused = /will not change .* by its mark it is another resource's .*\[PODLUMI-ANOTHERS\]/;
  expect((await dev.pulumi("preview")).printed).toMatch(refused);
  expect((await up()).printed).toMatch(refused);
  expect(volumes()).toMatchObject([{ id, size: 20 }]);
  dev.declare();
  const { ok, printed } = await up();
  expect({ ok, printed }).toMatchObject({
    ok: true,
    printed: expect.stringMatching(
      /keeps the network volume "datasets-\S+" \(\w+\): by its mark it is another resource's/,
    ),
  });
  expect(volumes()).toMatchObject([{ id }]);
  shared.remove();
});

testLong(
  "what another stack has is not adopted where no mark would show it, since that stack would delete it",
  async () => {
    const kept = 'new podlumi.GlobalVolume("kept", { name: "kept" });';
    await dev.up('new podlumi.GlobalVolume("models", {});', kept);
    const [models, named] = ["models-", "kept"].map((prefix) =>
      String(emulator.service.globalVolumes.list().find(({ name }) => name.startsWith(prefix))?.id),
    );
    await dev.pulumi("stack", "init", "prod");
    const adopting = async (args: string) => {
      dev.declare(`new podlumi.GlobalVolume("models", ${args});`);
      return (await dev.pulumi("preview")).printed;
    };
    const held = (id?: string) => new RegExp(`/dev has the global volume ${id}.*\\[PODLUMI-ADOPT-HELD\\]`);
    expect(await adopting(`{ adopt: "${models}", name: "models" }`)).toMatch(held(models));
    const refused = await adopting(`{ adopt: "${named}" }`);
    expect(refused).toMatch(held(named));
    const [command = ""] = /(?<=`)pulumi state delete '\S+' --stack \S+(?=`)/.exec(refused) ?? [];
    expect(await dev.run("sh", ["-c", `${command} --yes`])).toMatchObject({ ok: true });
    expect(await adopting(`{ adopt: "${named}" }`)).not.toMatch(held(named));
    // Podlumi's own name shows it.
    expect(await adopting(`{ adopt: "${models}" }`)).toContain("its mark of ownership");
    expect((await up()).ok).toBe(true);
    await dev.pulumi("stack", "select", "dev");
    expect(await dev.pulumi("destroy", "--yes", "--skip-preview")).toMatchObject({
      ok: true,
      printed: expect.stringContaining("by its mark it is another resource's"),
    });
    const left = emulator.service.globalVolumes.list().map(({ id }) => id);
    expect(left.sort()).toEqual([models, named].sort());
  },
);

testLong(
  "what another stack adopts while an up runs is not adopted a second time, since a destroy of one would delete it for both",
  async () => {
    for (const name of ["first", "second", "third"])
      await send(emulator, "POST", "network-volumes", { name, size: 20, dataCenter: "EU-RO-1" });
    await dev.pulumi("stack", "init", "prod");
    const adopting = (name: string, more = "") => {
      const id = volumes().find((one) => one.name === name)?.id;
      return `new podlumi.NetworkVolume("${name}", { name: "${name}", size: 20, dataCenter: "EU-RO-1", adopt: "${id}" }, { ${more} });`;
    };
    const upOf = (stack: string, ...lines: string[]) => {
      dev.declare(...lines);
      return dev.pulumi("up", "--yes", "--skip-preview", "--stack", stack);
    };
    const held = (does: string) => new RegExp(`/${does} the network volume .*\\[PODLUMI-ADOPT-HELD\\]`);

    let theirs: Promise<unknown> | undefined;
    const stop = emulator.on("before", { method: "POST", path: "/pods" }, async () => {
      theirs ??= upOf("prod", adopting("second"));
      expect(await theirs).toMatchObject({ ok: true });
    });
    const mine = await upOf(
      "dev",
      adopting("first"),
      `const web = ${pod}`,
      adopting("second", "dependsOn: web"),
    );
    stop();
    expect(mine).toMatchObject({ ok: false, printed: expect.stringMatching(held("prod has")) });

    // The other run comes between the moment when this one's adoption is in its state and the adoption itself.
    let reads = 0;
    let refused: Promise<unknown> | undefined;
    const third = volumes().find(({ name }) => name === "third")?.id;
    const end = emulator.on("before", { method: "GET", path: `/network-volumes/${third}` }, async () => {
      if (++reads !== 2) return;
      refused = upOf("prod", adopting("second"), adopting("third"));
      await refused;
    });
    const kept = await upOf("dev", adopting("first"), pod, adopting("third"));
    end();
    expect(await refused).toMatchObject({
      ok: false,
      printed: expect.stringMatching(held("dev is adopting")),
    });
    expect(kept).toMatchObject({ ok: true });

    for (const stack of ["dev", "prod"]) {
      expect((await dev.pulumi("destroy", "--yes", "--skip-preview", "--stack", stack)).ok).toBe(true);
      expect(volumes().map(({ name }) => name)).toEqual(stack === "dev" ? ["second"] : []);
    }
  },
);

testLong("what another stack adopts while a destroy runs is not deleted", async () => {
  const args = '{ size: 20, dataCenter: "EU-RO-1" }';
  await dev.up(
    `const data = new podlumi.NetworkVolume("data", ${args});`,
    `new podlumi.NetworkVolume("first", ${args}, { dependsOn: data });`,
  );
  const id = volumes().find(({ name }) => name.startsWith("data-"))?.id;
  await dev.pulumi("stack", "init", "prod");
  let theirs: Promise<unknown> | undefined;
  const stop = emulator.on("before", { method: "DELETE", path: "/network-volumes/*" }, async () => {
    dev.declare(`new podlumi.NetworkVolume("theirs", { size: 20, dataCenter: "EU-RO-1", adopt: "${id}" });`);
    theirs ??= dev.pulumi("up", "--yes", "--skip-preview", "--stack", "prod");
    await theirs;
    // What a list has told is taken for true for five seconds.
    await new Promise((done) => setTimeout(done, 5_000));
  });
  const destroyed = await dev.pulumi("destroy", "--yes", "--skip-preview", "--stack", "dev");
  stop();
  expect(await theirs).toMatchObject({ ok: true });
  expect(volumes()).toMatchObject([{ id, name: expect.stringMatching(/^theirs-/) }]);
  expect(destroyed).toMatchObject({ ok: true, printed: expect.stringContaining("[PODLUMI-ANOTHERS]") });
});

test("the end of a destroy tells of a global volume that was left, since it costs money", async () => {
  const secret = 'new podlumi.Secret("token", { value: "hunter22" });';
  await dev.up('new podlumi.GlobalVolume("models", {}, { retainOnDelete: true });', secret);
  await dev.up(secret);
  const { printed } = await dev.pulumi("destroy", "--yes", "--skip-preview");
  const [{ id } = { id: "" }] = emulator.service.globalVolumes.list();
  expect(printed).toMatch(
    new RegExp(`global volume "models-\\S+" \\(${id}\\) is of this stack.*\\[PODLUMI-ORPHAN\\]`),
  );
});

testLong(
  "one 404 of the list makes no second global volume beside the one that carries the mark",
  async () => {
    await dev.up('new podlumi.GlobalVolume("models", {});');
    const urn = `urn:pulumi:dev::specification::${typeOfKind("GlobalVolume")}::models`;
    await dev.pulumi("state", "delete", urn, "--yes");
    const match = { method: "GET", path: "/global-volumes" };
    emulator.faults.add({ match, when: "before", what: { status: 404 } });
    await up();
    expect(emulator.service.globalVolumes.list()).toHaveLength(1);
    expect((await up()).ok).toBe(true);
    expect(emulator.service.globalVolumes.list()).toHaveLength(1);
  },
);

testLong(
  "generate leaves out what a state has, which a name of the program's own does not show",
  async () => {
    await dev.up('new podlumi.GlobalVolume("models", { name: "models" });');
    const { printed } = await dev.podlumi("generate", "--adopt");
    expect(printed).toMatch(/GlobalVolume "models" \(\w+\) is in the state of \S+\/dev and is left out/);
    expect(printed).not.toContain("new podlumi.GlobalVolume");
    expect((await dev.podlumi("generate", "--adopt", "--marked")).printed).toContain(
      "new podlumi.GlobalVolume",
    );
  },
);

testLong(
  "where the engine is called by its path, and the program lies elsewhere, the state is asked all the same",
  async () => {
    const archive = volume
      .replace('"data"', '"archive"')
      .replace(" });", ' }, { aliases: [{ name: "data" }] });');
    await dev.up(volume);
    const id = idOf(volumes());
    await dev.up(archive);
    dev.declare(archive, volume.replace("20", "30"));
    const [engine = ""] = (process.env.PATH ?? "")
      .split(":")
      .filter((folder) => folder.includes("/podlumi/engine/"));
    const ended = await dev.run(`${engine}/pulumi`, ["up", "--yes", "--skip-preview", "--non-interactive"], {
      PATH: (process.env.PATH ?? "")
        .split(":")
        .filter((folder) => folder !== engine)
        .join(":"),
    });
    expect(ended).toMatchObject({ ok: true });
    expect(volumes()).toHaveLength(2);
    expect(volumes()).toContainEqual(expect.objectContaining({ id, size: 20 }));
  },
);

testLong("a copy that somebody made of a pod is neither swept nor taken for a twin", async () => {
  emulator.faults.add({
    match: { method: "POST", path: "/pods" },
    when: "before",
    what: { status: 504 },
    times: 1,
  });
  await dev.up(pod);
  const [made] = pods();
  const copy = (name: string) =>
    emulator.service.pods.create({
      name,
      image: "org/app:1",
      gpu: { id: "NVIDIA L4", count: 1 },
      env: { ...made?.env },
    }).id;
  const copies = [copy("experiment-of-anna"), copy(String(made?.name))];
  expect((await dev.pulumi("preview")).printed).not.toMatch(/deletes the pod/);
  await dev.up(pod);
  expect((await sweep("dev")).printed).toMatch(/^left +Pod experiment-of-anna /m);
  expect(pods().map(({ id }) => id)).toEqual(expect.arrayContaining(copies));
});

testLong(
  "a run after a kill finds what a lagging list does not show yet, also where the machine's clock is behind",
  async () => {
    clock.pass(3_600_000);
    dev.declare(pod);
    await killedUp({ method: "POST", path: "/pods" });
    await new Promise((tick) => setTimeout(tick, 200));
    const id = idOf(pods());
    await dev.elsewhere();
    emulator.faults.add({
      match: { method: "GET", path: "/pods" },
      when: "before",
      what: { answer: { status: 200, body: { pods: [] } } },
    });
    setTimeout(() => emulator.faults.clear(), 12_000);
    expect(await up()).toMatchObject({ ok: true });
    expect(pods()).toMatchObject([{ id }]);
  },
);

testLong("a volume that reads do not show right after it was made stays in the state", async () => {
  await dev.up(volume.replace("{ size", '{ name: "datasets", size'));
  emulator.faults.add({ match: { method: "GET" }, when: "before", what: { lag: 20_000 } });
  setTimeout(() => emulator.faults.clear(), 10_000);
  const refreshed = await dev.pulumi("refresh", "--yes", "--skip-preview");
  expect(refreshed.printed).not.toMatch(/deleted/);
  expect((await dev.pulumi("stack", "export")).printed).toContain(idOf(volumes()));
});

test("an interrupted adoption is told of by the name that it gave", async () => {
  const { id } = emulator.service.pods.create({
    name: "trainer",
    image: "org/app:1",
    gpu: { id: "NVIDIA L4", count: 1 },
  });
  dev.declare(
    'new podlumi.Pod("web", { name: "web", image: "org/app:1", gpu: { id: "NVIDIA L4" }, adopt: { name: "trainer" } });',
  );
  await patch(emulator, `pods/${id}`, { name: "web" });
  expect((await dev.pulumi("preview")).printed).toContain(`write adopt: "${id}"`);
});

describe("a stack whose state is a copy of another one's", () => {
  const named = 'new podlumi.NetworkVolume("data", { name: "datasets", size: 20, dataCenter: "EU-RO-1" });';

  /** Imports the state of dev into qa, with the URNs of qa, or by force with those of dev. */
  const copy = async (...force: string[]) => {
    const { printed } = await dev.pulumi("stack", "export", "--stack", "dev");
    const urns = force.length > 0 ? printed : printed.replaceAll("urn:pulumi:dev::", "urn:pulumi:qa::");
    dev.file("state.json", urns);
    await dev.pulumi("stack", "init", "qa");
    await dev.pulumi("stack", "import", "--stack", "qa", "--file", "state.json", ...force);
  };

  const ways: [string, string[]][] = [
    ["with the URNs of its stack", []],
    ["by force, with those of the other", ["--force"]],
  ];
  test.each(runsAll ? ways : ways.slice(0, 1))(
    "deletes nothing that the other has: imported %s",
    async (_title, force) => {
      await dev.up(named, pod);
      await copy(...force);
      const destroyed = await dev.pulumi("destroy", "--yes", "--skip-preview", "--stack", "qa");
      expect(destroyed).toMatchObject({
        ok: false,
        printed: expect.stringMatching(
          /the state of the stack \S+\/dev has the .*, too.*\[PODLUMI-HELD-TWICE\]/,
        ),
      });
      expect([...volumes(), ...pods()]).toHaveLength(2);
      expect(await dev.pulumi("destroy", "--yes", "--skip-preview", "--stack", "dev")).toMatchObject({
        ok: true,
      });
      expect(emulator.service.isEmpty()).toBe(true);
    },
  );
});

describe("what the program begins to read (`get`) in place of declaring it", () => {
  const others: [string, string, string, string][] = [
    ["with another provider", 'const lab = new podlumi.Provider("lab");', "podlumi", ", { provider: lab }"],
    ["with the other face", "", `require("${onPlugin ? "podlumi" : "podlumi/plugin"}")`, ""],
  ];
  test.each(runsAll ? others : others.slice(0, 1))(
    "is not deleted: %s",
    async (_title, provider, face, more) => {
      dev.environment.PATH = [resolve("dist/plugin"), process.env.PATH].join(delimiter);
      await dev.up(volume);
      const id = idOf(volumes());
      dev.declare(provider, `${face}.NetworkVolume.get("archive", "${id}"${more});`);
      expect((await up()).printed).toMatch(
        /could not delete .* the program reads it .*\[PODLUMI-STILL-READ\]/,
      );
      expect(volumes()).toMatchObject([{ id }]);
    },
  );
});
