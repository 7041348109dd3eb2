import { readdirSync, readFileSync } from "node:fs";

/** The folders of the core, the lowest first. */
const layers = [
  ["kind"],
  ["mark"],
  ["call"],
  ["state"],
  ["compare", "names"],
  ["own"],
  ["guard"],
  ["send"],
  ["verbs"],
];

test("the folders of the core are layers, as CONTRIBUTING.md says", () => {
  const folders = readdirSync("provider/core", { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  expect(folders.map(({ name }) => name).sort()).toEqual(layers.flat().sort());
  const line = [...layers].reverse().map((folders) => folders.join(", "));
  expect(readFileSync("CONTRIBUTING.md", "utf8")).toContain(`\`${line.join(" → ")}\``);
});

test.each(
  layers.flatMap((folders, height) =>
    folders.map((folder) => ({ folder, below: layers.slice(0, height).flat() })),
  ),
)("in the core, $folder imports nothing but $below", ({ folder, below }) => {
  const files = readdirSync(`provider/core/${folder}`).map((name) => `provider/core/${folder}/${name}`);
  const imported = files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/ from "\.\.\/(\w+)["/]/g)].map(([, other]) => String(other)),
  );
  const others = imported.filter((other) => layers.flat().includes(other));
  expect(others.filter((other) => !below.includes(other))).toEqual([]);
});
