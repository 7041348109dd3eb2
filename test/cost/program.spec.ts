import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { costCommand } from "../../sdk/cli/commands/cost";
import { type Emulator, startEmulator } from "../../sdk/emulator/service";
import { fast } from "../harness/account";
import { describeLong, testLong } from "../harness/long";
import { Project } from "../harness/project";

let emulator: Emulator;
const before = { ...process.env };
const folder = mkdtempSync(join(tmpdir(), "podlumi-cost-"));

beforeAll(async () => {
  emulator = await startEmulator({ ...fast, apiKey: "rpa_COST_0123456789" });
  Object.assign(process.env, emulator.env);
});
afterAll(async () => {
  process.env = before;
  rmSync(folder, { recursive: true });
  await emulator.close();
});

/** The number of price look-ups: each also lists CPUs, and nothing else here does. */
const asked = () => emulator.requests.filter(({ path }) => path === "/v2/catalog/cpus").length;

describe("in a program", () => {
  let project: Project;

  beforeAll(async () => {
    project = new Project(emulator);
    await project.pulumi("stack", "init", "test");
  });
  afterAll(() => project.remove());

  const program = [
    'const data = new podlumi.NetworkVolume("data", { size: 100, dataCenter: "EU-RO-1" });',
    'const places = [{ gpu: { id: "NVIDIA GeForce RTX 4090" } }, { gpu: { id: "NVIDIA H200" } }];',
    'const mounts = { network: [{ volumeId: data.id, path: "/data" }] };',
    'const pod = new podlumi.Pod("pod", { image: "org/pod:1", placements: places, mounts });',
    'const later = new podlumi.NetworkVolume("later", { size: data.id.apply(() => 10), dataCenter: "EU-RO-1" });',
  ];
  const costs = [
    "exports.pod = pod.estimatedCost.hourly;",
    "exports.total = podlumi.totalCost(data, pod).hourly;",
    "exports.later = later.estimatedCost.why;",
  ];

  test("nobody asks for prices who reads no estimate; a preview knows from the cheapest to the dearest place", async () => {
    project.declare(...program);
    await project.pulumi("preview");
    expect(asked()).toBe(0);
    project.declare(...program, ...costs);
    const { printed } = await project.pulumi("preview");
    expect(asked()).toBe(1);
    expect(printed).toMatch(/pod *: \{\s*atLeast: 0\.24\s*atMost *: 1\.41\s*\}/);
    expect(printed).toMatch(/total *: \{\s*atLeast: 0\.249589\s*atMost *: 1\.429178\s*\}/);
    expect(printed).toMatch(/later *: \[unknown\]/);
  });

  testLong("an estimate that cannot be had stops no preview, and says why", async () => {
    project.declare(...program, "exports.why = pod.estimatedCost.why;");
    project.environment.RUNPOD_API_KEY = "";
    const { ok, printed } = await project.pulumi("preview");
    project.environment.RUNPOD_API_KEY = emulator.env.RUNPOD_API_KEY;
    expect(ok).toBe(true);
    expect(printed).toMatch(/why *: "prices of the catalog: no API key: /);
  });

  testLong("after `up` it is the place that the pod has, with what the service chose", async () => {
    project.declare(...program, ...costs);
    await project.pulumi("up", "--yes", "--skip-preview");
    const { printed } = await project.pulumi("stack", "output", "--json");
    expect(JSON.parse(printed)).toEqual({
      pod: { atLeast: 0.24274, atMost: 0.24274 },
      total: { atLeast: 0.252329, atMost: 0.252329 },
      later: "10 GB of STANDARD storage",
    });
  });
});

describe("a pod with placements", () => {
  let project: Project;

  beforeAll(async () => {
    project = new Project(emulator);
    project.inline = true;
    await project.pulumi("stack", "init", "placed");
  });
  afterAll(() => project.remove());

  const program = (image: string, ...gpus: string[]) => [
    `const placements = ${JSON.stringify(gpus.map((id) => ({ gpu: { id } })))};`,
    `const pod = new podlumi.Pod("placed", { image: "${image}", disk: 20, placements });`,
    `exports.text = pod.estimatedCost.hourly.apply((usd) => "${image} " + usd.atLeast + " to " + usd.atMost);`,
  ];
  const previewed = async (...lines: string[]) => {
    project.declare(...lines);
    const { printed } = await project.pulumi("preview");
    return printed;
  };

  test("costs in the preview of a change what its place costs, and a range where the change moves it", async () => {
    await project.up(...program("org/pod:1", "NVIDIA L4", "NVIDIA H200"));
    const there = "org/pod:2 0.24274 to 0.24274";
    for (const gpus of [
      ["NVIDIA L4", "NVIDIA H200"],
      ["NVIDIA H200", "NVIDIA L4"],
    ])
      expect(await previewed(...program("org/pod:2", ...gpus))).toContain(there);
    expect(await previewed(...program("org/pod:2", "NVIDIA A40", "NVIDIA H200"))).toMatch(
      /org\/pod:2 0\.\d+ to 1\.\d+/,
    );
  });
});

describeLong("podlumi cost", () => {
  let project: Project;
  const pod = (gpu: string) =>
    `const pod = new podlumi.Pod("pod", { image: "org/pod:1", disk: 10, gpu: { id: "${gpu}" } });`;
  const data = 'const data = new podlumi.NetworkVolume("data", { size: 100, dataCenter: "EU-RO-1" });';

  const written = async (...command: string[]): Promise<string> => {
    const file = join(folder, "file.json");
    const { printed } = await project.pulumi(...command);
    writeFileSync(file, printed);
    return file;
  };

  beforeAll(async () => {
    project = new Project(emulator);
    await project.pulumi("stack", "init", "test");
    project.declare(data, pod("NVIDIA L4"));
    await project.pulumi("up", "--yes", "--skip-preview");
  });
  afterAll(() => project.remove());

  test("tells what a stack costs", async () => {
    expect(await costCommand(await written("stack", "export"))).toBe(
      [
        "NAME   KIND           USD/HOUR  USD/MONTH",
        "data   NetworkVolume    0.0096       7.00",
        "pod    Pod              0.2414     176.20",
        "total                   0.2510     183.20",
        "",
        "By list prices; a month has 730 hours.",
      ].join("\n"),
    );
  });

  test("tells what a preview leads to, what there is before, and what the file leaves out", async () => {
    project.declare(
      data,
      pod("NVIDIA H200"),
      'new podlumi.NetworkVolume("copy", { size: pod.id.apply(() => 10), dataCenter: "EU-RO-1" });',
      'new podlumi.Pod("dream", { image: "org/pod:1", gpu: { id: "NVIDIA X1" } });',
    );
    const file = await written("preview", "--json");
    await expect(costCommand(file)).resolves.toContain("Not in the file: 1 unchanged; ");
    expect((await costCommand(await written("preview", "--json", "--show-sames"))).split("\n")).toEqual([
      "NAME    KIND           USD/HOUR  USD/MONTH",
      "copy    NetworkVolume         ?          ?",
      "data    NetworkVolume    0.0096       7.00",
      "dream   Pod                   ?          ?",
      "pod     Pod              1.4114    1030.30",
      "total                    1.4210    1037.30",
      "before                   0.2510     183.20",
      "",
      "copy is not in the total: size is not known before `pulumi up`.",
      'dream is not in the total: the catalog has no price of "NVIDIA X1" in the SECURE cloud.',
      "By list prices; a month has 730 hours.",
    ]);
  });

  test("takes no preview that failed: it has no steps after the error", async () => {
    project.declare(pod("NVIDIA L4"), 'new podlumi.Secret("token", { valeu: "hf_123" });');
    const file = await written("preview", "--json");
    await expect(costCommand(file)).rejects.toThrow(/of a preview that failed, so it lacks resources/);
  });

  testLong("says of a preview what is open before the `up`, as the tier of a volume", async () => {
    project.declare(
      'new podlumi.NetworkVolume("open", { size: 80, dataCenter: "EU-RO-1" });',
      'new podlumi.Pod("bare", { image: "org/pod:1", gpu: { id: "NVIDIA L4" } });',
    );
    const report = await costCommand(await written("preview", "--json"));
    expect(report).toMatch(/^open +NetworkVolume +0\.0077 – 0\.0153 +5\.60 – 11\.20$/m);
    expect(report).toContain(
      [
        "The cost of bare is open: 1 × NVIDIA L4 at 0.24 USD an hour, without its container disk, whose size is not known yet.",
        "The cost of open is open: 80 GB of STANDARD storage or 80 GB of HIGH_PERFORMANCE storage.",
      ].join("\n"),
    );
  });

  test("says what it takes instead of a file that it cannot read", async () => {
    const file = join(folder, "other.json");
    const how =
      "run `pulumi stack export | npx podlumi cost` in the folder of the project, or give a file that";
    writeFileSync(file, "Previewing update");
    await expect(costCommand(file)).rejects.toThrow(`${file} holds no JSON: ${how}`);
    writeFileSync(file, "[]");
    await expect(costCommand(file)).rejects.toThrow(`${file} is neither a stack nor a preview: ${how}`);
    writeFileSync(file, '{"changeSummary":null,"steps":null}');
    await expect(costCommand(file)).rejects.toThrow(`${file} is neither a stack nor a preview: ${how}`);
  });
});
