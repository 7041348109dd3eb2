import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type ts from "typescript";
import { parse } from "yaml";
import * as z from "zod";
import { functions } from "../../provider/functions";
import { definitions } from "../../provider/resources";
import { programOf } from "../harness/page";
import { inOtherLanguages } from "./languages";
import { llms, pages } from "./pages";
import { inTypeScript } from "./registry";
import { schema, signatures } from "./schema";
import { checker, propertiesOf } from "./source";

const read = (...path: string[]) => readFileSync(join(...path), "utf8");

/** The files below a folder whose names end with `end`. */
function filesBelow(folder: string, end: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(end) && !file.includes("node_modules"))
    .map((file) => join(folder, file));
}

const written = [
  "README.md",
  "CONTRIBUTING.md",
  ...filesBelow("docs", ".md"),
  ...filesBelow("examples", ".md"),
];

describe("the pages that are made from the sources", () => {
  let made: Map<string, string>;
  // The limit is long, because the compiler reads podlumi's and Pulumi's sources.
  beforeAll(() => {
    made = pages();
  }, 120_000);

  test("are as `npm run docs` makes them now", () => {
    for (const [page, text] of made) expect(read("docs", page)).toBe(text);
    expect(read("provider/plugin/schema.json")).toBe(schema());
    expect(read("llms.txt")).toBe(llms());
  });

  test("explain every argument, output and property", () => {
    const silent = [...made].flatMap(([page, text]) =>
      [...text.matchAll(/^\| `.*\|\s+\|$/gm)].map(([row]) => `${page} ${row}`),
    );
    expect(silent).toEqual([]);
  });

  test("break off nowhere, as TypeScript does after `@throws {@link`", () => {
    for (const [, text] of made) expect(text).not.toMatch(/^(Throws|Returns:) .*\{$/m);
  });

  test("are all there, and no others", () => {
    const resources = [...made.keys()].filter((page) => page.startsWith("resources/"));
    expect(readdirSync("docs/resources").map((file) => `resources/${file}`)).toEqual(resources.sort());
  });

  test.each(Object.entries(definitions))(
    "that of %s has a row for every field of its table",
    (kind, { fields }) => {
      const [, page = ""] = [...made].find(([, text]) => text.includes(`\n# ${kind}\n`)) ?? [];
      for (const name of Object.keys(fields)) expect(page).toContain(`| \`${name}\` |`);
    },
  );
});

/** The words that a type names, or those of its items. */
function wordsOf(type: ts.Type): string[] {
  const [item = type] = checker.isArrayType(type) ? checker.getTypeArguments(type as ts.TypeReference) : [];
  const all = item.isUnion() ? item.types : [item];
  // Any other text is taken beside the known ids of the catalog.
  if (all.some((one) => one.isIntersection())) return [];
  return all.filter((one) => one.isStringLiteral()).map(({ value }) => value);
}

test.each(signatures())("the plugin takes each word that the types of $name have", ({ name, node }) => {
  const [given] = node.parameters;
  const passed = checker.getTypeFromTypeNode(given?.type as ts.TypeNode);
  const args = functions[name].args as Record<string, z.ZodType>;
  for (const property of propertiesOf(passed)) {
    const { enum: words, items } = z.toJSONSchema(
      args[property.name] as z.ZodType,
    ) as z.core.JSONSchema.BaseSchema;
    const taken = words ?? (items as z.core.JSONSchema.BaseSchema | undefined)?.enum ?? [];
    const wanted = wordsOf(checker.getNonNullableType(property.type));
    expect({ [property.name]: [...taken].sort() }).toEqual({ [property.name]: wanted.sort() });
  }
});

describe("the pages for Pulumi's registry", () => {
  test("show the program in TypeScript that docs/languages.md has in YAML, which a specification runs", () => {
    const declarations = inTypeScript.replace(/^const config.*$/m, "");
    const { yaml } = inOtherLanguages(`\`\`\`ts\n${declarations}\`\`\``);
    expect(parse(yaml).resources).toEqual(parse(programOf("docs/languages.md", "yaml")).resources);
  });

  test("name each key of the configuration with its variable, as docs/deploying.md does", () => {
    const keys = (page: string) =>
      [...read(page).matchAll(/^\| `(podlumi:\w+)`[^|]*\| `?(\w*)`? *\|/gm)].map(([, ...key]) => key);
    expect(keys("docs/installation-configuration.md")).toEqual(keys("docs/deploying.md"));
    expect(keys("docs/deploying.md")).toContainEqual(["podlumi:apiKey", "RUNPOD_API_KEY"]);
  });
});

test("the page of the catalog has the ids that editors complete, of the same day", () => {
  const types = read("provider/resources/known/types.ts");
  const page = read("docs/catalog.md");
  const ids = [...types.matchAll(/"(.*?)"/g)].map(([, id = ""]) => id);
  expect(ids.length).toBeGreaterThan(70);
  expect(ids.filter((id) => !page.includes(`\`${id}\``))).toEqual([]);
  const [day] = /catalog of [\d-]+/.exec(types) ?? [];
  expect(page).toContain(day);
});

describe("the troubleshooting", () => {
  const page = read("docs/troubleshooting.md");
  const sources = ["provider", "sdk"]
    .flatMap((folder) => filesBelow(folder, ".ts"))
    .map((file) => read(file))
    .join();

  test("has an entry for each code, and a code for each entry", () => {
    const codes = new Set([...sources.matchAll(/PODLUMI(-[A-Z]+)+/g)].map(([code]) => code));
    const entries = [...page.matchAll(/^### (.*)$/gm)].map(([, heading = ""]) => heading);
    expect(entries.length).toBeGreaterThan(40);
    expect([...codes].sort()).toEqual([...entries].sort());
  });

  test("quotes what podlumi says", () => {
    const quotes = [...page.matchAll(/^\| … `([^`]*)`(?: …)? \|.*$/gm)].map(([, quote = ""]) => quote);
    expect(quotes.length).toBeGreaterThan(5);
    expect(quotes.filter((quote) => !sources.includes(quote))).toEqual([]);
  });
});

test.each(written)("every link of %s leads somewhere", (file) => {
  const text = read(file).replace(/```[\s\S]*?```/g, "");
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
  const dead = links.filter((link) => {
    if (/^https:/.test(link)) return false;
    const [path = "", anchor] = link.split("#");
    const target = path === "" ? file : join(dirname(file), path);
    return !existsSync(target) || (anchor !== undefined && !anchorsOf(read(target)).includes(anchor));
  });
  expect(dead).toEqual([]);
});

/** The anchors that GitHub makes from headings. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, "")
      .replaceAll(" ", "-"),
  );
}

test("the README's recording and picture are there, and small enough for a page", () => {
  expect(read("docs/demo.svg").length).toBeLessThan(300_000);
  expect(existsSync("docs/emulator.png")).toBe(true);
});

const migrations = ["docs/migration-pulumi-runpod.md", "docs/migration-terraform.md"];
test.each(migrations)("%s names arguments that there are", (file) => {
  const known = [...filesBelow("docs/resources", ".md"), "docs/reference.md", "README.md"]
    .map((page) => read(page))
    .join();
  const cells = [...read(file).matchAll(/^\|.*\| (.*) \|$/gm)].map(([, cell = ""]) => cell);
  const names = cells.flatMap((cell) => [...cell.matchAll(/`(\w+)(?:`|:)/g)].map(([, name = ""]) => name));
  expect(names.length).toBeGreaterThan(30);
  expect([...new Set(names)].filter((name) => !known.includes(name))).toEqual([]);
});
