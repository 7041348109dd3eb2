import { mkdir } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { cacheFolder, makeOnce } from "./cache";
import { isOnPath } from "./on-path";
import { goBuild, pinnedIn } from "./source";

const NAME = "pulumi-language-yaml";
const MODULE = "language-yaml";

/** Finds the language host for programs in YAML, or builds it once, and puts it on the PATH of this process. */
export async function useYaml(): Promise<void> {
  if (isOnPath(NAME)) return;
  const version = pinnedIn(MODULE, "github.com/pulumi/pulumi-yaml");
  const cached = cacheFolder(`yaml-${version}`);
  await makeOnce(cached, async (root) => {
    const bin = join(root, "bin");
    await mkdir(bin);
    const command = "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml";
    await goBuild(bin, { command, module: MODULE, takes: "1 to 2 minutes" });
  });
  process.env.PATH = [process.env.PATH, join(cached, "bin")].join(delimiter);
}
