import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder, makeOnce } from "./cache";
import { goBuild, pinnedVersion } from "./source";

const NAME = "generate-sdk";

/** Builds the generator of SDKs for other languages, once: `$PODLUMI_TEST_GENERATE_SDK`. */
export async function useGenerator(): Promise<void> {
  const source = digest(join(__dirname, "pulumi", NAME, "main.go"));
  const cached = cacheFolder(`${NAME}-${pinnedVersion()}-${source}`);
  await makeOnce(cached, (root) =>
    goBuild(root, { command: `./${NAME}`, module: "pulumi", takes: "about 2 minutes" }),
  );
  process.env.PODLUMI_TEST_GENERATE_SDK = join(cached, NAME);
}

/** Tells versions of a file apart. */
export function digest(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex").slice(0, 8);
}
