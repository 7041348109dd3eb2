import { execFile } from "node:child_process";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { cacheFolder, makeOnce } from "./cache";
import { digest } from "./generator";
import { useHost } from "./host";
import { reason } from "./index";
import { run } from "./progress.cjs";

const MODULE = "github.com/pulumi/pulumi-java/pkg";
const FOLDER = "language-java";

/**
 * Makes what the specification of programs in Java needs, once: the language host, and in Maven's cache Pulumi's SDK and the plugins of
 * Maven. `$PODLUMI_TEST_JAVA`, a folder with a project, tells that all of it is there.
 */
export async function useJava(): Promise<void> {
  try {
    await requireMaven();
    await useHost({
      command: `${MODULE}/cmd/pulumi-language-java`,
      pinned: { in: FOLDER, of: MODULE },
    });
    process.env.PODLUMI_TEST_JAVA = await projectWithPackages();
  } catch (error) {
    throw new Error(`the specification of programs in Java is skipped: ${reason(error)}`);
  }
}

async function requireMaven(): Promise<void> {
  const ask = promisify(execFile);
  await Promise.all([ask("javac", ["--version"]), ask("mvn", ["--version"])]).catch(() => {
    throw new Error("no Java 11 or later with Maven");
  });
}

/** A project without resources, which has run once, so that Maven has downloaded what it needs. */
async function projectWithPackages(): Promise<string> {
  const source = join(__dirname, FOLDER);
  const project = cacheFolder(`java-project-${digest(join(source, "pom.xml"))}`);
  await makeOnce(project, async (folder) => {
    await cp(source, folder, { recursive: true });
    const command = ["--batch-mode", "--no-transfer-progress", "compile", "exec:java"];
    await run("engine: downloading Pulumi's SDK for Java (once)", "mvn", command, { cwd: folder });
  });
  return project;
}
