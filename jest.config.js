const { availableParallelism } = require("node:os");

const runsAll = process.env.PODLUMI_TEST_ALL === "1";

const programs = (names) => `/test/programs/(${names})\\.spec\\.ts$`;

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
  runtime: "<rootDir>/test/engine/runtime.cjs",
  globalSetup: "<rootDir>/test/engine/jest-setup.ts",
  setupFilesAfterEnv: ["<rootDir>/test/engine/loopback-only.ts", "<rootDir>/test/engine/quiet.ts"],
  // Pulumi's SDK keeps its settings on the global object, and reads them after a test file has ended.
  testEnvironmentOptions: { globalsCleanup: "off" },
};

/**
 * Only `npm run test:all` runs these. Shorter specifications hold their rules too: in one process (test/provider), or in one life of each
 * kind (test/lifecycle). A single specification of a file is left out by `testLong` (test/harness/long.ts).
 */
const long = runsAll
  ? []
  : [
      programs(
        "addresses|backends|debug|demo|emulated|expiry|identity|other-stacks|positions|quota|secrets-elsewhere|states|sweep",
      ),
      "/test/(bench/(kinds|peer)|lifecycle/secret-specification|matrix/packed|plugin/import)\\.spec\\.ts$",
    ];
/**
 * Specifications of programs in which either face does. `npm test` runs them with the plugin, which starts faster than Pulumi's host of
 * dynamic providers, and `npm run test:all` with the dynamic provider, too.
 */
const ofEitherFace = programs(
  "account|accounts|adopt|catalog|data|deploys|failures|get|names|options|ownership|previews|references|resources-as-ids",
);

const dynamic = {
  ...project,
  displayName: "dynamic",
  testPathIgnorePatterns: runsAll ? [] : [ofEitherFace, ...long],
};

const plugin = {
  ...project,
  displayName: "plugin",
  testMatch: ["<rootDir>/test/programs/*.spec.ts"],
  testPathIgnorePatterns: [`^(?!.*${ofEitherFace})`],
  moduleNameMapper: {
    ...project.moduleNameMapper,
    "^podlumi$": "<rootDir>/node_modules/podlumi/dist/sdk/plugin/index.js",
  },
  globals: { onPlugin: true },
};

/** @type {import("jest").Config} */
module.exports = {
  projects: [dynamic, plugin],
  testSequencer: "<rootDir>/test/engine/sequencer.cjs",
  // Specifications that drive the engine wait for a part of their time, so there are more workers than cores.
  maxWorkers: Math.min(6, availableParallelism() + 4),
  // A worker with a large heap takes half a second to end, on a busy machine more. Jest then says that a specification leaves something open.
  workerGracefulExitTimeout: 5_000,
  // Each command of the engine takes seconds, on a busy machine many.
  testTimeout: 240_000,
};
