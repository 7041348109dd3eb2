import { Maker } from "../../provider/core/create";
import { Journal } from "../../provider/core/journal";
import { networkVolume } from "../../provider/resources/network-volume";
import { session } from "../../provider/session";
import type { Emulator } from "../emulator";
import { CommandLine } from "./cli";

const cli = new CommandLine();
let emulator: Emulator;
const urn = "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/podlumi:NetworkVolume::data";

beforeAll(async () => {
  emulator = await cli.emulate();
  process.env.PULUMI_HOME = cli.env.PULUMI_HOME;
  // A run that was killed before the engine was told what it had made.
  const killed = session(emulator.env);
  const inputs = { name: "data", size: 10, dataCenter: "EU-RO-1" };
  await new Maker(networkVolume).make(killed.api(), killed.journal(), inputs, urn);
  delete process.env.PULUMI_HOME;
  emulator.service.volumes.create({ name: "data", size: 10, dataCenter: "EU-RO-1" });
});
afterAll(() => cli.close());

test("what an interrupted run noted is listed, and doctor tells of it", async () => {
  const [{ id } = { id: "" }] = emulator.service.volumes.list();
  const { code, out } = await cli.run("leftovers", "--json");
  expect(code).toBe(1);
  expect(JSON.parse(out)).toEqual([
    { urn, noun: "network volume", name: "data", id, began: expect.any(String) },
  ]);
  expect((await cli.run("doctor")).out).toMatch(/^mend +interrupted runs +1 creation of which the end/m);
});

test("what it made is deleted when somebody says so, and nothing that only looks like it", async () => {
  const [left, other] = emulator.service.volumes.list();
  const refused = await cli.run("leftovers", "--delete");
  expect(refused.code).toBe(2);
  expect(emulator.service.volumes.list()).toHaveLength(2);
  const { code, out, err } = await cli.run("leftovers", "--delete", "--yes");
  expect({ code, out }).toEqual({ code: 0, out: "no notes of interrupted runs\n" });
  expect(err).toContain(`podlumi deleted the network volume "data" (${left?.id})`);
  expect(emulator.service.volumes.list()).toEqual([other]);
  expect(new Journal(emulator.apiUrl, "any").leftovers("")).toEqual([]);
});
