import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Emulator } from "../../sdk/emulator/service";
import { CommandLine } from "./cli";

const cli = new CommandLine();
let emulator: Emulator;
let id: string;
beforeAll(async () => {
  emulator = await cli.emulate();
  const gpu = { id: "NVIDIA GeForce RTX 4090", count: 1 };
  const ports = ["22/tcp"];
  id = emulator.service.pods.create({ name: "notebook", image: "org/app:1", gpu, ports, startSsh: true }).id;
  emulator.service.pods.create({ name: "closed", image: "org/app:1", gpu, ports: [], startSsh: true });
  // Stands for ssh: tells its arguments, and ends with a code of its own.
  writeFileSync(join(cli.folder, "ssh"), '#!/bin/sh\necho "$@"\nexit 3\n');
  chmodSync(join(cli.folder, "ssh"), 0o755);
  cli.env.PATH = `${cli.folder}${delimiter}${process.env.PATH}`;
});
afterAll(() => cli.close());

const json = async (...args: string[]) => JSON.parse((await cli.run(...args, "--json")).out);

test("GPU types come with price and stock, the cheapest first, and those in data centers too", async () => {
  const all = await json("gpus");
  expect(all.length).toBeGreaterThan(20);
  const prices = all.map(({ price }: { price: { secure: number } }) => price.secure);
  expect(prices).toEqual([...prices].sort((a, b) => a - b));
  const { out } = await cli.run("gpus", "--for", "serverless");
  expect(out).toMatch(/^NVIDIA L4 +24 +AMPERE_24 +0\.36 +HIGH +\d+$/m);
  expect(Math.max(...out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(120);
  const one = await cli.run("gpus", "NVIDIA H200 NVL");
  expect(one.out).toMatch(
    /^NVIDIA H200 NVL .* HIGH +2\n\nDATA CENTER +STOCK\nUS-GA-1 +HIGH\nEU-FR-1 +HIGH\n$/m,
  );
  expect(await json("gpus", "NVIDIA H200 NVL")).toEqual([expect.objectContaining({ id: "NVIDIA H200 NVL" })]);
  expect((await cli.run("gpus", "H200 NVL")).err).toContain('did you mean "NVIDIA H200 NVL"?');
  emulator.service.capacity.set({ gpu: "NVIDIA L4", free: 0 });
  expect((await cli.run("gpus")).out).not.toMatch(/^NVIDIA L4 /m);
  expect((await cli.run("gpus", "--all")).out).toMatch(/^NVIDIA L4 .* NONE +\d+$/m);
  const places = await json("datacenters", "--gpu", "NVIDIA H200 NVL");
  expect(places.map(({ id }: { id: string }) => id)).toEqual(["US-GA-1", "EU-FR-1"]);
  expect((await cli.run("datacenters", "--gpu", "NVIDIA H200 NVL")).out).toMatch(
    /STOCK\nUS-GA-1 .* HIGH\nEU-FR-1 .* HIGH\n$/,
  );
  expect((await cli.run("datacenters")).out).toMatch(
    /^EU-RO-1 +EUROPE +STANDARD HIGH_PERFORMANCE +yes +\d+$/m,
  );
  const misspelt = await cli.run("datacenters", "--gpu", "NVIDIA L44");
  expect(misspelt).toMatchObject({ code: 1, err: expect.stringContaining('did you mean "NVIDIA L4"') });
});

test("GPU types of data centers come with the stock of these alone", async () => {
  const inRomania = ["--data-center", "EU-RO-1"];
  const all = await json("gpus", ...inRomania);
  expect(all.length).toBeGreaterThan(0);
  for (const { dataCenters } of all) expect(dataCenters).toMatchObject([{ id: "EU-RO-1" }]);
  const gpu = all[0].id;
  emulator.service.capacity.set({ gpu, dataCenter: "EU-RO-1", free: 0 });
  expect((await json("gpus", ...inRomania)).map(({ id }: { id: string }) => id)).not.toContain(gpu);
  expect((await cli.run("gpus", gpu, ...inRomania)).out).toMatch(/ NONE +0\n$/);
  const { out } = await cli.run("gpus", "NVIDIA H200 NVL", ...inRomania, "--data-center", "EU-FR-1");
  expect(out).toMatch(/ HIGH +1\n\nDATA CENTER +STOCK\nEU-FR-1 +HIGH\n$/);
  expect(await cli.run("gpus", "--data-center", "EU-RO-2")).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^podlumi: the catalog has no data center "EU-RO-2"; did you mean "EU-RO-1"/),
  });
});

test("CPU flavors come with the price of a container, the cheapest first, and those in data centers too", async () => {
  const { out } = await cli.run("cpus", "--vcpus", "8");
  const [heading, ...rows] = out.trimEnd().split("\n");
  expect(heading).toMatch(/^ID +NAME +VCPUS +GB +\$\/H +STOCK +DATA CENTERS$/);
  expect(rows[0]).toMatch(/^cpu3c +Compute-Optimized +2 to 32 +16 +0\.16 +HIGH +23$/);
  expect(rows).toHaveLength(6);
  expect((await cli.run("cpus", "--for", "serverless")).out).toMatch(/^cpu3c .* 4 +0\.05 +HIGH +23$/m);
  const one = await cli.run("cpus", "cpu3c", "--data-center", "EU-RO-1", "--data-center", "EU-FR-1");
  expect(one.out).toMatch(/^cpu3c .* HIGH +2\n\nDATA CENTER +STOCK\nEU-RO-1 +HIGH\nEU-FR-1 +HIGH\n$/m);
  emulator.service.capacity.set({ cpu: "cpu3c", dataCenter: "EU-RO-1", free: 0 });
  const ids = (all: { id: string }[]) => all.map((cpu) => cpu.id);
  expect(ids(await json("cpus", "--data-center", "EU-RO-1"))).not.toContain("cpu3c");
  expect(ids(await json("cpus", "--data-center", "EU-RO-1", "--all"))).toContain("cpu3c");
  expect((await cli.run("cpus", "--vcpus", "64")).out).toBe("no CPU flavor has stock for this\n");
  expect((await cli.run("cpus", "cpu3c", "--vcpus", "64")).out).toMatch(/ 2 to 32 +NONE +0\n$/);
  expect((await cli.run("cpus", "--vcpus", "6")).err).toContain("It must be a power of two");
  expect(await cli.run("cpus", "cpu3d")).toMatchObject({
    code: 1,
    err: expect.stringContaining('did you mean "cpu3c"'),
  });
});

test("ssh takes a pod by its name or its id, runs a command in it, and ends with its code", async () => {
  const { port, username, host } = await json("ssh", "notebook");
  const where = `-p ${port} -- ${username}@${host}`;
  expect(await cli.spawn(["ssh", "notebook", "-i", "key", "--", "nvidia-smi", "-L"]).ended).toEqual({
    code: 3,
    out: `-i key ${where} nvidia-smi -L\n`,
    err: "",
  });
  expect((await cli.run("ssh", id, "--print")).out).toBe(`ssh ${where}\n`);
  const pasted = await cli.run("ssh", id, "--print", "--", "echo it's; ls $HOME");
  expect(pasted.out).toBe(`ssh ${where} 'echo it'\\''s; ls $HOME'\n`);
  expect((await cli.run("ssh", "closed", "--print")).out).toContain("@ssh.runpod.io");
  const refused = await cli.run("ssh", "closed", "--", "ls");
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("expose 22/tcp") });
});

test.each([
  ["a user that is an option", { username: "-oProxyCommand=id" }, "--print"],
  ["a host that is an option", { host: "-oProxyCommand=id" }, "--json"],
  ["a port that is no number", { port: "22 -v" }, "-i=key"],
])("ssh takes no address from a response with %s", async (_what, wrong, option) => {
  const way = { host: "203.0.113.7", port: 22, username: "root", command: "", ...wrong };
  const body = { ...emulator.service.pods.get(id), status: "RUNNING", ssh: { proxy: null, direct: way } };
  const match = { interface: "rest", path: `/pods/${id}` } as const;
  const fault = emulator.faults.add({
    match,
    when: "before",
    what: { answer: { status: 200, body } },
    times: 0,
  });
  const { code, out, err } = await cli.run("ssh", id, option);
  emulator.faults.remove(fault);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toContain("its address for SSH is no user, host and port");
});

test.each([
  ["STARTING", "wait until it runs"],
  ["EXITED", "start it first"],
])("ssh to a pod that is %s says: %s", async (status, next) => {
  const { id, ...pod } = emulator.service.pods.list().find(({ name }) => name === "notebook") ?? { id: "" };
  const fault = emulator.faults.add({
    match: { method: "GET", path: `/pods/${id}` },
    when: "before",
    what: { answer: { status: 200, body: { ...pod, id, status } } },
    times: 0,
  });
  const { code, err } = await cli.run("ssh", id);
  emulator.faults.remove(fault);
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringContaining(`(${id}) is ${status} and has no address for SSH: ${next}`),
  });
});

describe("the name of a resource", () => {
  const gpu = { id: "NVIDIA GeForce RTX 4090", count: 1 };
  const made = (stack: string, name: string) => {
    const env = {
      PODLUMI_MARK: `${stack} Pod::lab 70b3f2-5e6a1b9c0d2f-9f31c2d-04be1a7-8c1f04a-1 2026-11-01T10:00:00Z`,
    };
    return emulator.service.pods.create({
      name,
      image: "org/app:1",
      gpu,
      env,
      ports: ["22/tcp"],
      startSsh: true,
    });
  };
  let prod: string;
  let dev: string;
  beforeAll(() => {
    prod = made("shop/prod", "lab-5e6a1").id;
    dev = made("shop/dev", "lab-70b3f").id;
  });
  afterAll(() => emulator.service.pods.delete(prod));
  const selected = (name: string) =>
    cli.pulumi(`echo '[{ "name": "organization/shop/${name}", "current": true }]'`);

  test("means that of the selected stack, or of the one that is given", async () => {
    selected("dev");
    expect((await cli.run("ssh", "lab", "--print")).err).toBe(
      `podlumi: lab is the pod lab-70b3f (${dev}) of shop/dev\n`,
    );
    expect((await cli.run("ssh", "lab", "--print", "--stack", "shop/prod")).err).toBe(
      `podlumi: lab is the pod lab-5e6a1 (${prod}) of shop/prod\n`,
    );
  });

  test("of another stack than the selected one is no guess", async () => {
    selected("test");
    expect(await cli.run("ssh", "lab", "--print")).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining('no pod "lab" of shop/test: give --stack, such as '),
    });
  });

  test("outside of a project may be that of any stack, and is none where there are several", async () => {
    cli.pulumi("exit 1");
    expect((await cli.run("ssh", "lab", "--print")).err).toMatch(
      /"lab" may be the pod .* of shop\/prod, or the pod .* of shop\/dev: give the id/,
    );
    emulator.service.pods.delete(dev);
    expect((await cli.run("ssh", "lab", "--print")).err).toContain(`(${prod}) of shop/prod`);
  });
});

test("a shell completes commands, their options and their choices", async () => {
  const { out } = await cli.run("completion", "bash");
  const complete = (...words: string[]) =>
    execFileSync(
      "bash",
      [
        "-c",
        `${out}\nCOMP_WORDS=(${words.join(" ")} ""); COMP_CWORD=${words.length}; _podlumi; echo "\${COMPREPLY[@]}"`,
      ],
      { encoding: "utf8" },
    ).trim();
  expect(complete("podlumi").split(" ")).toEqual(expect.arrayContaining(["gpus", "sweep", "emulator"]));
  expect(complete("podlumi", "sweep").split(" ")).toEqual(expect.arrayContaining(["--stack", "--yes"]));
  expect(complete("podlumi", "completion")).toContain("bash zsh fish");
  expect(complete("podlumi", "jobs").split(" ")).toEqual(expect.arrayContaining(["run", "purge"]));
  expect(complete("podlumi", "jobs", "run").split(" ")).toEqual(
    expect.arrayContaining(["--webhook", "--wait"]),
  );
  expect(complete("podlumi", "ls").split(" ")).toEqual(expect.arrayContaining(["NetworkVolume", "--json"]));
  expect(complete("podlumi", "sweep", "--kind").split(" ")).toEqual(
    expect.arrayContaining(["Pod", "Secret"]),
  );
  expect(complete("podlumi", "bills", "pods", "--by")).toBe("hour day week month year");
  expect(complete("podlumi", "emulator").split(" ")).toEqual(
    expect.arrayContaining(["--port", "--fast", "--no-account", "--seed"]),
  );
  // A file: the shell completes it.
  expect(complete("podlumi", "generate", "--out")).toBe("");
  expect(complete("podlumi", "emulator", "--seed")).toBe("");
  const fish = (await cli.run("completion", "fish")).out;
  expect(fish).toContain("-l older-than");
  expect(fish).toContain(
    "'__fish_seen_subcommand_from jobs; and __fish_seen_subcommand_from run' -l webhook",
  );
  expect(fish).toMatch(/'__fish_seen_subcommand_from bills' -l by .* -r -f -a 'hour day week month year'$/m);
});

/** What a shell offers after a text, by its own code. Outside of its line editor, zsh offers all and leaves the choice to that. */
const offers: Record<string, (script: string, text: string) => string> = {
  fish: (script, text) => `${script}\ncomplete -C '${text}'`,
  zsh: (script, text) =>
    `compdef() { :; }; compadd() { print -rl -- $matches; matches=() }; _default() { print files }\n${script}\n` +
    `words=("\${(@s: :)\${:-${text}}}"); CURRENT=$#words; _bash_complete -o default -F _podlumi`,
};
const isInstalled = (shell: string) => spawnSync(shell, ["-c", "exit"]).status === 0;

for (const [shell, program] of Object.entries(offers)) {
  (isInstalled(shell) ? test : test.skip)(`${shell} itself completes them by its script`, async () => {
    const { out } = await cli.run("completion", shell);
    const offered = (text: string) =>
      execFileSync(shell, ["-c", program(out, text)], { encoding: "utf8", cwd: cli.folder })
        .split("\n")
        .map((line) => line.split("\t", 1)[0]);
    expect(offered("podlumi sw")).toContain("sweep");
    expect(offered("podlumi jobs run --w")).toEqual(expect.arrayContaining(["--wait", "--webhook"]));
    expect(offered("podlumi jobs r")).toContain("run");
    expect(offered("podlumi jobs run p")).not.toContain("purge");
    expect(offered("podlumi ls N")).toContain("NetworkVolume");
    expect(offered("podlumi bills --by d")).toContain("day");
    expect(offered("podlumi generate --out ")).toContain(shell === "zsh" ? "files" : "ssh");
  });
}
