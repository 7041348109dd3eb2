/** The emulator's own module. It is part of the package, and needs fastify, which is not. */
export type Implementation = typeof import("../../test/emulator");

/** Loads the emulator. Throws when fastify is not installed. */
export function implementation(): Implementation {
  mustHaveFastify();
  return require("../../test/emulator");
}

/** Throws when fastify is not installed. */
export function mustHaveFastify(): void {
  try {
    require.resolve("fastify");
  } catch {
    const code = "PODLUMI-NO-FASTIFY";
    const text = `the emulator needs fastify, which is not installed with podlumi: npm install --save-dev fastify@5 [${code}]`;
    throw Object.assign(new Error(text), { code });
  }
}
