import { endRun } from "../../provider/core/end";
import { States } from "../../provider/core/owner/states";
import type { Properties } from "../../provider/core/value";
import type { Stated } from "../../provider/engine/export";
import { declared, emulator, haveObjects, heard, provider, runs, stacks, stated, urnOf } from "./process";

const store = urnOf("networkVolume", "store");

/** What the end of a preview says where the state has the volume of `store`, and the program declares others. */
async function said(more: Partial<Stated>, ...declares: Properties[]): Promise<string> {
  const { id } = emulator.service.volumes.create({ name: "store-1", size: 20, dataCenter: "EU-RO-1" });
  const inputs = { name: "store-1", size: 20, dataCenter: "EU-RO-1", __urn: store };
  haveObjects(stated(store, id, { inputs, servedBy: stacks.ours, ...more }));
  const { run, networkVolume } = provider();
  for (const one of declares) await networkVolume.check({}, declared("networkVolume", one));
  return (await heard(() => endRun(run))).said;
}

const vol = { __urn: urnOf("networkVolume", "vol") };

test("a preview tells of a new resource with the arguments of one that is to be deleted with its data", async () => {
  expect(await said({}, vol)).toMatch(
    /^store is no longer in the program: its network volume "store-1" \(\w+\), with the same arguments, is deleted, and the data on it with it\. If vol is its new name, write aliases: \[\{ name: "store" \}\] .*DATA-LOSS/,
  );
});

test.each<[string, Partial<Stated>, Properties[]]>([
  ["other arguments", {}, [{ ...vol, size: 30 }]],
  ["a resource that the program has, too", {}, [vol, { __urn: store }]],
  ["what an option keeps", { isKept: true }, [vol]],
  ["what another provider serves", { servedBy: stacks.theirs }, [vol]],
])("but not where it has %s", async (_what, more, declares) => {
  expect(await said(more, ...declares)).not.toContain("aliases");
});

test("nor where the command leaves out a part of the program", async () => {
  runs("up --target urn");
  expect(await said({}, vol)).not.toContain("aliases");
});

test("and where the account has none of the kind, nothing asks for the state", async () => {
  const asked = jest.spyOn(States.prototype, "before");
  const { run, networkVolume } = provider();
  await networkVolume.check({}, declared("networkVolume", vol));
  await endRun(run);
  expect(asked).not.toHaveBeenCalled();
});
