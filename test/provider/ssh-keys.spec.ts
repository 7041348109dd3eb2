import { handler } from "../../provider/core/handler";
import { sshKeys } from "../../provider/resources/ssh-keys";
import { type Properties, unknownValue } from "../../provider/value";
import { emulator, provider, urnOf } from "./process";

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

describe("SSH keys after an update without a clear answer", () => {
  const [added, others] = ["ssh-ed25519 AAAAC3B you", "ssh-ed25519 AAAAC3C other"];

  /** The state that it leaves. The program takes back what it has added by then. */
  async function left() {
    const { id, outs } = await keysOf().create(declaredKeys(key));
    emulator.faults.add({ match: { method: "PUT" }, when: "after", what: { reset: true }, times: 100 });
    const update = keysOf().update(id, outs as Properties, declaredKeys(key, added));
    const { properties } = (await update.catch((error) => error)) as { properties: Properties };
    emulator.faults.clear();
    return { id, state: { ...properties, __provider: "p" } };
  }

  test("remove no key that somebody has added since: the preview fails, and so does the update", async () => {
    const { id, state } = await left();
    emulator.service.sshKeys.replace([key, others]);
    const [of, news] = [keysOf(), declaredKeys(key)];
    await of.check(state, news);
    const refused = /would be removed: .*AAAAC3C other\. Add them to keys, or run `pulumi refresh`/;
    await expect(of.diff(id, state, news)).rejects.toThrow(refused);
    await expect(of.update(id, state, news)).rejects.toThrow(refused);
    expect(emulator.service.sshKeys.list()).toEqual([key, others]);
  });

  test("are what the program says after a refresh, whose preview shows what goes", async () => {
    const { id, state } = await left();
    const { props = {} } = await keysOf().read(id, state);
    expect(props.keys).toEqual([key, added]);
    const [of, news] = [keysOf(), declaredKeys(key)];
    await of.check(props, news);
    expect([...(await of.diff(id, props, news)).fields]).toEqual([["keys", "update"]]);
    await of.update(id, props, news);
    expect(emulator.service.sshKeys.list()).toEqual([key]);
  });
});

test("a second resource with the SSH keys of the account fails in the preview: each would overwrite the list of the other", async () => {
  const { check } = keysOf();
  expect((await check({}, declaredKeys(key))).failures).toEqual([]);
  // As the engine checks what it replaces, once more.
  expect((await check(undefined, declaredKeys(key))).failures).toEqual([]);
  const twin = { ...declaredKeys("ssh-ed25519 AAAAC3B you"), __urn: urnOf("sshKeys", "twin") };
  expect((await check({}, twin)).failures).toEqual([
    {
      property: "",
      reason:
        `the account has its SSH keys once, and SshKeys "it" declares them already: put all of them into one resource ` +
        "[PODLUMI-DECLARED-TWICE]",
    },
  ]);
});

test("an import of an account without keys declares the empty list, which a program has to give", async () => {
  const { inputs } = await keysOf().import("ssh-keys", { __urn: urnOf("sshKeys") });
  expect(inputs).toEqual({ keys: [] });
});

describe("a value that a preview does not know", () => {
  test("among SSH keys replaces nothing", async () => {
    const { id, outs } = await keysOf().create(declaredKeys(key));
    const found = await keysOf().diff(id, outs as Properties, declaredKeys(unknownValue));
    expect([...found.fields]).toEqual([["keys", "update"]]);
  });
});
