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
  // Specifications that drive the engine start several processes each.
  maxWorkers: 2,
  testTimeout: 60_000,
};
