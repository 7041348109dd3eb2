import { existsSync, readdirSync, readFileSync } from "node:fs";
import * as dynamic from "podlumi";
import * as plugin from "podlumi/plugin";
import provider from "podlumi/provider";
import { definitions } from "../../provider/resources";
import type { Service } from "../../sdk/emulator/service/state/service";
import type { EmulatorSnapshot } from "../../sdk/emulator/types";
import { fileOfKind } from "./markdown";

// This does not compile if the type of a snapshot lacks a kind that the emulator has.
void ("pods" as keyof ReturnType<Service["snapshot"]> satisfies keyof EmulatorSnapshot);

test.each(Object.entries(definitions))("%s has the name of its class", (kind, { type }) => {
  expect(type).toBe(kind);
});

// A kind has a file of its own there, or shares one.
const lives = readdirSync("test/lifecycle").map((file) => readFileSync(`test/lifecycle/${file}`, "utf8"));

describe.each(Object.keys(definitions))("%s is not forgotten:", (kind) => {
  test.each([
    ["podlumi", dynamic],
    ["podlumi/plugin", plugin],
    ["podlumi/provider", provider],
  ])("%s exports it", (_name, module) => {
    expect(module).toHaveProperty(kind);
  });

  test("the table of the README has it", () => {
    expect(readFileSync("README.md", "utf8")).toContain(
      `| [\`${kind}\`](docs/resources/${fileOfKind(kind)}) |`,
    );
  });

  test("a specification takes it through its whole life", () => {
    const own = `test/lifecycle/${fileOfKind(kind).replace(/\.md$/, ".spec.ts")}`;
    expect(existsSync(own) || lives.some((life) => life.includes(`  resource: ${kind},`))).toBe(true);
  });
});
