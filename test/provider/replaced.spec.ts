import { type Properties, unknownValue } from "../../provider/value";
import { declared, emulator, existing, heard, provider, stacks, urnOf } from "./process";

// Replacements of what holds data. podlumi guards those for which it asks itself; what the user orders in Pulumi's own words is Pulumi's.

const data = urnOf("NetworkVolume", "data");
const volume = { name: "data", size: 20, dataCenter: "EU-RO-1" };

const news = (more: Properties = {}) => declared("networkVolume", { ...volume, __urn: data, ...more });
const state = { ...news(), __asked: volume };

let id: string;
beforeEach(() => {
  id = emulator.service.volumes.create(volume).id;
});

/** The volumes in a run for which the user has confirmed these losses. */
function begun(confirmed = "") {
  const { run, networkVolume } = provider();
  run.configure((key) => (key === "podlumi:confirmDataLoss" ? confirmed : undefined));
  return networkVolume;
}

describe("a comparison without a check, by which the engine asks whether it deletes the volume before what its inputs come from", () => {
  const unknown = news({ dataCenter: unknownValue });

  test("fails while a value that replaces it is not known: it is deleted before anybody knows", async () => {
    await expect(begun().diff(id, state, unknown)).rejects.toThrow(
      new RegExp(
        `will not replace network volume "data" \\(${id}\\): ` +
          `dataCenter: its value is not known yet, and the data on it would be lost\\. To allow that, run .*podlumi:confirmDataLoss ${id}\`.*PODLUMI-DATA-LOSS`,
      ),
    );
  });

  test.each(["the id", "all"])("goes on where the user has confirmed %s", async (what) => {
    const { result } = await heard(() => begun(what === "all" ? "all" : `x,${id}`).diff(id, state, unknown));
    expect(result.replaces).toEqual(["dataCenter"]);
  });

  test("goes on where what is not known replaces nothing", async () => {
    expect((await begun().diff(id, state, news({ name: unknownValue }))).replaces).toEqual([]);
  });

  test("goes on with known values, as in a refresh, which replaces nothing", async () => {
    expect((await begun().diff(id, state, news({ dataCenter: "US-KS-2" }))).replaces).toEqual(["dataCenter"]);
  });
});

test("a comparison after a check only warns while the value is not known, and the up fails once it is", async () => {
  const preview = begun();
  await preview.check(news(), news({ dataCenter: unknownValue }));
  const { said } = await heard(() => preview.diff(id, state, news({ dataCenter: unknownValue })));
  expect(said).toMatch(/dataCenter is not known yet: `pulumi up` fails if it replaces .*PODLUMI-DATA-LOSS/);
  const up = begun();
  await up.check(news(), news({ dataCenter: "US-KS-2" }));
  await expect(up.diff(id, state, news({ dataCenter: "US-KS-2" }))).rejects.toThrow(
    /will not replace .* dataCenter: the program changes it from "EU-RO-1" to "US-KS-2"/,
  );
});

describe("needs no confirmation", () => {
  test("what the engine replaces by itself: --replace, a taint, a trigger, replaceWith", async () => {
    const up = begun();
    // Without a diff of the object, it is checked as a new one, and deleted before or after the create.
    expect((await up.check(undefined, news())).failures).toEqual([]);
    await up.delete(id, news());
    expect(existing()).toEqual([]);
  });

  test("what leaves the program", async () => {
    await begun().delete(id, news());
    expect(existing()).toEqual([]);
  });

  test.each(["import", "read"] as const)("another object for the resource: %s", async (verb) => {
    const other = emulator.service.volumes.create(volume).id;
    const up = begun();
    expect((await up[verb](other, { __urn: data, __providerId: stacks.ours })).id).toBe(other);
    await up.delete(id, news());
    expect(existing()).toEqual([other]);
  });
});

test("the volume that `--replace` replaces is no other one of its name, though no comparison tells which one it is", async () => {
  const replacing = async () => {
    const { networkVolume } = provider();
    await networkVolume.check(news(), news());
    return heard(() => networkVolume.check({}, news()));
  };
  expect((await replacing()).said).toBe("");
  const other = emulator.service.volumes.create(volume);
  expect((await replacing()).said).toMatch(new RegExp(`write adopt: .*"${other.id}".*PODLUMI-NAME-TAKEN`));
});
