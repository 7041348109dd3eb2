import { join } from "node:path";
import { type Command, Option } from "commander";
import { mustHaveFastify } from "../../emulator/load";
import { ownFolder } from "../package";

/** The emulator's program, which is part of the package. */
const program = join(ownFolder, "dist/sdk/emulator/service/main.js");

/** Its options. The program reads them itself: the command has them only for the completion. */
const { options }: typeof import("../../emulator/service/options") = require(
  join(ownFolder, "dist/sdk/emulator/service/options.js"),
);

/** `podlumi emulator`: the service on this machine. */
export function emulator(parent: Command): void {
  const command = parent
    .command("emulator")
    .description(
      "run the service on this machine: no account, no costs; `emulator -- pulumi up` runs a command with it",
    )
    .argument("[command...]")
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
  for (const [name, option] of Object.entries(options)) {
    const called = `--${name}${"value" in option ? ` <${option.value}>` : ""}`;
    command.addOption(new Option(called, option.text.replaceAll("\n", " ")));
  }
}

function isHelp(options: readonly string[]): boolean {
  const own = options.includes("--") ? options.slice(0, options.indexOf("--")) : options;
  return own.includes("--help") || own.includes("-h");
}
