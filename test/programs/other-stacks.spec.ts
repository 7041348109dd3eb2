import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runsAll } from "../engine/runs-all";
import { send } from "../harness/account";
import { emulator, newProject } from "../harness/emulated";
import { typeOfKind } from "../harness/face";
import { testLong } from "../harness/long";
import { Project } from "../harness/project";
import { dev, idOf, killedUp, pod, pods, sweep, up, volume, volumes } from "./dev-stack";

// An object that the state of another stack has, or that another stack adopts.

const urnOfVolume = `urn:pulumi:dev::specification::${typeOfKind("NetworkVolume")}::data`;

test("what `pulumi state move` took to another stack is neither taken over nor swept nor called an orphan", async () => {
  await dev.up(volume, pod);
  const id = idOf(volumes());
  await dev.pulumi("stack", "init", "shared");
  await dev.moveState(urnOfVolume, "dev", "shared");
  await dev.pulumi("stack", "select", "dev");
  expect((await sweep("dev")).printed).toMatch(/nothing to delete/);
  const list = async (stack: string) =>
    (await dev.podlumi("ls", "volumes", "--stack", `specification/${stack}`)).printed;
  expect(await list("dev")).toMatch(new RegExp(`${id} .* in the state of specification/shared$`, "m"));
  expect(await list("shared")).toMatch(new RegExp(`${id} .* in the state$`, "m"));
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

testLong(
  "what `pulumi state move` took to a stack of another project is deleted with that, named without its project",
  async () => {
    const shop = await newProject("unused");
    shop.environment.PULUMI_BACKEND_URL = dev.environment.PULUMI_BACKEND_URL;
    const settings = readFileSync(join(shop.folder, "Pulumi.yaml"), "utf8");
    shop.file("Pulumi.yaml", settings.replace("name: specification", "name: shop"));
    shop.declare();
    await shop.pulumi("stack", "init", "dev");
    await dev.up(volume, 'new podlumi.Template("base", { image: "org/app:1" });');
    const from = ["--source", "organization/specification/dev", "--dest", "organization/shop/dev"];
    await dev.pulumi("state", "move", ...from, urnOfVolume, "--yes");
    const { ok, printed } = await shop.pulumi("destroy", "--yes", "--skip-preview", "--stack", "dev");
    expect({ ok, printed }).toMatchObject({ ok: true });
    expect(volumes()).toEqual([]);
  },
);

test("what was created from a template, and `pulumi state move` took to another stack, is named where it keeps the template in use", async () => {
  const template =
    'const base = new podlumi.Template("base", { serverless: true, image: "org/app:1", deleteTimeout: 1 });';
  await dev.up(
    template,
    `new podlumi.ServerlessEndpoint("api", { templateId: base.id, image: "org/app:2", type: "QUEUE", gpu: { pools: ["ADA_24"] },
      scaling: { type: "QUEUE_DELAY", queueDelay: 4 } });`,
  );
  const id = idOf(emulator.service.endpoints.list());
  await dev.pulumi("stack", "init", "shared");
  await dev.moveState(
    `urn:pulumi:dev::specification::${typeOfKind("ServerlessEndpoint")}::api`,
    "dev",
    "shared",
  );
  const { printed } = await dev.pulumi("destroy", "--yes", "--skip-preview", "--stack", "dev");
  expect(printed).toMatch(
    new RegExp(`It is used by endpoint .*\\(${id}\\), which was created from it\\. Delete that first`),
  );
});

const heldByShared = {
  ok: false,
  printed: expect.stringMatching(/\/shared has the network volume .*\[PODLUMI-HELD-TWICE\]/),
};

/** `dev` gets its state back as it was before `pulumi state move` took its volume to another stack. */
async function haveOlderState(): Promise<void> {
  await dev.up(volume);
  const older = (await dev.pulumi("stack", "export")).printed;
  await dev.pulumi("stack", "init", "shared");
  await dev.moveState(urnOfVolume, "dev", "shared");
  dev.file("older.json", older);
  await dev.pulumi("stack", "import", "--stack", "dev", "--file", "older.json");
}

test("what `pulumi state move` took to another stack is not deleted by an older state of this one", async () => {
  await haveOlderState();
  const destroy = () => dev.pulumi("destroy", "--yes", "--skip-preview", "--stack", "dev");
  expect(await destroy()).toMatchObject(heldByShared);
  await dev.pulumi("state", "delete", urnOfVolume, "--stack", "dev", "--yes");
  expect(await destroy()).toMatchObject({ ok: true });
  expect(volumes()).toHaveLength(1);
});

test("what `pulumi state move` took to another stack is not deleted by an up with an older state of this one either, however long that has lasted", async () => {
  await haveOlderState();
  await dev.pulumi("stack", "select", "dev");
  emulator.faults.add({
    match: { method: "POST", path: "/pods" },
    when: "before",
    what: { delay: 4_000 },
    times: 1,
  });
  dev.declare(pod);
  expect(await up()).toMatchObject(heldByShared);
  expect(volumes()).toHaveLength(1);
});

test("a volume of another project is not adopted where a variable narrows what Pulumi lists", async () => {
  const named = volume.replace("{", '{ name: "datasets",');
  await dev.up(named);
  const id = idOf(volumes());
  const other = new Project(emulator, {
    PULUMI_BACKEND_URL: String(dev.environment.PULUMI_BACKEND_URL),
    PULUMI_OPTION_PROJECT: "other",
  });
  try {
    other.inline = true;
    const settings = readFileSync(join(other.folder, "Pulumi.yaml"), "utf8");
    other.file("Pulumi.yaml", settings.replace("specification", "other"));
    await other.pulumi("stack", "init", "dev");
    other.declare(named.replace("{", `{ adopt: "${id}",`));
    const held = { ok: false, printed: expect.stringContaining("[PODLUMI-ADOPT-HELD]") };
    expect(await other.pulumi("up", "--yes", "--skip-preview")).toMatchObject(held);
  } finally {
    other.remove();
  }
});

test("what another stack has adopted since is neither changed nor deleted by the one that created it", async () => {
  await dev.up(volume);
  const id = idOf(volumes());
  const shared = await newProject("shared");
  await shared.up(
    `new podlumi.NetworkVolume("datasets", { size: 20, dataCenter: "EU-RO-1", adopt: "${id}" });`,
  );
  dev.declare(volume.replace("20", "30"));
  const refused =
    /will not change .* now belongs to another resource, .* give this resource another logical name.*\[PODLUMI-ANOTHERS\]/;
  expect((await dev.pulumi("preview")).printed).toMatch(refused);
  expect((await up()).printed).toMatch(refused);
  expect(volumes()).toMatchObject([{ id, size: 20 }]);
  // As the error says. What depends on it would keep `pulumi state delete` from that.
  dev.declare(volume.replace('"data"', '"own"').replace("20", "30"));
  const { ok, printed } = await up();
  expect({ ok, printed }).toMatchObject({
    ok: true,
    printed: expect.stringMatching(
      /keeps the network volume "datasets-\S+" \(\w+\): by its mark, it now belongs to another resource/,
    ),
  });
  expect(volumes()).toMatchObject([{ id, size: 20 }, { size: 30 }]);
  dev.declare();
  expect(await up()).toMatchObject({ ok: true });
  expect(volumes()).toMatchObject([{ id }]);
});

test("what a killed replacement was to adopt from another stack, which lets go of it then, is named by both, and swept by neither", async () => {
  const theirs = 'new podlumi.NetworkVolume("store", { size: 30, dataCenter: "EU-CZ-1" });';
  await dev.up(volume);
  const own = idOf(volumes());
  await dev.pulumi("stack", "init", "shared");
  await dev.up(theirs);
  await dev.pulumi("stack", "select", "dev");
  const id = volumes().find((one) => one.id !== own)?.id;
  await dev.pulumi("config", "set", "podlumi:confirmDataLoss", own);
  dev.declare(`new podlumi.NetworkVolume("data", { size: 30, dataCenter: "EU-CZ-1", adopt: "${id}" });`);
  await killedUp({ method: "PATCH", path: "/network-volumes/*" });
  await dev.elsewhere();
  await dev.up(volume);
  dev.declare(theirs.replace('"store"', '"own"'));
  const there = await dev.pulumi("up", "--yes", "--skip-preview", "--stack", "shared");
  expect(there.printed).toMatch(/keeps the .* a run of \S+\/dev is adopting it, or was interrupted at that/);
  await dev.pulumi("refresh", "--yes", "--skip-preview", "--clear-pending-creates");
  expect((await sweep("dev")).printed).toMatch(
    new RegExp(`\\(${id}\\).* it got its mark by an adoption.*--adopted`, "s"),
  );
  expect(volumes().map((one) => one.id)).toContain(id);
});

test("what this stack has adopted from another one goes with it, while the state there still has it", async () => {
  await dev.up(volume);
  dev.declare(volume.replace("{", `{ adopt: "${idOf(volumes())}",`));
  await dev.pulumi("stack", "init", "shared");
  expect(await up()).toMatchObject({
    ok: true,
    printed: expect.stringMatching(/a destroy here deletes it.* \[PODLUMI-ADOPT-HELD\]/),
  });
  expect(await dev.pulumi("destroy", "--yes", "--skip-preview")).toMatchObject({ ok: true });
  expect(volumes()).toEqual([]);
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
      printed: expect.stringContaining("by its mark, it now belongs to another resource"),
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
      const advised = [...destroyed.printed.matchAll(/or here with `pulumi state delete '(\S+)'`/g)];
      for (const urn of new Set(advised.map(([, one = ""]) => one)))
        expect(await dev.pulumi("state", "delete", urn, "--yes", "--stack", "qa")).toMatchObject({
          ok: true,
        });
      expect(await dev.pulumi("destroy", "--yes", "--skip-preview", "--stack", "qa")).toMatchObject({
        ok: true,
      });
      expect([...volumes(), ...pods()]).toHaveLength(2);
      await dev.pulumi("stack", "rm", "qa", "--force", "--yes");
      expect(await dev.pulumi("destroy", "--yes", "--skip-preview", "--stack", "dev")).toMatchObject({
        ok: true,
      });
      expect(emulator.service.isEmpty()).toBe(true);
    },
  );

  const replacements: [string, string, string[]][] = [
    ["a change of the program", pod.replace("NVIDIA L4", "NVIDIA A40"), []],
    ["the command", pod, ["--replace", "**::web"]],
    ["an option", pod.replace("} });", '} }, { replacementTrigger: "2" });'), []],
  ];
  test.each(runsAll ? replacements : replacements.slice(0, 1))(
    "creates nothing in place of what the other has: replaced by %s",
    async (_by, replacing, options) => {
      await dev.up(pod.replace("} });", '} }, { replacementTrigger: "1" });'));
      await copy();
      dev.declare(replacing);
      for (const command of [["preview"], ["up", "--yes", "--skip-preview"]])
        expect(await dev.pulumi(...command, "--stack", "qa", ...options)).toMatchObject({
          ok: false,
          printed: expect.stringMatching(
            /will not replace pod "web-\S+" .*\/dev has .*\[PODLUMI-HELD-TWICE\]/,
          ),
        });
      expect(pods()).toHaveLength(1);
    },
  );
});

test.each(["a destroy", "an up without it"])(
  "%s of the stack with a secret tells which pod of another stack still refers to it",
  async (by) => {
    const secret = 'new podlumi.Secret("hf", { name: "hf", value: "VALUE-OF-SECRET" });';
    await dev.up(secret);
    const apps = await newProject("apps");
    const web = pod.replace("image:", 'env: { HF_TOKEN: "{{ RUNPOD_SECRET_hf }}" }, image:');
    await apps.up(web);
    dev.declare();
    const { ok, printed } = by === "a destroy" ? await dev.pulumi("destroy", "--yes") : await up();
    expect({ ok, printed }).toMatchObject({
      ok: true,
      printed: expect.stringMatching(
        /the secret is deleted, and pod "web-\S+" \(\w+\) still refers to it: .* \[PODLUMI-STILL-USED\]/,
      ),
    });
  },
);
