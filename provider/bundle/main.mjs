/**
 * Program: makes dist/provider/dynamic.js one file, with the libraries that it needs. The engine starts a process for the
 * provider in each run, and from hundreds of files it would take twice as long to load.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const { metafile } = await build({
  entryPoints: ["provider/dynamic.ts"],
  outfile: "dist/provider/dynamic.js",
  bundle: true,
  platform: "node",
  target: "node20.19",
  external: ["@pulumi/*"],
  // Of libraries that come as ES modules too, only what is used.
  mainFields: ["module", "main"],
  conditions: ["import", "module"],
  plugins: [{ name: "undici", setup: agentsOnly }],
  metafile: true,
  logLevel: "warning",
});
writeFileSync("dist/provider/LICENSES.txt", licenses(Object.keys(metafile.inputs)));

function agentsOnly({ onResolve }) {
  onResolve({ filter: /^undici$/ }, () => ({ path: join(import.meta.dirname, "undici.cjs") }));
}

/** Of the packages in the bundle, as each of them demands. */
function licenses(files) {
  const packages = new Set(files.flatMap((file) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []));
  const texts = [...packages].sort().map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    if (file === undefined) throw new Error(`${name} comes without the text of its license`);
    return `${name} ${version}\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
  });
  return ["dist/provider/dynamic.js contains these packages.\n", ...texts].join(`\n${"-".repeat(80)}\n\n`);
}
