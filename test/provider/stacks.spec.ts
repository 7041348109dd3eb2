import childProcess, { type ChildProcess, execFileSync } from "node:child_process";
import { EventEmitter } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inTime } from "../../provider/client/clock";
import { Command } from "../../provider/engine/command";
import { stateIn } from "../../provider/engine/export";
import { pulumi } from "../../provider/engine/stacks";

/** The provider of a volume in an export, with these options of the provider. */
function providerOf(name: string, options: object = {}) {
  const lab = `urn:pulumi:dev::project::pulumi:providers:podlumi::${name}`;
  const data = "urn:pulumi:dev::project::podlumi:index:NetworkVolume::data";
  const resources = [
    { urn: lab, id: "1", type: "pulumi:providers:podlumi", ...options },
    { urn: data, id: "2", type: "podlumi:index:NetworkVolume", provider: `${lab}::1` },
  ];
  return stateIn("organization/project/dev", { deployment: { resources } })?.objects[0]?.provider;
}

test.each(["lab", "default-lab", "defaults", "default_lab"])(
  "an option may replace a provider that the program calls %s",
  (name) => {
    expect(providerOf(name, { replacementTrigger: "1" })).toMatchObject({ id: "1", mayBeReplaced: true });
    expect(providerOf(name, { taint: true })).toMatchObject({ mayBeReplaced: true });
  },
);

test.each(["lab", "default-lab", "defaults"])("a change may replace the provider %s", (name) => {
  expect(providerOf(name)).toMatchObject({ id: "1", mayBeReplaced: false });
});

test.each(["default", "default_1_2_3"])("nothing replaces the engine's own provider %s", (name) => {
  expect(providerOf(name)).toBeUndefined();
});

test("an object is supplanted when its resource has imported or read another, not when it was replaced", () => {
  const type = "podlumi:index:NetworkVolume";
  const [imported, got, replaced, former] = ["imported", "read", "replaced", "former"].map(
    (name) => `urn:pulumi:dev::project::${type}::${name}`,
  );
  const resources = [
    { urn: String(imported), id: "1", type, importID: "1" },
    { urn: String(imported), id: "2", type, delete: true },
    { urn: String(got), id: "3", type, external: true },
    { urn: String(got), id: "4", type, delete: true },
    { urn: String(replaced), id: "5", type },
    { urn: String(replaced), id: "6", type, delete: true },
    // The program has no import any more.
    { urn: String(former), id: "7", type, outputs: { __imported: true } },
    { urn: String(former), id: "8", type, delete: true },
  ];
  // What is deleted for a read has left the state by then; what just leaves the program has not.
  const deleting = [
    { urn: String(got), id: "9", type },
    { urn: String(imported), id: "1", type, importID: "1" },
    { urn: String(replaced), id: "10", type },
  ].map((resource) => ({ type: "deleting", resource }));
  const state = stateIn("organization/project/dev", {
    deployment: { resources, pending_operations: deleting },
  });
  expect(state?.supplanted).toEqual(new Set(["2", "4", "8", "9"]));
  expect(state?.dropped).toEqual(new Set(["9"]));
});

test("a pending create has the provider under which its object is marked", () => {
  const type = "podlumi:index:NetworkVolume";
  const urn = `urn:pulumi:dev::project::${type}::data`;
  const provider = "urn:pulumi:dev::project::pulumi:providers:podlumi::default::1";
  const resource = { urn, type, provider, inputs: { name: "datasets" } };
  const state = stateIn("organization/project/dev", {
    deployment: { pending_operations: [{ type: "creating", resource }] },
  });
  expect(state?.pending).toEqual([{ urn, marker: "1", name: "datasets", adopts: false }]);
  expect(state?.markers).toEqual(new Set(["1"]));
});

test("a pending create adopts where its resource has had no object before", () => {
  const type = "podlumi:index:NetworkVolume";
  const [first, replaced] = ["first", "replaced"].map((name) => `urn:pulumi:dev::project::${type}::${name}`);
  const pending_operations = [first, replaced].map((urn) => ({
    type: "creating",
    resource: { urn: String(urn), type, inputs: { adopt: "1" } },
  }));
  const resources = [{ urn: String(replaced), id: "1", type }];
  const state = stateIn("organization/project/dev", { deployment: { resources, pending_operations } });
  expect(state?.pending.map(({ adopts }) => adopts)).toEqual([true, false]);
});

/** Puts a script in the place of Pulumi. */
async function withPulumi<T>(
  script: (folder: string) => string,
  act: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "podlumi-stacks-"));
  writeFileSync(join(folder, "pulumi"), `#!/bin/sh\n${script(folder)}\n`, { mode: 0o755 });
  const { PATH } = process.env;
  process.env.PATH = `${folder}:${PATH}`;
  try {
    return await act(folder);
  } finally {
    process.env.PATH = PATH;
    rmSync(folder, { recursive: true });
  }
}

test.each<[string, number, string, () => Promise<unknown>, unknown]>([
  ["all stacks", 2, '[{"name":"organization/p/dev"}]', () => pulumi.stacks(), ["organization/p/dev"]],
  ["a state", 2, '{"deployment":{}}', () => pulumi.state("dev"), { name: "dev" }],
  ["the stack of the command", 2, "organization/p/dev", () => pulumi.current(), "organization/p/dev"],
  ["a setting", 1, "all", () => pulumi.setting("dev", "podlumi:confirmDataLoss"), "all"],
])(
  "%s is asked for again where Pulumi fails, as while a run writes a state",
  async (_what, failures, text, ask, told) => {
    jest.spyOn(pulumi, "command").mockReturnValue(new Command([["pulumi", "destroy"]]));
    const script = (folder: string) =>
      `echo >> ${folder}/asked\n[ $(wc -l < ${folder}/asked) -gt ${failures} ] && echo '${text}'`;
    const answer = await withPulumi(script, ask);
    if (typeof told === "object" && !Array.isArray(told)) expect(answer).toMatchObject(told as object);
    else expect(answer).toEqual(told);
  },
);

test("the stack that the command names without its project is that of the project in which it runs", async () => {
  jest.spyOn(pulumi, "command").mockReturnValue(new Command([["pulumi", "destroy", "--stack", "dev"]]));
  const script = () => `echo "$*" | grep -q -e '--stack dev' && echo 'organization/p/dev'`;
  expect(await withPulumi(script, () => pulumi.current())).toBe("organization/p/dev");
});

test("a flag that the environment sets for the user's command is none of a question to Pulumi", async () => {
  process.env.PULUMI_OPTION_PROJECT = "shop";
  try {
    const script = () => `[ -z "$PULUMI_OPTION_PROJECT" ] && echo '[{"name":"organization/p/dev"}]'`;
    expect(await withPulumi(script, () => pulumi.stacks())).toEqual(["organization/p/dev"]);
  } finally {
    delete process.env.PULUMI_OPTION_PROJECT;
  }
});

test.each(["null", "{}", '{"deployment":null}', '"dev"'])(
  "an answer of another form is none: %s",
  async (text) => {
    const script = () => `echo '${text}'`;
    expect(await withPulumi(script, () => pulumi.stacks())).toBeUndefined();
    expect(await withPulumi(script, () => pulumi.state("dev"))).toBeUndefined();
  },
);

test("what Pulumi never tells is asked for a few times only", async () => {
  const asked = await withPulumi(
    (folder) => `echo >> ${folder}/asked; exit 1`,
    async (folder) => {
      expect(await pulumi.stacks()).toBeUndefined();
      return readFileSync(join(folder, "asked"), "utf8").length;
    },
  );
  expect(asked).toBe(3);
});

test("Pulumi has no answer where too many files are open", async () => {
  // Node.js then gives a process without streams, and tells the error a moment later.
  const spawn = jest.spyOn(childProcess, "spawn").mockImplementation(() => {
    const child = new EventEmitter();
    setImmediate(() => child.emit("error", new Error("spawn pulumi EMFILE")));
    return child as ChildProcess;
  });
  expect(await pulumi.stacks()).toBeUndefined();
  expect(spawn).toHaveBeenCalledTimes(3);
  spawn.mockRestore();
});

test("a question to Pulumi ends after its time, also where its command has started another one that continues", async () => {
  const script = (folder: string) => `sleep 20 &\ntouch ${join(folder, "started")}\nwait`;
  await withPulumi(script, async (folder) => {
    jest.useFakeTimers();
    try {
      const asked = pulumi.stacks().then(() => "over");
      while (!existsSync(join(folder, "started"))) execFileSync("sleep", ["0.1"]);
      jest.advanceTimersByTime(20_000);
      expect(await inTime(5_000, asked)).toBe("over");
    } finally {
      jest.useRealTimers();
    }
  });
});
