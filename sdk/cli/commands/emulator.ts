import { join } from "node:path";
import { type Command, Option } from "commander";
import { mustHaveFastify } from "../../emulator/load";
import { options } from "../../emulator/service/options";
import { ownFolder } from "../package";

/** The emulator's program, which is part of the package. */
const program = join(ownFolder, "dist/sdk/emulator/service/main.js");

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
      // The program reads its options itself, and needs the `--` before a command.
      const words = parent.args.slice(1);
      if (!isHelp(words)) mustHaveFastify();
      process.argv.splice(1, process.argv.length, program, ...words);
      require(program);
    });
  // For the completion.
  for (const [name, option] of Object.entries(options)) {
    const called = `--${name}${"value" in option ? ` <${option.value}>` : ""}`;
    command.addOption(new Option(called, option.text.replaceAll("\n", " ")));
  }
}

function isHelp(words: readonly string[]): boolean {
  const own = words.includes("--") ? words.slice(0, words.indexOf("--")) : words;
  return own.includes("--help") || own.includes("-h");
}
