import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { clock, emulator } from "../harness/emulated";
import { typeOfKind } from "../harness/face";
import { dev, idOf, killedUp, pod, pods, sweep, volume, volumes } from "./dev-stack";

// `sweep --stack` with real states.

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
test.each(["dev", "prod"])(
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
      printed: expect.stringMatching(
        /left +NetworkVolume .*: it is in the state of specification\/(dev|prod)/,
      ),
    });
    expect(volumes()).toHaveLength(1);
  },
);

test("after a rename of the stack, its old name sweeps nothing, and the new one finds what is lost", async () => {
  await dev.up(volume);
  dev.declare(volume, pod);
  await killedUp({ method: "POST", path: "/pods" });
  const lost = idOf(pods());
  await dev.elsewhere();
  await dev.pulumi("stack", "rename", "prod");
  const old = await sweep("specification/dev");
  expect(old.printed).toMatch(/leaves out the Pod web-\S+ .*: another stack has the provider in its mark/);
  expect(volumes()).toHaveLength(1);
  expect(pods()).toHaveLength(1);
  const found = await sweep("specification/prod");
  expect(found).toMatchObject({ ok: true, printed: expect.stringContaining(`(${lost})`) });
  expect(found.printed).toContain("If an `up` runs now, it may be creating what follows");
  expect(volumes()).toHaveLength(1);
  expect(pods()).toEqual([]);
});

test("two providers of one program are one stack to the sweep", async () => {
  const lab = 'const lab = new podlumi.Provider("lab");';
  await dev.up(lab, volume, pod.replace(" });", " }, { provider: lab, retainOnDelete: true });"));
  await dev.up(lab, volume);
  expect(await sweep("dev")).toMatchObject({ ok: true });
  expect(pods()).toEqual([]);
  expect(volumes()).toHaveLength(1);
});

test("a copy that somebody made of a pod is neither swept nor taken for a twin", async () => {
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
  clock.pass(3_600_000);
  const copies = [copy("experiment-of-anna"), copy(String(made?.name))];
  expect((await dev.pulumi("preview")).printed).not.toMatch(/deletes the pod/);
  await dev.up(pod);
  expect((await sweep("dev")).printed).toMatch(/^left +Pod experiment-of-anna /m);
  expect(pods().map(({ id }) => id)).toEqual(expect.arrayContaining(copies));
});
