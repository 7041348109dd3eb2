/**
 * `npm run coverage`: which lines of provider/ run in the specifications: in the processes that the engine starts for both faces,
 * and in those of the specifications themselves. Fails below the floor. Takes arguments of Jest; default: the specifications that
 * are about the provider.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { isAbsolute, join, relative, resolve } from "node:path";

/** Per cent of the lines of provider/ that run at least. They were 89.6 on 2026-11-23. */
const floor = 89;
const tool = { name: "monocart-coverage-reports", version: "2.13.0" };
const usual = [
  "test/provider",
  "test/functions",
  "test/plugin/(import|invoke|life)",
  "test/programs/(adopt|references)",
];

const root = resolve(import.meta.dirname, "../..");
const work = mkdtempSync(join(tmpdir(), "podlumi-coverage-"));
const raw = join(work, "raw");
const options = { cwd: root, stdio: "inherit" };

const given = process.argv.slice(2);
let ended = 1;
try {
  mkdirSync(raw);
  const env = { ...process.env, PODLUMI_SOURCE_MAPS: "1", PODLUMI_COVERAGE: raw };
  execFileSync("npm", ["run", "--silent", "build"], { ...options, env });
  const jest = spawnSync(
    "npx",
    [
      // An option that takes a list takes all that follows, up to the next option.
      ...["jest", "--setupFiles=<rootDir>/test/coverage/children.cjs"],
      ...["--collectCoverageFrom=provider/**/*.ts", "--coverageReporters=json"],
      ...["--coverage", "--coverageProvider=v8", `--coverageDirectory=${join(work, "specifications")}`],
      ...(given.length > 0 ? given : usual),
    ],
    { ...options, env },
  );
  await reportProcesses();
  const found = printed(lines("specifications"), lines("processes"));
  const isLow = given.length === 0 && found < floor;
  if (isLow) console.error(`${found.toFixed(1)} % is below the floor of ${floor} %`);
  ended = jest.status !== 0 || isLow ? 1 : 0;
} finally {
  rmSync(work, { recursive: true, force: true });
  // Puts the build back as it is published, without source maps.
  execFileSync("node", ["test/setup.mjs"], options);
}
process.exitCode = ended;

/**
 * What V8 tells of the processes, as lines of the sources. c8 is no way: of a bundle, it takes most of what did not run to have run.
 */
async function reportProcesses() {
  const cache = join(root, "node_modules/.cache", `${tool.name}-${tool.version}`);
  const install = ["install", "--prefix", cache, "--no-audit", "--no-fund", `${tool.name}@${tool.version}`];
  if (!existsSync(cache))
    execFileSync("npm", install, { ...options, stdio: ["ignore", "ignore", "inherit"] });
  const { CoverageReport } = createRequire(join(cache, "index.js"))(tool.name);
  const report = new CoverageReport({
    outputDir: join(work, "processes"),
    baseDir: root,
    reports: ["json"],
    logging: "error",
    entryFilter: (entry) => /dist\/(provider\/dynamic\.js|plugin\/pulumi-resource-podlumi)$/.test(entry.url),
    sourceFilter: (path) => /^provider\/.*\.ts$/.test(path),
  });
  await report.addFromDir(raw);
  await report.generate();
}

/** For each file, the lines that begin a statement, and whether they ran. Jest takes each line for a statement. */
function lines(from) {
  const files = Object.values(JSON.parse(readFileSync(join(work, from, "coverage-final.json"), "utf8")));
  return new Map(
    files.map((file) => [isAbsolute(file.path) ? relative(root, file.path) : file.path, ran(file)]),
  );
}

/** A line with several statements has run when one of them has. */
function ran({ statementMap, s }) {
  const statements = Object.entries(statementMap).map(([key, { start }]) => [start.line, s[key] > 0]);
  return new Map([...statements.filter(([, ran]) => !ran), ...statements.filter(([, ran]) => ran)]);
}

/** Prints the per cents of each folder, of specifications, processes, and both. Returns those of all. */
function printed(specifications, processes) {
  const folders = new Map();
  for (const [file, all] of processes) {
    const inSpecifications = specifications.get(file) ?? new Map();
    const [, folder = "*.ts"] = /^provider\/(\w+)\//.exec(file) ?? [];
    for (const name of [`provider/${folder}`, "all"]) {
      const sum = folders.get(name) ?? { lines: 0, specifications: 0, processes: 0, both: 0 };
      folders.set(name, sum);
      for (const [line, ran] of all) {
        const there = inSpecifications.get(line) === true;
        sum.lines += 1;
        sum.specifications += there ? 1 : 0;
        sum.processes += ran ? 1 : 0;
        sum.both += ran || there ? 1 : 0;
      }
    }
  }
  const of = (part, { lines }) => `${((100 * part) / lines).toFixed(1)} %`;
  console.log("| Folder | Lines | Specifications | Engine's processes | Both |\n|---|---|---|---|---|");
  for (const [name, sum] of [...folders].sort()) {
    const parts = [sum.specifications, sum.processes, sum.both].map((part) => of(part, sum));
    console.log(`| ${name} | ${sum.lines} | ${parts.join(" | ")} |`);
  }
  const all = folders.get("all");
  return (100 * all.both) / all.lines;
}
