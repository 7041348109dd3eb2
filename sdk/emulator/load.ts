import { mustHave } from "../optional-peer";

/** The emulator's own module. It is part of the package, and needs fastify, which is not. */
export type Implementation = typeof import("./service");

/** Loads the emulator. Throws when fastify is not installed. */
export function implementation(): Implementation {
  mustHaveFastify();
  return require("./service");
}

/** Throws when fastify is not installed. */
export function mustHaveFastify(): void {
  mustHave("fastify", "the emulator", "npm install --save-dev fastify@5", "PODLUMI-NO-FASTIFY");
}
