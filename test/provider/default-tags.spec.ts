import { configOf } from "../../provider/config";
import { Run } from "../../provider/core/call/run";
import type { Properties } from "../../provider/value";
import { begin, declared, emulator, type Kind, provider } from "./process";

const configured = (defaultTags: string) => {
  const one = provider();
  one.run.configure(
    (key) => (key === "podlumi:defaultTags" ? defaultTags : undefined),
    ["podlumi:defaultTags"],
  );
  return one;
};

const checked = async (kind: Kind, changes: Properties, defaultTags = '{"team":"ml","year":2026}') => {
  const { inputs, failures } = await configured(defaultTags)[kind].check({}, declared(kind, changes));
  return { tags: inputs.tags, failures };
};

test.each(["pod", "serverlessEndpoint", "cluster", "networkVolume"] as const)(
  "a %s has the default tags beside its own, which win",
  async (kind) => {
    expect((await checked(kind, {})).tags).toEqual({ team: "ml", year: "2026" });
    const own = { team: "web", app: "x" };
    expect((await checked(kind, { tags: own })).tags).toEqual({ team: "web", app: "x", year: "2026" });
    expect((await checked(kind, {}, "{}")).tags).toBeUndefined();
    const { outs } = await begin(configured('{"team":"ml"}')[kind], kind);
    expect(outs?.tags).toEqual({ team: "ml" });
    expect(emulator.service.tags.list()).toMatchObject([{ key: "team", value: "ml" }]);
  },
);

test("a kind without tags has none", async () => {
  expect((await checked("template", {})).tags).toBeUndefined();
});

test("a wrong default tag is reported at its key, and a wrong argument at its own", async () => {
  expect(await checked("networkVolume", {}, '{"runpod:x":"y"}')).toMatchObject({
    failures: [{ property: 'tags["runpod:x"]' }],
  });
  expect(await checked("networkVolume", { tags: "team" })).toMatchObject({
    failures: [{ property: "tags" }],
  });
});

test.each(["team=ml", '"ml"', "[]", '{"team":{}}', ""])("default tags of %j are refused", (defaultTags) => {
  const run = new Run({});
  run.configure((key) => (key === "podlumi:defaultTags" ? defaultTags : undefined), ["podlumi:defaultTags"]);
  expect(run.faults()).toMatchObject([
    {
      property: "",
      reason: expect.stringMatching(/^podlumi:defaultTags .*--path podlumi:defaultTags\.team ml/),
    },
  ]);
});

test("a provider of the plugin takes default tags as a map or as its JSON", () => {
  const text = '{"team":"ml"}';
  expect(configOf({ defaultTags: { team: "ml" } })).toEqual({ "podlumi:defaultTags": text });
  expect(configOf({ defaultTags: text })).toEqual({ "podlumi:defaultTags": text });
});
