/**
 * Program: what has to hold of the published package beside the specifications. It takes minutes and fetches its tools, so it is
 * no part of `npm test`. `--write` accepts the public interface as it is.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");
const work = mkdtempSync(join(tmpdir(), "podlumi-gates-"));
const accept = process.argv.includes("--write");
const tools = {
  publint: "publint@0.3.25",
  attw: "@arethetypeswrong/cli@0.18.5",
  knip: "knip@5.88.1",
  "api-extractor": "@microsoft/api-extractor@7.60.1",
};
const failed = [];

function run(command, args, options = {}) {
  return execFileSync(command, args, {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    ...options,
  });
}

function gate(name, check) {
  try {
    check();
    console.log(`ok      ${name}`);
  } catch (error) {
    failed.push(name);
    console.log(
      `FAILED  ${name}\n${error.stdout ?? ""}${error.stderr ?? ""}${error.stdout ? "" : error.message}`,
    );
  }
}

const tool = (name, ...args) => run("npx", ["--yes", `--package=${tools[name]}`, "--", name, ...args]);
const [{ filename }] = JSON.parse(
  run("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", work]),
);
const tarball = join(work, filename);

gate("publint: the package's fields lead to files that are there", () =>
  tool("publint", "run", "--strict", tarball),
);
gate("attw: every entry point has types, however it is resolved", () => tool("attw", tarball));
gate("knip: no file and no dependency that nobody uses", () =>
  tool("knip", "--no-progress", "--include", "files,dependencies,unlisted,unresolved"),
);

const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
for (const [entry, { types }] of Object.entries(exports)) {
  if (types === undefined || entry === "./provider") continue;
  const name = entry === "." ? "podlumi" : entry.slice(2);
  gate(`api-extractor: the public interface of ${name} is the one in test/gates/api`, () =>
    interfaceOf(name, types),
  );
}

function interfaceOf(name, types) {
  const report = `${name}.api.md`;
  // The tool looks for the package above its configuration.
  const cache = join(root, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const config = join(cache, `api-of-${name}.json`);
  const settings = {
    projectFolder: root,
    mainEntryPointFilePath: join(root, types),
    compiler: { tsconfigFilePath: join(root, "tsconfig.build.json") },
    apiReport: {
      enabled: true,
      reportFileName: report,
      reportFolder: work,
      reportTempFolder: join(work, "temp"),
    },
    docModel: { enabled: false },
    tsdocMetadata: { enabled: false },
    dtsRollup: { enabled: false },
    messages: {
      compilerMessageReporting: { default: { logLevel: "none" } },
      extractorMessageReporting: { default: { logLevel: "none" } },
      tsdocMessageReporting: { default: { logLevel: "none" } },
    },
  };
  writeFileSync(config, JSON.stringify(settings));
  tool("api-extractor", "run", "--local", "--config", config);
  const kept = join(root, "test/gates/api", report);
  const text =
    name === "plugin" ? withoutLinesOf("podlumi.api.md", report) : readFileSync(join(work, report), "utf8");
  if (accept) {
    mkdirSync(join(root, "test/gates/api"), { recursive: true });
    writeFileSync(kept, text);
  } else if (!existsSync(kept) || readFileSync(kept, "utf8") !== text) {
    throw new Error(`it has changed: look at it, then accept it with \`npm run gates -- --write\``);
  }
}

/** The plugin's entry has everything of the other one. */
function withoutLinesOf(other, report) {
  const [known, lines] = [other, report].map((file) => readFileSync(join(work, file), "utf8").split("\n"));
  return `${lines.filter((line) => !known.includes(line)).join("\n")}\n`;
}

const free =
  /^\(?(MIT|Apache-2\.0|ISC|0BSD|BSD-[23]-Clause|BlueOak-1\.0\.0|Python-2\.0|CC0-1\.0|CC-BY-3\.0|BSD-3-Clause AND Apache-2\.0)\)?$/;
/** Packages of Pulumi that tell their license, MIT, in another form than npm's list takes. */
const toldElsewhere = ["@logdna/tail-file"];
gate(
  "licenses: what is installed with the package has a permissive license; the SBOM is sbom.cdx.json",
  () => {
    // Of an installed package, because the workspaces of the repository depend on each other in a circle.
    const app = { cwd: mkdtempSync(join(work, "app-")) };
    writeFileSync(join(app.cwd, "package.json"), JSON.stringify({ name: "app", version: "1.0.0" }));
    run("npm", ["install", "--package-lock-only", "--ignore-scripts", tarball], app);
    const sbom = run("npm", ["sbom", "--package-lock-only", "--omit=dev", "--sbom-format=cyclonedx"], app);
    writeFileSync(join(root, "sbom.cdx.json"), sbom);
    const others = JSON.parse(sbom)
      .components.map(({ name, licenses = [] }) => [
        name,
        licenses.map(({ license, expression }) => expression ?? license.id).join(),
      ])
      .filter(([name, license]) => !free.test(license) && !toldElsewhere.includes(name));
    if (others.length > 0) throw new Error(others.map((one) => one.join(": ")).join("\n"));
  },
);

rmSync(work, { recursive: true });
console.log(failed.length === 0 ? "all gates are passed" : `${failed.length} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;
