import * as pulumi from "@pulumi/pulumi";
import { DependencyProviderResource } from "@pulumi/pulumi/resource";
import * as dynamic from "podlumi";
import * as plugin from "podlumi/plugin";

// Which provider serves a resource, in programs whose engine is a mock.

const modules = { podlumi: dynamic, "podlumi/plugin": plugin as unknown as typeof dynamic };
type Options = pulumi.ComponentResourceOptions;

const componentWith = (name: string, opts: Options) =>
  new pulumi.ComponentResource("specification:index:Storage", name, {}, opts);

/** The provider of a volume in a component with these options, by its name; undefined for the default one. */
async function servingIn(
  opts: Options,
  of: keyof typeof modules,
  own: pulumi.ResourceOptions = {},
  outer?: Options,
) {
  const providers: string[] = [];
  const newResource = ({ name, inputs, provider = "" }: pulumi.runtime.MockResourceArgs) => {
    if (name === "child") providers.push(provider);
    return { id: `${name}-id`, state: inputs };
  };
  // Pulumi itself warns of a name that is not the provider's.
  jest.spyOn(console, "warn").mockImplementation();
  await pulumi.runtime.setMocks({ call: () => ({}), newResource }, "shop", "dev", false);
  const around = outer && { parent: componentWith("outer", outer) };
  const parent = componentWith("component", { ...around, ...opts });
  // The next mocks know nothing of these.
  await new Promise((resolve) => parent.urn.apply(() => setImmediate(resolve)));
  const child = new modules[of].NetworkVolume(
    "child",
    { size: 10, dataCenter: "EU-RO-1" },
    { parent, ...own },
  );
  await new Promise((resolve) => child.id.apply(resolve));
  const [name] = providers.map((urn) => urn.split("::").at(-2));
  return name === "default_podlumi" || name === undefined ? undefined : name;
}

test("a class of podlumi gets no dynamic provider of others, and of a caller in another process what it handed on", async () => {
  class Others extends pulumi.ProviderResource {}
  expect(await servingIn({ providers: [new Others("pulumi-nodejs", "others")] }, "podlumi")).toBeUndefined();
  const ref = "urn:pulumi:dev::shop::pulumi:providers:pulumi-nodejs::lab::lab-id";
  const handedOn = new DependencyProviderResource(ref);
  expect(await servingIn({ providers: { "podlumi-dynamic": handedOn } }, "podlumi")).toBe("lab");
});

describe.each(Object.keys(modules) as (keyof typeof modules)[])("a class of %s", (of) => {
  const other = of === "podlumi" ? "podlumi/plugin" : "podlumi";
  const lab = (name = "lab", from: keyof typeof modules = of) => new modules[from].Provider(name);
  const keys = ["podlumi", "pulumi-nodejs", "research"];
  const both = (one: pulumi.ProviderResource) => ({ providers: { podlumi: one, "pulumi-nodejs": one } });

  test.each(keys)("gets the provider of a component's map under the name %s", async (key) => {
    expect(await servingIn({ providers: { [key]: lab() } }, of)).toBe("lab");
  });

  test.each<[string, () => Options]>([
    ["a list", () => ({ providers: [lab()] })],
    ["a list that has one for the other classes, too", () => ({ providers: [lab(), lab("others", other)] })],
    ["both names", () => both(lab())],
  ])("gets that of %s", async (_what, opts) => {
    expect(await servingIn(opts(), of)).toBe("lab");
  });

  test("gets its own before that of its parent", async () => {
    const opts = { providers: { podlumi: lab("a"), "pulumi-nodejs": lab("b") } };
    expect(await servingIn(opts, of, { provider: lab() })).toBe("lab");
  });

  test("gets the default one where its parent has it, and one of another package", async () => {
    const parent = new modules[other].NetworkVolume("parent", { size: 10, dataCenter: "EU-RO-1" });
    class Other extends pulumi.ProviderResource {}
    expect(await servingIn({ parent, providers: [new Other("aws", "aws")] }, of)).toBeUndefined();
  });

  test("gets that under the name of a package, whatever others are beside it", async () => {
    expect(await servingIn({ providers: { research: lab("a"), podlumi: lab() } }, of)).toBe("lab");
  });

  test.each<[string, () => Options, () => Options]>([
    ["a list", () => ({ providers: { podlumi: lab("a") } }), () => ({ providers: [lab()] })],
    ["one provider", () => ({ providers: { "pulumi-nodejs": lab("a") } }), () => ({ provider: lab() })],
    [
      "another name",
      () => ({ providers: { podlumi: lab("a") } }),
      () => ({ providers: { research: lab() } }),
    ],
    [
      "a second name",
      () => ({ providers: { teaching: lab("a") } }),
      () => ({ providers: { research: lab() } }),
    ],
    ["no provider", () => ({ providers: { research: lab() } }), () => ({})],
    [
      "one for the other classes",
      () => ({ providers: [lab()] }),
      () => ({ providers: { own: lab("b", other) } }),
    ],
  ])(
    "gets that of the nearest component that has one, within which there is %s",
    async (_what, outer, inner) => {
      expect(await servingIn(inner(), of, {}, outer())).toBe("lab");
    },
  );

  test.each([
    ["podlumi", "pulumi-nodejs"],
    ["research", "teaching"],
  ])("is refused where two are handed on to it, as %s and %s", async (one, other) => {
    const opts = { providers: { [one]: lab("a"), [other]: lab("b") } };
    await expect(servingIn(opts, of)).rejects.toThrow(
      /^cannot declare the NetworkVolume "child": several providers are handed on .*\[PODLUMI-CONFIGURATION\]$/,
    );
  });

  test.each<[string, () => [Options, pulumi.ResourceOptions?]]>([
    ["its parent's", () => [{ providers: [lab("lab", other)] }]],
    ["its own", () => [{}, { provider: lab("lab", other) }]],
  ])("is refused where %s is one of the other classes", async (_what, opts) => {
    const [inherited, own] = opts();
    await expect(servingIn(inherited, of, own)).rejects.toThrow(
      `the class comes from "${of}", and its provider does not: import Provider from "${of}", too [PODLUMI-CONFIGURATION]`,
    );
  });
});
