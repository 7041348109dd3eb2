import type { KindName } from "../../provider/resources";
import { protectedData } from "../../sdk/policy/protection";
import { emulatedProject, emulator, project } from "../harness/emulated";
import { describeLong } from "../harness/long";
import { policyPack } from "./pack";
import { type Properties, violations } from "./violations";

const fix = "set the resource option protect to true";
const persistent = { size: 20, path: "/workspace" };
const network = [{ volumeId: "vol_1", path: "/data" }];

describe("what holds data has to be protected:", () => {
  test.each<[kind: KindName, props: Properties, text: string]>([
    ["NetworkVolume", { size: 50 }, `a volume holds data: ${fix}`],
    ["GlobalVolume", {}, `a volume holds data: ${fix}`],
    ["Cluster", {}, `a cluster holds data: ${fix}`],
    ["Pod", { mounts: { persistent } }, `mounts.persistent holds data: ${fix}`],
    [
      "Pod",
      { templateId: "tpl_1" },
      `mounts is not declared, and the template may give a mount that holds data: declare it, or ${fix}`,
    ],
    [
      "Pod",
      { adopt: "4m7x2k9q", templateId: "tpl_1" },
      `mounts is not declared, so an adopted object keeps what it has, which is not known here: declare it, or ${fix}`,
    ],
  ])("%s with %j", async (kind, props, text) => {
    expect(await violations(protectedData(), kind, props)).toEqual([text]);
    expect(await violations(protectedData(), kind, props, { protect: true })).toEqual([]);
  });
});

test.each<[kind: KindName, props: Properties]>([
  ["Pod", {}],
  ["Pod", { mounts: { network } }],
  ["Pod", { mounts: {}, adopt: "4m7x2k9q", templateId: "tpl_1" }],
  ["Template", { mounts: { persistent } }],
  ["ServerlessEndpoint", { networkVolumes: ["vol_1"] }],
  ["Secret", {}],
])("%s with %j holds none, and passes", async (kind, props) => {
  expect(await violations(protectedData(), kind, props)).toEqual([]);
});

describeLong("in a pack", () => {
  emulatedProject("all");

  test("the rule is off, until the pack has it; it stops a rename without aliases before the volume is deleted", async () => {
    const preview = (...lines: string[]) => {
      const pack = policyPack(project, ...lines);
      return project.run("pulumi", ["preview", "--policy-pack", pack, "--non-interactive"]);
    };
    const other = emulator.service.volumes.create({ name: "other", size: 50, dataCenter: "EU-RO-1" });
    const declare = (name: string, options: string) =>
      project.declare(
        `new podlumi.NetworkVolume("${name}", { size: 50, dataCenter: "EU-RO-1" }, ${options});`,
        `podlumi.NetworkVolume.get("other", "${other.id}");`,
      );
    const on = 'podlumi.podlumiPolicies("team", { protectedData: true });';
    declare("data", "{}");
    expect(await preview('podlumi.podlumiPolicies("team");')).toMatchObject({ ok: true });
    const { ok, printed } = await preview(on);
    expect([ok, printed]).toEqual([false, expect.stringContaining(`a volume holds data: ${fix}`)]);
    expect(printed.match(/\[mandatory\] +protected-data .*/g)).toEqual([expect.stringMatching(/: data\)$/)]);
    declare("data", "{ protect: true }");
    expect(await preview(on)).toMatchObject({ ok: true });
    expect(await project.pulumi("up", "--yes", "--skip-preview")).toMatchObject({ ok: true });
    declare("renamed", "{ protect: true }");
    expect(await preview(on)).toMatchObject({ ok: false, printed: expect.stringMatching(/protect/) });
    declare("renamed", '{ protect: true, aliases: [{ name: "data" }] }');
    expect(await preview(on)).toMatchObject({ ok: true, printed: expect.not.stringMatching(/delete/) });
  });
});
