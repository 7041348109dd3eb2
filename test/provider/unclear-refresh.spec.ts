import type { Properties } from "../../provider/value";
import { emulator, type Kind, letServicePass, provider } from "./process";
import { leftBy, object, previewed } from "./unclear";

// A refresh after an update without a clear answer, before the program takes back what it has changed.

const refreshed = async (kind: Kind, id: string, state: Properties) => {
  const { props } = await provider()[kind].read(id, state);
  return { ...props, __provider: "p" };
};

describe.each([
  ["at once", 0],
  ["fifteen minutes later", 900_000],
])("a refresh %s", (_title, passed) => {
  test.each<[Kind, Properties, Properties, string]>([
    ["serverlessEndpoint", { env: { A: "1" } }, { env: { A: "1", B: "2" } }, "B"],
    ["template", { env: { A: "1" } }, { env: { A: "1", B: "2" } }, "B"],
    ["pod", {}, { expiresAfter: "2h" }, "PODLUMI_EXPIRES"],
  ])(
    "shows what it has added to a %s, and the next update removes that",
    async (kind, before, after, added) => {
      const { id, state, old } = await leftBy(kind, before, after);
      expect(object(kind, id).env).toHaveProperty(added);
      letServicePass(passed);
      const present = await refreshed(kind, id, state);
      expect(present).toMatchObject(after);
      const { diff, update } = await previewed(kind, id, present, old);
      expect([...diff.fields.values()]).toEqual(["update"]);
      const { outs = {} } = await update();
      expect(object(kind, id).env).not.toHaveProperty(added);
      const next = await previewed(kind, id, { ...outs, __provider: "p" }, old);
      expect(next.diff.changes ?? true).toBe(false);
    },
  );

  test("leaves open what no read tells: the former password is sent again", async () => {
    const { id, state, old } = await leftBy("registryAuth", {}, { password: "another" });
    letServicePass(passed);
    const present = await refreshed("registryAuth", id, state);
    const { said, update } = await previewed("registryAuth", id, present, old);
    expect(said).toContain("sends password again, as the program says");
    const sent: unknown[] = [];
    emulator.on("before", { method: "PATCH" }, ({ body }) => void sent.push(body));
    const { outs = {} } = await update();
    expect(sent).toEqual([{ username: "bot", password: "hunter22" }]);
    const next = await previewed("registryAuth", id, { ...outs, __provider: "p" }, old);
    expect(next.diff.changes ?? true).toBe(false);
  });
});
