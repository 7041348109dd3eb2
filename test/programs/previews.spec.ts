import * as pulumi from "@pulumi/pulumi";
import { Cluster, Pod, ServerlessEndpoint, Template } from "podlumi";
import { definitions, type KindName } from "../../provider/resources";
import { isRecord, type Properties } from "../../provider/value";
import { emulatedStack, emulator, stack } from "../harness/emulated";
import { describeLong } from "../harness/long";
import { Project } from "../harness/project";
import { oneCheckpoint } from "../harness/stack";
import { others, resources } from "./each-kind";

// Every output that is an argument, too, and to which the service may add keys, by the registry of outputs.

emulatedStack("all", {
  workersQuota: 100,
  balance: 1_000_000,
  env: oneCheckpoint,
  config: { "podlumi:confirmDataLoss": { value: "all" } },
});

type Class = { new (name: string, args: object): object };
/** What a preview fills in of each output. */
const fillings = (kind: KindName): Properties => definitions[kind].outputs.shape.outputs;

const classes = { Cluster, Pod, ServerlessEndpoint, Template } as unknown as Record<KindName, Class>;

/** The values of all such outputs, with what the program sees as unknown. */
let seen: Record<string, unknown> = {};

const program = (changed: "change" | "replace" | undefined) => () => {
  seen = {};
  for (const [name, { kind, args, ...more }] of Object.entries(resources)) {
    const made = new classes[kind](name, { ...args, ...(changed && more[changed]) }) as Record<
      string,
      object
    >;
    for (const [output, filling] of Object.entries(fillings(kind))) {
      if (!isRecord(filling)) continue;
      const { promise } = made[output] as { promise(withUnknowns: boolean): Promise<unknown> };
      void promise(true).then((value) => (seen[`${name}.${output}`] = value));
    }
  }
};

/** The values that a preview does not tell as they turn out, at each depth. */
function wrong(previewed: unknown, actual: unknown, at: string): string[] {
  if (pulumi.isUnknown(previewed)) return [];
  if (typeof previewed !== "object" || typeof actual !== "object" || actual === null || previewed === null)
    return previewed === actual ? [] : [`${at}: ${String(previewed)}, then ${String(actual)}`];
  return Object.keys({ ...previewed, ...actual }).flatMap((key) =>
    wrong((previewed as Properties)[key], (actual as Properties)[key], `${at}.${key}`),
  );
}

/** The outputs of all kinds to which the service may add keys. */
const filled = (Object.keys(definitions) as KindName[]).flatMap((kind) =>
  Object.entries(fillings(kind)).flatMap(([output, filling]) =>
    isRecord(filling) ? [`${kind}.${output}`] : [],
  ),
);

test("knows each key of an output as it turns out, or not yet: of what is created, stays, changes and is replaced", async () => {
  const found: string[] = [];
  const ofKind = (key: string) => key.replace(/^\w+/, (name) => String(resources[name]?.kind));
  for (const changed of [undefined, undefined, "change", "replace"] as const) {
    await stack.preview(program(changed));
    const previewed = seen;
    expect(previewed).toMatchObject({ "pod.gpu": { count: 1 }, "llm.workers": { min: 0, max: 2 } });
    await stack.up(program(changed));
    const shown = Object.keys(seen).filter((key) => previewed[key] !== undefined && seen[key] !== undefined);
    expect(new Set(shown.map(ofKind))).toEqual(new Set(filled));
    found.push(...Object.keys(seen).flatMap((key) => wrong(previewed[key], seen[key], `${changed} ${key}`)));
  }
  expect(found).toEqual([]);
});

describeLong("a plan", () => {
  let project: Project;

  beforeAll(async () => {
    project = new Project(emulator, { PULUMI_EXPERIMENTAL: "1" });
    project.inline = true;
    await project.pulumi("stack", "init", "dev");
    await project.pulumi("config", "set", "podlumi:confirmDataLoss", "all");
  });
  afterAll(() => project.remove());

  const every = { ...resources, ...others };

  /** Each resource, and a template whose variables have all keys of its outputs. */
  const lines = (names: readonly string[], changed: "change" | "replace" | undefined) => [
    'const pulumi = require("@pulumi/pulumi");',
    "const text = (output) => output.apply((value) => String(JSON.stringify(value)));",
    "const env = {};",
    ...names.flatMap((name) => {
      const { kind, args, ...more } = every[name] as (typeof every)[string];
      const given = { ...args, ...(changed && more[changed]) };
      const outputs = Object.entries(fillings(kind)).filter(([, filling]) => filling !== undefined);
      return [
        `const ${name} = new podlumi.${kind}("${name}", ${JSON.stringify(given)});`,
        `env.${name} = text(${name}.id);`,
        ...("name" in fillings(kind) ? [`env.${name}_name = text(${name}.name);`] : []),
        ...outputs.flatMap(([output, filling]) => [
          `env.${name}_${output} = text(${name}.${output});`,
          ...Object.keys(filling as object).map(
            (key) => `env.${name}_${output}_${key} = text(${name}.${output}.${key});`,
          ),
        ]),
      ];
    }),
    'new podlumi.Template("uses", { image: "org/app:1", env });',
  ];

  const kept = async (...args: string[]) => {
    const { ok, printed } = await project.pulumi(...args);
    expect([ok, printed]).toEqual([true, expect.not.stringContaining("violates plan")]);
    return printed;
  };

  test("that a preview saves holds in the up through a whole life, and so does that of `up --strict`", async () => {
    const names = Object.keys(every);
    for (const changed of [undefined, "change", "replace"] as const) {
      project.declare(...lines(names, changed));
      await kept("preview", "--save-plan", "plan.json");
      await kept("up", "--yes", "--skip-preview", "--plan", "plan.json");
    }
    project.declare(...lines(names, undefined));
    await kept("up", "--yes", "--strict");
    await kept("destroy", "--yes", "--skip-preview");
  });
});
