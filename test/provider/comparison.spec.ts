import { handler } from "../../provider/core/handler";
import type { Properties } from "../../provider/core/value";
import { sshKeys } from "../../provider/resources/ssh-keys";
import { declared, emulator, provider, urnOf } from "./process";

const key = "ssh-ed25519 AAAAC3A me";

/** The account's keys, as a program declares them. */
const declaredKeys = (...keys: string[]): Properties => ({ keys, __urn: urnOf("sshKeys"), __provider: "p" });
const keysOf = () => handler(sshKeys, provider().run);

describe("SSH keys", () => {
  test("that the program empties are gone from the state: the next run has nothing to do", async () => {
    const { id, outs } = await keysOf().create(declaredKeys(key));
    const { outs: emptied = {} } = await keysOf().update(id, outs as Properties, declaredKeys());
    expect(emptied.keys).toEqual([]);
    expect((await keysOf().diff(id, emptied, declaredKeys())).fields.size).toBe(0);
  });

  test("that somebody deleted are set again after a refresh", async () => {
    const { id, outs } = await keysOf().create(declaredKeys(key));
    emulator.service.sshKeys.replace([]);
    const { props, inputs } = await keysOf().read(id, outs);
    expect(inputs).toMatchObject({ keys: [] });
    const found = await keysOf().diff(id, props as Properties, declaredKeys(key));
    expect([...found.fields]).toEqual([["keys", "update"]]);
  });
});

describe("an update without a refresh", () => {
  const template = () => provider().template;
  const withArgs = (args: string, more: Properties = {}) =>
    declared("template", { name: "worker", args, ...more });

  test("neither sends nor learns the drift of what it does not change, so the next preview tells the truth", async () => {
    const before = { ports: ["80/http"], env: { A: "1", B: "1" } };
    const { id, outs } = await template().create(withArgs("x", before));
    emulator.service.templates.update(id, { ports: ["81/http"], env: { A: "9", B: "1" } });
    const after = withArgs("y", before);
    const { outs: updated = {} } = await template().update(id, outs as Properties, after);
    expect(emulator.service.templates.get(id)).toMatchObject({
      args: "y",
      ports: ["81/http"],
      env: { A: "9" },
    });
    expect((await template().diff(id, updated, after)).fields.size).toBe(0);
    const { props } = await template().read(id, updated);
    expect([...(await template().diff(id, props as Properties, after)).fields.keys()]).toEqual([
      "env",
      "ports",
    ]);
  });

  test("leaves the variables that it does not change to those who changed them", async () => {
    const { id, outs } = await template().create(withArgs("x", { env: { A: "1", B: "1", C: "1" } }));
    emulator.service.templates.update(id, { env: { A: "9", B: "1", C: "1", OTHER: "1" } });
    const after = withArgs("x", { env: { A: "1", B: "2" } });
    const { outs: updated = {} } = await template().update(id, outs as Properties, after);
    expect(emulator.service.templates.get(id).env).toEqual({ A: "9", B: "2", OTHER: "1" });
    expect((await template().diff(id, updated, after)).fields.size).toBe(0);
  });
});
