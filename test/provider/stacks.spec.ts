import { stateIn } from "../../provider/engine/stacks";

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
