/** Jest keeps a hundred frames of each stack, and maps each. Pulumi takes a stack for each output and each call of the engine. */
Error.stackTraceLimit = 10;
