import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inTime } from "../../provider/client/clock";
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
  expect(state?.pending).toEqual([{ urn, marker: "1", name: "datasets" }]);
  expect(state?.markers).toEqual(new Set(["1"]));
});

test("a question to Pulumi ends after its time, also where its command has started another one that goes on", async () => {
  const folder = mkdtempSync(join(tmpdir(), "podlumi-stacks-"));
  const started = join(folder, "started");
  const wrapper = `#!/bin/sh\nsleep 20 &\ntouch ${started}\nwait\n`;
  writeFileSync(join(folder, "pulumi"), wrapper, { mode: 0o755 });
  const { PATH } = process.env;
  process.env.PATH = `${folder}:${PATH}`;
  jest.useFakeTimers();
  try {
    const asked = pulumi.setting("dev", "podlumi:confirmDataLoss").then(() => "over");
    while (!existsSync(started)) execFileSync("sleep", ["0.1"]);
    jest.advanceTimersByTime(20_000);
    jest.useRealTimers();
    expect(await inTime(5_000, asked)).toBe("over");
  } finally {
    jest.useRealTimers();
    process.env.PATH = PATH;
    rmSync(folder, { recursive: true });
  }
});
