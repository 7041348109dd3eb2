import { useHost } from "./host";

const MODULE = "github.com/pulumi/pulumi-yaml";

/** Finds the language host for programs in YAML, or builds it once, and puts it on the PATH of this process. */
export function useYaml(): Promise<void> {
  return useHost({
    command: `${MODULE}/cmd/pulumi-language-yaml`,
    pinned: { in: "language-yaml", of: MODULE },
  });
}
