import { cpSync, readdirSync, readFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { version } from "../../package.json";
import type { Project } from "./project";

const {
  PODLUMI_TEST_PYTHON: python = "",
  PODLUMI_TEST_GO: go = "",
  PODLUMI_TEST_JAVA: java = "",
  PODLUMI_TEST_GENERATE_SDK: generator = "",
} = process.env;

/** `describe`, where the long specifications are run and the machine has Python. The set-up says why it has none. */
export const describePython = python === "" ? describe.skip : describe;
/** `describe`, where the long specifications are run and the machine has Go. */
export const describeGo = go === "" ? describe.skip : describe;
/** `describe`, where the long specifications are run and the machine has Java and Maven. The set-up says why it has none. */
export const describeJava = java === "" ? describe.skip : describe;

/** Runs a command of a project that has to succeed. Returns what it printed. */
async function succeed(project: Project, command: string, ...args: string[]): Promise<string> {
  const { ok, printed } = await project.run(command, args);
  if (!ok) throw new Error(`${command} ${args.join(" ")}\n${printed}`);
  return printed;
}

/** The installation in the pages: the plugin goes to the folder where Pulumi looks for plugins. */
export async function installPlugin(project: Project): Promise<void> {
  const plugin = ["resource", "podlumi", version, "--file", resolve("dist/plugin")];
  await succeed(project, "pulumi", "plugin", "install", ...plugin);
}

/** Generates the SDK for a language from the schema that the engine gets from the installed plugin. */
async function generateSdk(project: Project, language: "python" | "go"): Promise<void> {
  const schema = await succeed(project, "pulumi", "package", "get-schema", "podlumi");
  project.file("schema.json", schema);
  await succeed(project, generator, language, "schema.json", "sdks/podlumi");
}

/**
 * As `pulumi install` in a project in Python: it generates the SDK, and installs the requirements in `venv`. That
 * has Pulumi's SDK from the environment of the tests, so nothing is downloaded.
 */
export async function installPython(project: Project): Promise<void> {
  await installPlugin(project);
  await generateSdk(project, "python");
  const { environment, folder } = project;
  environment.PATH = [join(folder, "venv", "bin"), python, environment.PATH].join(delimiter);
  await succeed(project, join(python, "python"), "-m", "venv", "--without-pip", "venv");
  const [library = ""] = readdirSync(join(python, "..", "lib"));
  const site = join("lib", library, "site-packages");
  project.file(join("venv", site, "tests.pth"), resolve(python, "..", site));
  const offline = ["--quiet", "--no-index", "--no-build-isolation", "--no-compile"];
  const pip = ["-m", "pip", "--python", "venv", "install", ...offline];
  await succeed(project, join(python, "python"), ...pip, "--requirement", "requirements.txt");
}

/** As `pulumi install` in a project in Go. The program is built with the modules of the engine's own build. */
export async function installGo(project: Project): Promise<void> {
  await installPlugin(project);
  await generateSdk(project, "go");
  const sdk = "example.com/pulumi-podlumi/sdk/go";
  const engine = join("test", "engine", "pulumi");
  const pinned = readFileSync(join(engine, "go.mod"), "utf8").replace(/^module .*/m, "module specification");
  project.file("go.mod", `${pinned}\nrequire ${sdk} v0.0.0\nreplace ${sdk} => ./sdks/podlumi\n`);
  project.file("go.sum", readFileSync(join(engine, "go.sum"), "utf8"));
  Object.assign(project.environment, { CGO_ENABLED: "0", GOFLAGS: "-mod=mod", GOPROXY: "off" });
}

/** As the page of other languages says. Maven downloads nothing. */
export async function installJava(project: Project): Promise<void> {
  await installPlugin(project);
  await succeed(
    project,
    "pulumi",
    "package",
    "gen-sdk",
    "podlumi",
    "--local",
    "--language",
    "java",
    "--out",
    "sdks",
  );
  for (const folder of [java, join(project.folder, "sdks", "java")])
    cpSync(join(folder, "src"), join(project.folder, "src"), { recursive: true });
  project.file("pom.xml", readFileSync(join(java, "pom.xml"), "utf8"));
  project.file(join(".mvn", "maven.config"), "--offline\n");
  // To compile the SDK at once takes less than to optimize the compiler first.
  project.environment.MAVEN_OPTS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";
}
