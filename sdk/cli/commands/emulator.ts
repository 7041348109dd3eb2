import { join } from "node:path";
import type { Command } from "commander";
import { CommandError } from "../output";

/** The emulator's program, which is part of the package. */
const program = join(__dirname, "../../../test/emulator/main.js");

/** `podlumi emulator`: the service on this machine. The emulator reads the options itself. */
export function emulator(parent: Command): void {
  parent
    .command("emulator")
    .description("run the service on this machine: no account, no costs; --help shows its options")
    .argument("[options...]")
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions()
    .action((options: string[]) => {
      try {
        require.resolve("fastify");
      } catch {
        throw new CommandError(
          "the emulator needs fastify, which is not installed with podlumi: npm install --save-dev fastify@5",
        );
      }
      process.argv.splice(1, process.argv.length, program, ...options);
      require(program);
    });
}
