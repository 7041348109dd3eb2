import { join } from "node:path";
import type { Command } from "commander";
import { mustHaveFastify } from "../../emulator/load";
import { ownFolder } from "../package";

/** The emulator's program, which is part of the package. */
const program = join(ownFolder, "dist/test/emulator/main.js");

/** `podlumi emulator`: the service on this machine. The emulator reads the options itself. */
export function emulator(parent: Command): void {
  parent
    .command("emulator")
    .description(
      "run the service on this machine: no account, no costs; `emulator -- pulumi up` runs a command with it",
    )
    .argument("[options...]")
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions()
    .action(() => {
      // As they were given: the parser of the command line takes away the `--` before a command.
      const options = process.argv.slice(process.argv.indexOf("emulator") + 1);
      if (!isHelp(options)) mustHaveFastify();
      process.argv.splice(1, process.argv.length, program, ...options);
      require(program);
    });
}

function isHelp(options: readonly string[]): boolean {
  const own = options.includes("--") ? options.slice(0, options.indexOf("--")) : options;
  return own.includes("--help") || own.includes("-h");
}
