const { availableParallelism } = require("node:os");

/** @type {import("jest").Config} */
module.exports = {
  testMatch: ["<rootDir>/test/**/*.spec.ts"],
  transform: {
    "^.+\\.ts$": [
      "@swc/jest",
      {
        swcrc: false,
        jsc: { target: "es2022", parser: { syntax: "typescript" } },
        module: { type: "commonjs" },
      },
    ],
  },
  globalSetup: "<rootDir>/test/engine/jest-setup.ts",
  setupFilesAfterEnv: ["<rootDir>/test/engine/loopback-only.ts"],
  // Specifications that drive the engine wait for a third of their time, so there is one worker more than cores.
  maxWorkers: Math.min(4, availableParallelism() + 1),
  // Each command of the engine takes seconds, on a busy machine many.
  testTimeout: 240_000,
};
