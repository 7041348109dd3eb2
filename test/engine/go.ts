import { useGenerator } from "./generator";
import { useHost } from "./host";
import { run } from "./progress.cjs";
import { inModule } from "./source";

const SDK = "github.com/pulumi/pulumi/sdk/v3";

/**
 * Makes what the specification of programs in Go needs: the generator of SDKs, the language host, and Pulumi's SDK in
 * Go's caches. `$PODLUMI_TEST_GO` tells that all of it is there. Only for the long specifications: to compile an SDK for
 * the first time takes half a minute.
 */
export async function useGo(): Promise<void> {
  await useGenerator();
  await useHost({
    command: `${SDK}/go/pulumi-language-go`,
    pinned: { in: "language-go", of: SDK },
  });
  const build = ["build", `${SDK}/go/pulumi`];
  await run("engine: compiling Pulumi's SDK for Go (about 1 minute, once)", "go", build, inModule("pulumi"));
  process.env.PODLUMI_TEST_GO = "1";
}
