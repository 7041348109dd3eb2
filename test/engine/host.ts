import { mkdir } from "node:fs/promises";
import { basename, delimiter, join } from "node:path";
import { cacheFolder, makeOnce } from "./cache";
import { isOnPath } from "./on-path";
import { goBuild, pinnedIn } from "./source";

/** A language host of Pulumi: the program with which the engine runs programs in a language. */
interface Host {
  /** Its Go package. The last part is its name. */
  readonly command: string;
  /** The folder whose go.mod pins its version, and the Go module that the version is of. */
  readonly pinned: { readonly in: string; readonly of: string };
  /** Puts into the folder what the host needs beside it. */
  readonly complete?: (bin: string) => Promise<void>;
}

/** Finds a language host, or builds it once, and puts it on the PATH of this process. */
export async function useHost({ command, pinned, complete }: Host): Promise<void> {
  const name = basename(command);
  if (isOnPath(name)) return;
  const language = name.replace("pulumi-language-", "");
  const cached = cacheFolder(`${language}-${pinnedIn(pinned.in, pinned.of)}`);
  await makeOnce(cached, async (root) => {
    const bin = join(root, "bin");
    await mkdir(bin);
    await goBuild(bin, { command, module: pinned.in, takes: "1 to 2 minutes" });
    await complete?.(bin);
  });
  process.env.PATH = [process.env.PATH, join(cached, "bin")].join(delimiter);
}
