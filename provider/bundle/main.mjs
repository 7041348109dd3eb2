/**
 * Program: bundles the handlers of dynamic providers, the plugin and the command line into one file each, with their
 * libraries. Each run starts them, and loading hundreds of files would take twice as long.
 */
import { chmodSync, copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { setFlagsFromString } from "node:v8";
import { Script } from "node:vm";
import { build, transform } from "esbuild";
import { addressesOf } from "./addresses.cjs";

const target = "node20.19";

// No program loads a file of types alone. The TypeScript 3.8 that Pulumi brings does not know this form of an export.
for (const file of readdirSync("dist", { recursive: true }).filter((name) => name.endsWith(".d.ts"))) {
  const path = join("dist", file);
  writeFileSync(path, readFileSync(path, "utf8").replaceAll(/^export type \* from/gm, "export * from"));
}

await launched("provider/dynamic.ts", "dist/provider/dynamic.js", ["@pulumi/*"]);

const plugin = "dist/plugin/pulumi-resource-podlumi";
// gRPC loads this one, and its parser of protocols, only for an interface of administration.
await launched("provider/plugin/main.ts", plugin, ["@grpc/proto-loader"]);

const commandLine = "dist/sdk/cli/main.js";
rmSync(dirname(commandLine), { recursive: true });
await bundle("sdk/cli/main.ts", commandLine, { external: ["podlumi/*", "fastify"] });

for (const program of [plugin, commandLine]) chmodSync(program, 0o755);
writeFileSync(`${plugin}.cmd`, '@node "%~dp0pulumi-resource-podlumi" %*\r\n');
const schema = { ...json("provider/plugin/schema.json"), ...addressesOf(json("package.json")) };
writeFileSync("dist/plugin/schema.json", `${JSON.stringify(schema, undefined, 2)}\n`);

/** Bundles a program that each command of Pulumi starts. Its launcher takes what V8 compiles of the bundle here. */
async function launched(entry, launcher, external) {
  const file = join(dirname(launcher), "bundle.js");
  const asFunction = {
    banner: { js: "(function (require, module, exports, __dirname) {" },
    footer: { js: "})" },
  };
  await bundle(entry, file, { external, ...asFunction });
  copyFileSync("provider/bundle/launcher.cjs", launcher);
  writeFileSync(join(dirname(launcher), `bundle.${process.arch}.compiled`), compiled(file));
}

/** Every function of a script, compiled for the V8 of this process. */
function compiled(file) {
  setFlagsFromString("--no-lazy");
  const script = new Script(readFileSync(file, "utf8"), { filename: resolve(file) });
  setFlagsFromString("--lazy");
  return script.createCachedData();
}

function json(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}

async function bundle(entry, outfile, options) {
  const { metafile } = await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    target,
    // Prefer the ES modules of a library, because only their used parts are bundled.
    mainFields: ["module", "main"],
    conditions: ["import", "module"],
    plugins: [
      { name: "undici", setup: agentsOnly },
      { name: "comments", setup: withoutComments },
    ],
    metafile: true,
    logLevel: "warning",
    legalComments: "none",
    ...options,
  });
  writeFileSync(join(dirname(outfile), "LICENSES.txt"), licenses(outfile, Object.keys(metafile.inputs)));
}

function agentsOnly({ onResolve }) {
  onResolve({ filter: /^undici\/index\.js$/ }, () => ({ path: join(import.meta.dirname, "undici.cjs") }));
}

/** V8 keeps the text of a file in memory. esbuild drops all comments of a module only where it minifies that. */
function withoutComments({ onLoad }) {
  onLoad({ filter: /\.(?:[cm]?js|ts)$/ }, async ({ path }) => {
    const loader = path.endsWith(".ts") ? "ts" : "js";
    const { code } = await transform(readFileSync(path, "utf8"), { loader, target, minifyWhitespace: true });
    return { contents: code, loader: "js" };
  });
}

/** The licenses of the packages in a bundle, which each package requires. */
function licenses(outfile, files) {
  const packages = new Set(files.flatMap((file) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []));
  const texts = [...packages].sort().map((folder) => {
    const { name, version, license } = json(join(folder, "package.json"));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file === undefined ? `License: ${license}` : readFileSync(join(folder, file), "utf8").trim();
    return `${name} ${version}\n\n${text}\n`;
  });
  return [`${outfile} contains these packages.\n`, ...texts].join(`\n${"-".repeat(80)}\n\n`);
}
