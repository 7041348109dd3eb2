import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import * as podlumi from "podlumi";
import { kindNames } from "../kinds";

/** What state files and the engine rely on. Changing it would break every existing stack. */
const classes: Pick<typeof podlumi, (typeof kindNames)[number]> = podlumi;
const kinds = kindNames.map((kind) => [kind, classes[kind]] as const);

test.each(kinds)(
  "the state of a %s names its provider in at most 100 bytes, and the name is found",
  async (kind, Class) => {
    const inputs = await new Promise<Record<string, unknown>>((registered) => {
      pulumi.runtime.setMocks({
        call: () => ({}),
        newResource: ({ type, inputs }) => {
          if (type === `pulumi-nodejs:dynamic/podlumi:${kind}`) registered(inputs);
          return { id: "id-of-the-provider", state: inputs };
        },
      });
      new Class("name", {} as never);
    });
    const text = `exports.handler=()=>require("podlumi/provider").${kind}`;
    const __urn = expect.stringMatching(`^urn:pulumi:.*::pulumi-nodejs:dynamic/podlumi:${kind}::name$`);
    expect(inputs).toEqual({ __provider: text, __urn, __providerId: "id-of-the-provider" });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(100);

    const script = `
    const m = { exports: {} };
    new Function("exports", "require", ${JSON.stringify(text)})(m.exports, require);
    console.log(Object.keys(m.exports.handler()).sort().join());
  `;
    const verbs = execFileSync(process.execPath, ["-e", script], {
      cwd: resolve("examples/quickstart"),
      encoding: "utf8",
    });
    expect(verbs.trim()).toBe("check,configure,create,delete,diff,read,update");
  },
);

test("a program that imports podlumi loads of the provider only names and what it computes itself, and no libraries", () => {
  const script = 'require("podlumi"); console.log(Object.keys(require.cache).join("\\n"))';
  const loaded = execFileSync(process.execPath, ["-e", script], {
    cwd: resolve("examples/quickstart"),
    encoding: "utf8",
  }).split("\n");
  expect(loaded).toContain(resolve("dist/sdk/pod.js"));
  expect(loaded).toContain(resolve("dist/sdk/functions/catalog.js"));
  const names =
    /dist\/provider\/(identity|did-you-mean|cost\/[\w-]+|schema\/(arguments|shape)|core\/state\/secret-value|value|resources\/[\w-]+\/(?:[\w-]+\/)?(types|outputs|derived)|functions\/([\w-]+\/types|signatures))\.js$/;
  const unwanted = /dist\/provider|node_modules\/(zod|undici|graphql|graphql-request)\//;
  expect(loaded.filter((file) => unwanted.test(file) && !names.test(file))).toEqual([]);
});

test("the first call of a function loads the provider, and not GraphQL", () => {
  const script = `
    process.env.RUNPOD_API_KEY = "key";
    process.env.RUNPOD_API_URL = "no address";
    require("podlumi").getGpuTypes().catch(({ message }) => console.log(message, ...Object.keys(require.cache)));
  `;
  const loaded = execFileSync(process.execPath, ["-e", script], {
    cwd: resolve("examples/quickstart"),
    encoding: "utf8",
  });
  expect(loaded).toMatch(/^getGpuTypes: RUNPOD_API_URL must be an address/);
  expect(loaded).toMatch(/dist\/provider\/toolkit.js/);
  expect(loaded).not.toMatch(/node_modules\/(graphql|graphql-request)\//);
});

test("a program that is an ES module imports podlumi by its names", () => {
  const script = 'import { Pod, Provider } from "podlumi"; console.log(typeof Pod, typeof Provider)';
  const args = ["--input-type=module", "-e", script];
  expect(
    execFileSync(process.execPath, args, { cwd: resolve("examples/quickstart"), encoding: "utf8" }).trim(),
  ).toBe("function function");
});

test("an error of a constructor keeps the program's stack, and what reads stacks is left as it was", () => {
  const before = Error.prepareStackTrace;
  const mapped = jest.fn((error: Error, frames: NodeJS.CallSite[]) => [error, ...frames].join("\n"));
  Error.prepareStackTrace = mapped;
  try {
    let thrown: Error | undefined;
    try {
      new podlumi.Pod("", { image: "org/app:1" } as never);
    } catch (error) {
      thrown = error as Error;
    }
    expect(mapped).not.toHaveBeenCalled();
    expect(thrown?.stack).toContain("contract.spec");
    expect(mapped).toHaveBeenCalledTimes(1);
    expect(Error.prepareStackTrace).toBe(mapped);
  } finally {
    Error.prepareStackTrace = before;
  }
});
