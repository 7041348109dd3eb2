const { availableParallelism } = require("node:os");

const project = {
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
  moduleNameMapper: { "^\\./closure/codePaths$": "<rootDir>/test/engine/code-paths.cjs" },
  globalSetup: "<rootDir>/test/engine/jest-setup.ts",
  setupFilesAfterEnv: ["<rootDir>/test/engine/loopback-only.ts"],
};

/** The programs of users once more, with the classes of the plugin. It takes minutes, so npm test leaves it out. */
const plugin = {
  ...project,
  displayName: "plugin",
  testMatch: ["<rootDir>/test/programs/**/*.spec.ts"],
  // These know no face, know the one that they mean, or have both.
  testPathIgnorePatterns: [
    "/(backends|bundle|cancelled|ci|compilers|contract|demo|examples|killed)\\.spec\\.ts$",
  ],
  moduleNameMapper: {
    ...project.moduleNameMapper,
    "^podlumi$": "<rootDir>/node_modules/podlumi/dist/sdk/plugin/index.js",
  },
  globals: { onPlugin: true },
};

/** @type {import("jest").Config} */
module.exports = {
  ...(process.env.PODLUMI_TEST_ALL === "1"
    ? { projects: [{ ...project, displayName: "specifications" }, plugin] }
    : project),
  // Specifications that drive the engine wait for a part of their time, so there are more workers than cores.
  maxWorkers: Math.min(6, availableParallelism() + 3),
  // Each command of the engine takes seconds, on a busy machine many.
  testTimeout: 240_000,
};
