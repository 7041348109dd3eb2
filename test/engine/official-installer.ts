/**
 * Program: installs the Pulumi CLI with the vendor's installer.
 * Usage: `tsx official-installer.ts VERSION ROOT`. The commands are installed in `ROOT/bin`.
 */
import { PulumiCommand } from "@pulumi/pulumi/automation";
import { SemVer } from "semver";

const [version = "", root = ""] = process.argv.slice(2);

PulumiCommand.install({ version: new SemVer(version), root }).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
