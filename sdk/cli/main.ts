#!/usr/bin/env node
import { spareMemory } from "../../provider/engine/memory";
import { CommandError } from "./output";
import { exitCode, run } from "./run";

for (const output of [process.stdout, process.stderr])
  output.on("error", (error: NodeJS.ErrnoException) => {
    // The reader of the output has closed it, as `head` does.
    if (error.code === "EPIPE") process.exit();
    process.exit(exitCode(new CommandError(`the output cannot be written: ${error.message}`)));
  });
spareMemory();
void run(process.argv.slice(2));
